#!/usr/bin/env python3
"""check_page.py HEADLIGHT: the page in a real browser: what it shows, and what readers do.

A case is a function; each opens its page anew. Any error in the browser's console fails a case, and
so does any request but that for the page itself. Without Chromium the suite is skipped.
"""
import base64, functools, hashlib, html, json, math, pathlib, re, shutil, subprocess, sys, tempfile

from browser import Browser

ASSETS = pathlib.Path(__file__).resolve().parents[2] / "assets/page"
TEXTS = ["time flies like an arrow", "fruit flies like a banana"]
HOSTILE = ["</script><img src=x onerror=alert(1)>", "<!--<script>", "\u202etxet\u202c", "\x1b[31m",
           "]]>", "&lt;b&gt;", "\u2028"]
CASES = []


def case(test):
    CASES.append(test)
    return test


# ---- Pages ----

def encode(weights, bits=8):
    top = 2**bits - 1
    roots = [min(top, round(top * math.sqrt(w))) for w in weights]
    return base64.b64encode(b"".join(q.to_bytes(bits // 8, "little") for q in roots)).decode()


def shown_of(text):
    """A text as the page has it: unless it has several, its attention is the only one."""
    outer = ("title", "lesson", "texts", "start", "changes", "answers", "sites")
    site = {name: text[name] for name in text if name not in outer}
    return {"sites": [site], **{name: text[name] for name in outer if name in text}}


def page_of(text):
    """A page of data that the program doesn't make by itself, such as hostile tokens."""
    more, survey = text.pop("more", []), text.pop("survey", None)
    data = {"format": 3, "model": "small", "survey": survey,
            "shown": [shown_of(one) for one in (text, *more) if one["tokens"] or "sites" in one]}
    script, style = ((ASSETS / name).read_text() for name in ("page.js", "page.css"))
    hashed = [base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
              for text in (script, style)]
    title = html.escape(" · ".join(text["texts"]) or "small")
    places = {
        "policy": "default-src 'none'; script-src 'sha256-{}'; style-src 'sha256-{}'; "
                  "base-uri 'none'; form-action 'none'".format(*hashed),
        "title": title, "heading": title, "style": style, "script": script,
        "still": "<p>" + html.escape(" ".join(text["tokens"])) + "</p>",
        "data": json.dumps(data).replace("<", "\\u003c")}
    return re.sub(r"<!-- (\w+) -->", lambda place: places[place[1]],
                  (ASSETS / "page.html").read_text())


def small(tokens, **more):
    """Two layers of three heads, whose weights are told apart by a formula."""
    size = len(tokens)
    columns = len(more.get("columns", tokens))
    rows = [[(1 + (i * 7 + j * 3 + h * 5 + l) % 11) ** 3 for j in range(columns)]
            for l in range(2) for h in range(3) for i in range(size)]
    weights = [w / sum(row) for row in rows for w in row]
    bits = more.get("bits", 8)
    return {"texts": [" ".join(tokens)], "tokens": tokens,
            "segments": [0] * size, "special": [0] * size, "layers": 2, "heads": 3, "bits": bits,
            "weights": encode(weights, bits), **more}


def told(*options):
    """What the program writes to standard output."""
    return subprocess.run([HEADLIGHT, "--no-config", *options], check=True, text=True,
                          stdout=subprocess.PIPE).stdout


def made(*options):
    """A page of the program itself."""
    told("--html", FOLDER / "made.html", *options)
    return (FOLDER / "made.html").read_text()


@functools.cache
def built_in():
    """The built-in model on a pair: layer 1 with all heads, head 3 in hand."""
    return made("--head", "1.3", "--set", "heads=all", *TEXTS)


@functools.cache
def source():
    """The same as --json tells it: weights[layer][head][from][to], tokens, …"""
    read = json.loads(told("--include", "weights", "--json", "-", *TEXTS))
    weights = [[head["weights"] for head in layer["heads"]] for layer in read["layers"]]
    return {**read, "weights": weights}


def opened(browser, page, width=1400, height=900, phone=False, theme="light"):
    path = FOLDER / "page.html"
    path.write_text(page if isinstance(page, str) else page_of(page))
    browser.size(width, height, phone)
    browser.theme(theme)
    browser.open(path)
    browser.settle()


def equal(found, wanted, what=""):
    assert found == wanted, f"{what}: found {found!r}, expected {wanted!r}"


def has(text, part):
    assert part in text, f"{part!r} is not in {text!r}"


def pressed(browser, selector):
    return browser.run("return [...document.querySelectorAll(arguments[0])]"
                       ".map(e => e.getAttribute('aria-pressed') === 'true')", selector)


def count(browser, selector):
    return browser.run("return document.querySelectorAll(arguments[0]).length", selector)


def token(k, side=0):
    """The selector's place of a token among the texts of the picture: two headings come first."""
    return "#lines > text", 2 + side * 13 + k


# ---- What the numbers are ----

@case
def all_weights_are_those_of_json(browser):
    opened(browser, built_in())
    equal(browser.run("return text.rows"), source()["tokens"])
    shown = browser.run("return Array.from(text.weights)")
    flat = [w for layer in source()["weights"] for head in layer for row in head for w in row]
    step = 1 / (2**browser.run("return text.bits") - 1)
    equal(len(shown), len(flat))
    for w, s in zip(flat, shown):  # half a step of √w, and the digits of --json
        assert abs(math.sqrt(w) - math.sqrt(s)) <= .5 * step + 1e-6, (w, s)


@case
def numbers_on_screen_are_those_of_json(browser):
    opened(browser, built_in())
    browser.click("#table summary")
    rows = browser.run("return [...document.querySelectorAll('#rows tr')]"
                       ".map(r => [...r.children].map(c => c.textContent))")
    equal(len(rows), 40)
    heads, tokens = source()["weights"][1], source()["tokens"]
    for name, other, layer, head, shown in rows:
        equal(layer, "1")
        near = [w for i, row in enumerate(heads[int(head)]) for j, w in enumerate(row)
                if (tokens[i], tokens[j]) == (name, other)]
        assert min(abs(w - float(shown)) for w in near) < .006, (name, other, head, shown)
    x, y = browser.run("const b = $('matrix').getBoundingClientRect(), { words, size } = sheet;"
                       "return [b.x + words + 1.5 * size, b.y + words + 2.5 * size]")
    browser.point(x, y)
    weight = heads[3][2][1]
    has(browser.text("#cell"), "flies → time: ")
    assert abs(float(browser.text("#cell").split()[-1]) - weight) < .006, weight
    has(browser.text("#say"), "“flies” gives “time”")


@case
def layers_and_heads_keep_their_numbers(browser):
    opened(browser, made("--only", "2,5", "--set", "heads=1,3", *TEXTS))
    shown = browser.run("return weight(1, 0, 2, 3)")
    assert abs(shown - source()["weights"][5][1][2][3]) < 1e-3, shown
    browser.press("\ue014", "3")
    equal(browser.text("#layer-is"), "5 / 5")
    has(browser.text("#which"), "Head 5.3")


@case
def sixteen_bits_and_columns_of_their_own(browser):
    data = small(["a", "b"], bits=16, columns=["x", "y", "z"])
    opened(browser, data)
    rows = browser.run("return range(2).map(i => sum(range(3).map(j => weight(1, 2, i, j))))")
    assert all(abs(s - 1) < 1e-4 for s in rows), rows
    equal(count(browser, "#lines > text"), 2 + 5)
    has(browser.text("#about"), "2 × 3 tokens")


# ---- What readers do ----

@case
def pointing_at_a_token_shows_its_lines(browser):
    opened(browser, built_in())
    has(browser.text("#say"), "Layer 1, all 8 heads: ")
    browser.hover(*token(2))
    has(browser.text("#say"), "“flies” looks most at ")
    equal(browser.run("return drawn.lines.every(e => e.i === 2)"), True)
    equal(browser.run("return drawn.strokes.getAttribute('class')"), "away")
    assert count(browser, "#lines .bar") == 8
    browser.hover(*token(2, side=1))
    has(browser.text("#say"), "“flies” is looked at most by ")
    equal(browser.run("return drawn.lines.every(e => e.j === 2)"), True)
    browser.point(700, 30)
    equal(browser.run("return drawn.lines === drawn.base"), True)


@case
def pointing_at_a_line_names_it(browser):
    opened(browser, built_in())
    x, y, h, i, j = browser.run(
        "const b = $('lines').getBoundingClientRect(), e = drawn.base[0];"
        "return [b.x + drawn.place.x0 + 9, b.y + e.a, e.h, e.i, e.j]")
    browser.point(x, y)
    equal(browser.run("return point"), {"h": h, "i": i, "j": j})
    has(browser.text("#say"), f"Head 1.{h}: ")
    has(browser.text("#which"), f"Head 1.{h}")


@case
def a_click_keeps_a_token(browser):
    opened(browser, built_in())
    browser.click(*token(3))
    browser.point(700, 30)
    has(browser.text("#say"), "“like” looks most at ")
    browser.click(*token(3))
    browser.point(700, 30)
    has(browser.text("#say"), "all 8 heads: ")


@case
def a_head_is_switched_by_a_click_and_alone_by_two(browser):
    opened(browser, built_in())
    browser.click("#heads button", 2)
    equal(pressed(browser, "#heads button"), [h != 2 for h in range(8)])
    equal(browser.run("return drawn.base.some(e => e.h === 2)"), False)
    browser.click("#heads button", 5, times=2)
    equal(pressed(browser, "#heads button"), [h == 5 for h in range(8)])
    has(browser.text("#which"), "Head 1.5")
    browser.point(700, 30)
    browser.click("#heads button", 5, times=2)
    equal(pressed(browser, "#heads button"), [True] * 8)


@case
def an_encoder_decoder_has_three_attentions(browser):
    translation = ["--model", "dates", "3 May 1994"]
    opened(browser, made("--head", "0.1", *translation))
    equal(browser.run("return [...document.querySelectorAll('#sites button')].map(b => b.textContent)"),
          ["encoder", "decoder", "cross"])
    for site, part in (("cross", "cross-attention: target → source"), ("encoder", "source → source"),
                       ("decoder", "target → target")):
        equal(pressed(browser, "#sites button"), [s == site for s in ("encoder", "decoder", "cross")])
        has(browser.text("#about"), part)
        read = json.loads(told("--site", site, "--include", "weights", "--json", "-", *translation))
        flat = [w for layer in read["layers"] for head in layer["heads"]
                for row in head["weights"] for w in row]
        shown = browser.run("return Array.from(text.weights)")
        equal(len(shown), len(flat))
        assert max(abs(math.sqrt(w) - math.sqrt(s)) for w, s in zip(flat, shown)) < 1e-5
        equal(browser.run("return text.tokens"), read["tokens"])
        equal(browser.run("return text.columns"), read.get("tokens_right", read["tokens"]))
        equal(count(browser, "#grid canvas"), 8)
        browser.press("A")
    has(browser.text("#about"), "cross")
    equal(browser.run("return drawn.labels[0].map(e => e.textContent)")[2], "- ▸ 05")
    browser.hover("#lines > text", 4)
    has(browser.text("#say"), "Head x0.1: “-” looks most at “may” 0.98")
    has(browser.text("#say"), ", about to say “05”.")
    browser.click("#special")  # of the source </s>; rows stay
    equal(browser.run("return drawn.base.some(e => e.j === 3)"), False)
    equal(browser.run("return drawn.base.some(e => e.i === 3 && e.j === 2)"), True)
    browser.click("#sites button", 1)
    equal(browser.run("return [state.site, text.tokens.length, text.columns.length]"), [1, 6, 6])
    answers = " ".join(browser.text("#answers").split())  # of the text, whichever attention is shown
    has(answers, "the word that comes next <s> 1994 1.00")


@case
def what_cant_be_seen_is_hatched(browser):
    gemma = ["--model", "tests/vectors/families/gemma2", "the cat sat on the mat and the dog"]
    opened(browser, made("--head", "0.1", *gemma))
    browser.run("state.view = 'matrix'; update()")
    browser.settle()
    read = json.loads(told("--include", "scores", "--json", "-", *gemma))
    seen = [[[w is not None for w in row] for row in layer["heads"][0]["scores"]]
            for layer in read["layers"]]
    equal(browser.run("return range(text.layers).map(l => text.rows.map((_, i) => "
                      "text.columns.map((_, j) => sees(l, i, j))))"), seen)
    assert not seen[0][9][1] and seen[1][9][1] and not seen[1][1][2], "no window, or no past"
    has(browser.text("#cell"), "hatched can’t be seen")
    browser.run("put({ h: 1, i: 1, j: 3 })")
    browser.settle()
    equal(browser.text("#cell").split(": ")[1], "can’t be seen")
    opened(browser, built_in())
    equal(browser.run("return sees(0, 0, 1)"), True)
    assert "hatched" not in browser.text("#cell")


@case
def a_protein_has_contacts(browser):
    esm = ["--model", "tests/vectors/families/esm2", "MKTAYIAKQRQISFVK"]
    opened(browser, made(*esm))
    equal(browser.run("return [...document.querySelectorAll('#sites button')].map(b => b.textContent)"),
          ["attention", "contacts"])
    browser.click("#sites button", 1)
    read = json.loads(told("--include", "contacts", "--json", "-", *esm))
    flat = [w for row in read["maps"]["contacts"][0][0] for w in row]
    shown = browser.run("return Array.from(text.weights)")
    equal(len(shown), len(flat))
    assert max(abs(math.sqrt(w) - math.sqrt(s)) for w, s in zip(flat, shown)) < 1e-5
    browser.hover("#lines > text", 4)
    has(browser.text("#say"), "All heads: “K” touches most ")
    has(browser.text("#cell"), "Rows touch columns")
    browser.run("put({ h: 0, i: 1, j: 14 })")
    browser.settle()
    equal(browser.text("#say"), "The probability of “M” touching “F” is 0.63.")


@case
def attentions_may_differ_in_heads(browser):
    one = small(["a", "b", "c"], site="encoder", attention="encoder")
    other = {**small(["x", "y"], columns=["a", "b", "c"], said=["y", "z"], special_columns=[0, 0, 0]),
             "site": "cross", "attention": "cross", "heads": 1, "layers": 1,
             "weights": encode([1, 0, 0, .5, .25, .25])}
    opened(browser, {"texts": ["abc", "xy"], "sites": [one, other],
                     "tokens": [], "start": {"site": "encoder", "layer": 1, "head": 2, "heads": [2]}})
    has(browser.text("#say"), "Head 1.2: ")
    browser.press("A")
    has(browser.text("#say"), "Head x0.0: 4 lines")
    browser.press("A", "\ue014")
    has(browser.text("#say"), "Layer 1, all 3 heads: ")


@case
def every_head_has_lines(browser):
    opened(browser, built_in())
    for layer in range(8):
        browser.run("state.layer = arguments[0]; draw()", layer)
        equal(browser.run("return new Set(drawn.base.map(e => e.h)).size"), 8, f"layer {layer}")


@case
def filters_leave_lines_out(browser):
    opened(browser, built_in())
    browser.click("#pairs button", 2)
    equal(pressed(browser, "#pairs button"), [False, False, True, False, False])
    equal(browser.run("return drawn.base.every(e => e.i < 7 && e.j >= 7)"), True)
    browser.click("#pairs button", 0)
    browser.click("#special")
    equal(browser.run("return drawn.base.some(e => [0, 6, 12].includes(e.i))"), False)
    browser.run("$('layer').value = 4; $('layer').dispatchEvent(new Event('input'))")
    browser.settle()
    equal(browser.text("#layer-is"), "4 / 7")


@case
def a_thumbnail_opens_its_head(browser):
    opened(browser, built_in())
    browser.click("#go-model")
    equal(count(browser, "#left #grid canvas"), 64)
    browser.hover("#grid canvas", 21)
    has(browser.text("#which"), "Head 2.5")
    browser.click("#grid canvas", 21)
    equal(pressed(browser, "#heads button"), [h == 5 for h in range(8)])
    equal(browser.text("#layer-is"), "2 / 7")
    browser.click("#go-matrix")
    equal(browser.run("return sheet.size >= 22"), True)


@case
def everything_can_be_done_with_keys(browser):
    opened(browser, built_in())
    right, down, enter, escape = "\ue014", "\ue015", "\ue007", "\ue00c"
    browser.press(right, down, down)
    has(browser.text("#say"), "Layer 2, all 8 heads: “time” looks most at ")
    browser.press("x")
    has(browser.text("#say"), "“time” is looked at most by ")
    browser.press("6")
    equal(pressed(browser, "#heads button"), [h == 6 for h in range(8)])
    browser.press("a")
    equal(pressed(browser, "#heads button"), [True] * 8)
    browser.press("a")
    equal(pressed(browser, "#heads button"), [False] * 8)
    browser.press("a", escape)
    has(browser.text("#say"), "Layer 2, all 8 heads: ")
    has(browser.text("#say"), " lines from ")  # of all tokens
    browser.press("m", "r")  # keys of the program that mean something else there
    equal(browser.run("return document.body.className"), "head")
    browser.press("6")
    browser.click("#go-model")
    equal(browser.run("return document.body.className"), "model")
    browser.run("document.querySelector('.chosen').focus()")
    browser.press(right, down)  # from layer 2, head 6
    has(browser.text("#which"), "Head 3.7")
    browser.press(enter)
    equal(pressed(browser, "#heads button"), [h == 7 for h in range(8)])
    names = browser.run("return [...document.querySelectorAll('button')].filter(b =>"
                        " b.offsetParent && !(b.textContent.trim() || b.ariaLabel)).length")
    equal(names, 0, "buttons without a name")


@case
def keys_do_what_they_do_in_the_program(browser):
    opened(browser, built_in())
    same = {"ArrowLeft": "left", "ArrowRight": "right", "ArrowUp": "token-previous",
            "ArrowDown": "token-next", "x": "side", "Escape": "clear", "a": "head-all", "A": "site"}
    equal(sorted(browser.run("return Object.keys(KEYS)")), sorted(same))
    names = {"Esc": "Escape", **{arrow: "Arrow" + arrow for arrow in ("Left", "Right", "Up", "Down")}}
    bound = {}
    for row in told("keys").splitlines():
        keys, name = row[2:11].split(), row[13:31].strip()
        bound |= {names.get(key, key): name for key in keys}
    equal(bound["ArrowLeft"], "left")
    equal({key: bound.get(key, action) for key, action in same.items()}, same)


@case
def light_and_dark(browser):
    ground = "return getComputedStyle(document.body).backgroundColor"
    opened(browser, built_in(), theme="dark")
    equal(browser.run(ground), "rgb(18, 18, 18)")
    opened(browser, built_in())
    equal(browser.run(ground), "rgb(251, 250, 248)")


@case
def hues_are_the_programs(browser):
    opened(browser, built_in())
    source = (ASSETS.parents[0] / "colors").read_text()
    found = re.findall(r"^HUE\+\d+ +(\w+) \d+ +(\w+)", source, re.M)
    hues = browser.run("return HUES")
    equal([dark.lower() for dark, _ in found], hues["dark"])
    equal([light.lower() for _, light in found], hues["light"])


@case
def a_phone_has_room_for_the_picture(browser):
    opened(browser, built_in(), 390, 844, phone=True)
    equal(browser.run("return document.documentElement.scrollWidth"), 390)
    top = browser.run("return $('lines').getBoundingClientRect().top")
    assert top < 300, f"the picture begins at {top}"
    equal(browser.run("return $('filters').open"), False)
    columns = "return getComputedStyle($('heads')).gridTemplateColumns.split(' ').length"
    equal(browser.run(columns), 4)
    browser.size(1000, 600)  # turned, or a larger window
    browser.settle()
    browser.settle()
    equal(browser.run("return $('filters').open"), True)
    equal(browser.run(columns), 8)
    browser.size(390, 844, True)
    browser.settle()
    browser.settle()
    x, y = browser.middle(*token(4))
    browser.devtools("Input.dispatchTouchEvent", type="touchStart", touchPoints=[{"x": x, "y": y}])
    browser.devtools("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])
    browser.settle()
    has(browser.text("#say"), "“an” looks most at ")


@case
def on_paper_it_is_light_and_without_controls(browser):
    opened(browser, built_in(), theme="dark")
    assert browser.pdf().startswith(b"%PDF-")
    browser.devtools("Emulation.setEmulatedMedia", media="print",
                     features=[{"name": "prefers-color-scheme", "value": "dark"}])
    browser.run("dispatchEvent(new Event('beforeprint'))")
    equal(browser.run("return $('layer').offsetParent === null"), True)
    equal(browser.run("return theme"), "light")
    browser.run("dispatchEvent(new Event('afterprint'))")
    equal(browser.run("return theme"), "dark")
    browser.devtools("Emulation.setEmulatedMedia", media="")


# ---- What else stands in a page ----

@case
def answers_tell_what_was_before(browser):
    opened(browser, small(["the", "[MASK]"], changes={"causal": True, "positions": None, "off": "1.2"}, answers=[
        {"kind": "word", "title": "Words", "rows": [
            {"token": 1, "of": "[MASK]", "text": "boys", "share": .061, "before": .022},
            {"token": 1, "of": "[MASK]", "text": "girl", "share": .058}]},
        {"kind": "similarity", "title": "Cosine", "rows": [{"value": .5}]}]))
    has(browser.text("#about"), "changed: causal, off 1.2")
    text = " ".join(browser.text("#answers").split())
    equal(browser.run("return document.querySelector('.chip span').className"), "more")
    equal(text, "Words [MASK] boys 0.061 ← 0.022 girl 0.058 Cosine 0.50")


@case
def several_texts_are_a_list(browser):
    opened(browser, small(["one", "two"], more=[
        small(["three"], title="Step 2"), small(["four", "five", "six"])]))
    equal(browser.run("return [...$('texts').options].map(o => o.textContent)"),
          ["“one two”", "Step 2", "“four five six”"])
    browser.click("#forth")
    equal(browser.text("#title"), "“three”")
    browser.click("#forth")
    equal(browser.run("return text.rows.length"), 3)
    equal(browser.run("return $('forth').disabled"), True)


@case
def a_lesson_is_a_list_of_its_steps(browser):
    opened(browser, made("--lesson", "3"))
    assert browser.run("return $('texts').length") > 3
    browser.click("#forth")
    equal(browser.run("return state.text"), 1)


@case
def a_lesson_says_what_it_says_in_the_program(browser):
    opened(browser, made("--lesson", "lines"))
    for k in range(browser.run("return texts.length")):
        step = told("--lesson", "lines", "--set", f"step={k + 1}")
        words = set(re.findall("[a-z]{4,}", browser.text("#lesson")))
        assert len(words) > 10
        equal(words - set(re.findall("[a-z]{4,}", step)), set())
        browser.click("#forth") if k + 1 < browser.run("return texts.length") else None


@case
def what_a_lesson_says_is_never_markup(browser):
    lesson = {"note": HOSTILE[0], "learnt": [], "look": [[{"kbd": HOSTILE[1]}]],
              "text": [[text, {"em": text}] for text in HOSTILE]}
    opened(browser, page_of({**small(["a", "b"]), "lesson": lesson}))
    has(browser.text("#lesson"), HOSTILE[0])
    equal(browser.run("return document.querySelectorAll('#lesson img').length"), 0)


@case
def a_survey_of_the_program_is_shown(browser):
    corpus = ASSETS.parent / "corpus/english.conllu"
    told("survey", corpus, "--sample", "20", "-o", FOLDER / "x.survey")
    opened(browser, made(FOLDER / "x.survey"))
    equal(count(browser, "#figures .head-cell"), 64)
    browser.click("#figures .head-cell", 11)
    has(browser.text("#cardview"), "Head 1.3")
    has(browser.text("#cardview"), "Where it is strongest")
    for k in range(browser.run("return survey.figures.length")):
        browser.run("state.figure = arguments[0]; draw()", k)


@case
def a_survey_has_a_grid_and_cards(browser):
    card = {"does": [{"text": "previous", "share": .5, "n": 9}],
            "reach": [.5, .2, .3],
            "relations": [{"name": "nsubj", "share": .6, "low": .5, "high": .7, "n": 12,
                           "offset": -1, "offset_share": .3}],
            "pos": [[.1, .9], [.2, .8]],
            "from": [["the", .1]], "at": [], "examples": [
                {"words": ["a", "<b>cat</b>", "sat"], "from": 2, "to": 1, "weight": .98}]}
    figures = [{"name": "one", "title": "the first", "mean": [0, .25, .5, .75, 1, .1],
                "half": [.01] * 6}, {"name": "two", "mean": [-2, 0, 1, 2, 3, 4]}]
    survey = {"name": "texts", "texts": 3, "tokens": 9, "layers": 2, "heads": 3,
              "mark": "x", "distances": ["-1", "0", "1"], "pos": ["NOUN", "VERB"],
              "figures": figures, "cards": [card] * 6}
    opened(browser, small([], texts=[], weights="", survey=survey))
    cells = "return [...document.querySelectorAll('#figures .head-cell')].map(c => c.textContent)"
    equal(browser.run(cells), ["0.000", "0.25", "0.50", "0.75", "1.00", "0.10"])
    browser.click("#figures .head-cell", 4)
    has(browser.text("#figure-is"), "head x1.1: 1.00 ± 0.010 (95 %)")
    for part in ("Head x1.1", "previous 0.50", "nsubj", "0.60 (0.50–0.70)",
                 "a <b>cat</b> sat 0.98"):
        has(" ".join(browser.text("#cardview").split()), part)
    browser.run("$('figure').value = 1; $('figure').dispatchEvent(new Event('change'))")
    browser.settle()
    equal(browser.run(cells), ["-2.00", "0.000", "1.00", "2.00", "3.00", "4.00"])
    equal(browser.run("return available()"), ["survey"])


@case
def foreign_text_stays_text(browser):
    opened(browser, small(HOSTILE, title="<i>t</i>", does=[["<b>"] * 3] * 2, changes={"off": "<u>"},
                          answers=[{"kind": "word", "title": "<s>", "rows": [
                              {"of": "<b>", "text": "<i>", "share": .5}]}]))
    equal(count(browser, "img, i:not(.chip i), u, s, script:not(#headlight):not(:last-of-type)"), 0)
    shown = browser.run("return drawn.labels[0].map(e => e.querySelector('title')?.textContent"
                        " ?? e.textContent)")
    equal(shown, HOSTILE)


@case
def foreign_text_of_the_program_stays_text(browser):
    opened(browser, made(" ".join(HOSTILE[:6])))
    equal(count(browser, "img, b:not(.says b), script:not(#headlight):not(:last-of-type)"), 0)
    has(browser.text("#title"), HOSTILE[0])
    has(browser.run("return document.title"), "^[[31m")


@case
def without_scripts_there_is_a_picture(browser):
    browser.devtools("Emulation.setScriptExecutionDisabled", value=True)
    try:
        (FOLDER / "page.html").write_text(made(HOSTILE[0], "time flies"))
        browser.theme("dark")
        browser.open(FOLDER / "page.html")
        has(browser.text("h1"), HOSTILE[0])
        has(browser.text("noscript svg"), "flies")
        assert "Neuron" not in browser.text("noscript svg"), "the program's bars are in the picture"
        equal(browser.style("noscript svg", "background-color"), "rgba(255, 255, 255, 1)")
        assert browser.style("noscript svg text", "fill") != browser.style("h1", "color")
        equal(browser.all("img, main:not([hidden])"), [])
    finally:
        browser.devtools("Emulation.setScriptExecutionDisabled", value=False)


@case
def what_is_smuggled_in_is_blocked(browser):
    opened(browser, small(["a", "b"]))
    browser.run("document.body.insertAdjacentHTML('beforeend',"
                " '<img src=http://127.0.0.1:9/x onerror=\"document.title = 1\">');"
                "const s = document.createElement('script'); s.textContent = 'document.title = 2';"
                "document.body.append(s)")
    browser.settle()
    equal(browser.run("return document.title"), "“a b” – headlight")
    said = " ".join(entry["message"] for entry in browser.log("browser"))
    has(said, "Content Security Policy")


# ---- Running them ----

def requests(browser):
    """What was asked for, but for what the page's policy kept back."""
    sent, kept = {}, set()
    for entry in browser.log("performance"):
        message = json.loads(entry["message"])["message"]
        told = message["params"]
        if message["method"] == "Network.requestWillBeSent":
            sent[told["requestId"]] = told["request"]["url"]
        if message["method"] == "Network.loadingFailed" and told.get("blockedReason") == "csp":
            kept.add(told["requestId"])
    return {url for number, url in sent.items() if number not in kept}


def run(browser, test):
    browser.log("performance")
    test(browser)
    equal([entry["message"] for entry in browser.log("browser")], [], "the console")
    equal(requests(browser), {(FOLDER / "page.html").as_uri()}, "requests")


def main():
    if not shutil.which("chromedriver"):
        print("skipped: chromium is not installed")
        return 0
    failed = 0
    with Browser() as browser:
        for test in CASES:
            try:
                run(browser, test)
            except (AssertionError, RuntimeError) as error:
                failed += 1
                print(f"{test.__name__}: {error}", file=sys.stderr)
    print(f"the page in a browser: {len(CASES) - failed} of {len(CASES)} cases")
    return failed > 0


if __name__ == "__main__":
    HEADLIGHT = sys.argv[1]
    with tempfile.TemporaryDirectory() as folder:
        FOLDER = pathlib.Path(folder)
        sys.exit(main())
