"""notebook.py HEADLIGHT: the notebook's module against the program: what record writes of models is
what the program reads, page and show give pages, and the examples of the docs run as they stand.

Models here have the names and the outputs of transformers', and are small and random.
"""
import contextlib
import io
import json
import math
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import types

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "assets" / "python"))
sys.dont_write_bytecode = True
import headlight

PROGRAM = os.environ["HEADLIGHT"] = os.path.realpath(sys.argv[1])


# ---- Without numpy and torch ----

def check_refusals():
    """What is wrong with what was given, in the names of who gave it."""
    half = [[[0.5, 0.5], [0.5, 0.5]]]
    eager = 'attn_implementation="eager"'
    for attentions, tokens, part in (
            (None, ["a", "b"], eager), ((), ["a", "b"], eager), ((None, None), ["a", "b"], eager),
            ([0.9, 0.1], ["a", "b"], "expected a tensor [heads, T, T], found the number 0.9"),
            ([[0.9, 0.1]], ["a", "b"], "expected the shape [A,T,S], found [2]"),
            ([half], "a b", "expected a list of strings, one for each token, found one string"),
            ([half], [101, 7], "expected strings, found int at [0]; tokenizer.convert_ids_to_tokens"),
            ([half], ["a"], 'the recording: "tokens" in the metadata: expected one item for each')):
        try:
            headlight.page(attentions, tokens)
            raise AssertionError(f"not refused: {part}")
        except (ValueError, RuntimeError) as error:
            assert part in str(error) and tempfile.gettempdir() not in str(error), error
    assert '"tokens":["a","b"]' in headlight.page([half], ("a", "b")).html


check_refusals()
try:
    import numpy
except ImportError as missing:
    print(f"skipped: the notebook's module: {missing}", file=sys.stderr)
    sys.exit(0)


# ---- Without torch: what generate() returns ----

class Generator:
    """Attention that is drawn for tokens and distances, and next tokens for the last two, with the
    outputs of transformers' generate(): a batch of beams at each step, the whole prompt at the
    first, and the beams' places along each sequence."""
    LAYERS, HEADS, WORDS, END = 2, 3, 9, 8

    def __init__(self, source=None, keys="all so far", seed=1):
        self.random = numpy.random.default_rng(seed)
        self.scores = self.random.normal(size=(3, self.LAYERS, self.HEADS, self.WORDS, self.WORDS))
        self.near = self.random.normal(size=(self.LAYERS, self.HEADS, 40))
        self.next = self.random.normal(size=(self.WORDS, self.WORDS, self.WORDS))
        self.source, self.keys = source, keys

    def attend(self, site, rows, columns):
        """[layers, heads, rows, columns] of two texts: the encoder's, the decoder's or between."""
        distance = numpy.arange(len(rows))[:, None] - numpy.arange(len(columns))
        scores = self.scores[site][:, :, rows][:, :, :, columns]
        if site == 1:
            hidden = (distance < 0) | (distance > 3 if self.keys == "the last 4" else False)
            scores = numpy.where(hidden, -numpy.inf, scores + self.near[:, :, abs(distance)])
        weights = numpy.exp(scores - scores.max(-1, keepdims=True))
        return (weights / weights.sum(-1, keepdims=True)).astype("f4")

    def step(self, ids, first):
        """What one row of a step returns of the decoder's own attention."""
        whole = self.attend(1, ids, ids)
        rows = whole if first or self.keys == "again and again" else whole[:, :, -1:]
        if self.keys == "room for more":
            return numpy.pad(rows, ((0, 0), (0, 0), (0, 0), (0, 25 - len(ids))))
        return rows[..., -4:] if self.keys == "the last 4" and not first else rows

    def generate(self, prompt, steps, beams=1, sequences=1):
        running = [(0 if beam == 0 else -1e9, list(prompt), ()) for beam in range(beams)]
        finished, own, cross, states = [], [], [], []
        for step in range(steps):
            batch = [self.step(ids, step == 0) for _, ids, _ in running]
            own.append(tuple(numpy.stack(layer) for layer in zip(*batch)))
            states.append(tuple(numpy.array([numpy.array(ids)[-layer.shape[2]:, None] + [.25, number]
                                             for _, ids, _ in running])
                                for number, layer in enumerate(own[-1])))
            if self.source:
                batch = [self.attend(2, ids if step == 0 else ids[-1:], self.source)
                         for _, ids, _ in running]
                cross.append(tuple(numpy.stack(layer) for layer in zip(*batch)))
            ranked = sorted(((score + self.next[ids[-2 % len(ids)], ids[-1], word], place, word)
                             for place, (score, ids, _) in enumerate(running)
                             for word in range(self.WORDS)), reverse=True)[:2 * beams]
            made = [(score, running[place][1] + [word], running[place][2] + (place,))
                    for score, place, word in ranked]
            finished += [one for one in made[:beams] if one[1][-1] == self.END]
            running = [one for one in made if one[1][-1] != self.END][:beams]
            if beams == 1 and finished:
                break
        best = sorted(finished + running, key=lambda one: -one[0] / len(one[1]))[:sequences]
        longest = max(len(ids) for _, ids, _ in best)
        outputs = types.SimpleNamespace(
            sequences=numpy.array([ids + [0] * (longest - len(ids)) for _, ids, _ in best]))
        if beams > 1:
            outputs.beam_indices = numpy.array([places + (-1,) * (steps - len(places))
                                                for _, _, places in best])
        if self.source:
            outputs.decoder_attentions, outputs.cross_attentions = tuple(own), tuple(cross)
            outputs.encoder_attentions = tuple(self.attend(0, self.source, self.source)[:, None])
            outputs.decoder_hidden_states = tuple(states)
        else:
            outputs.attentions, outputs.hidden_states = tuple(own), tuple(states)
        return outputs, [ids for _, ids, _ in best]


class Letters:
    def convert_ids_to_tokens(self, ids):
        assert all(type(one) is int for one in ids)
        return ["abcdefghi"[one] for one in ids]


def recorded(path, *options):
    told = subprocess.run([PROGRAM, "--no-config", path, *options, "--include", "all",
                           "--json", "-"], capture_output=True, check=True)
    told = json.loads(told.stdout)
    return told, numpy.array([[head["weights"] for head in layer["heads"]]
                              for layer in told["layers"]], "f4")


def check_generated(folder):
    """Every sequence's attention is that of its text computed whole, wherever its beams lay."""
    path, moved = f"{folder}/generated.safetensors", 0
    for keys in ("all so far", "room for more", "again and again", "the last 4"):
        for beams, sequences, source in ((1, 1, None), (4, 4, None), (1, 1, [3, 1, 4]),
                                         (3, 2, [3, 1, 4, 5])):
            model = Generator(source, keys, seed=beams)
            outputs, texts = model.generate([7] if source else [2, 5, 3], 9, beams, sequences)
            for sequence, ids in enumerate(texts):
                read = ids[:-1]
                headlight.record_generated(
                    outputs, path, Letters(), {"input_ids": numpy.array([source or [2, 5, 3]])},
                    sequence=sequence, name="babble")
                sites = {"--site=decoder": (1, read, read), "--site=cross": (2, read, source),
                         "--site=encoder": (0, source, source)} if source else {None: (1, read, read)}
                for site, (number, rows, columns) in sites.items():
                    told, weights = recorded(path, *([site] if site else []))
                    assert told["tokens"] == ["abcdefghi"[one] for one in rows], told["tokens"]
                    whole = model.attend(number, rows, columns)
                    assert weights.shape == whole.shape and abs(weights - whole).max() < 1e-6
                    if number == 1:
                        assert told["layers"][0]["output"] == [[one + .25, one + 1] for one in read]
                if beams > 1:
                    moved += len(set(outputs.beam_indices[sequence][:len(read)])) > 1
    assert moved > 8, "sequences go from beam to beam"
    for wrong, part in ((types.SimpleNamespace(sequences=[[1]]), "return_dict_in_generate=True"),
                        (types.SimpleNamespace(sequences=[[1]], attentions=((None,),)), "sdpa")):
        try:
            headlight.record_generated(wrong, path, Letters())
            raise AssertionError("nothing was refused")
        except ValueError as error:
            assert part.replace("sdpa", 'attn_implementation="eager"') in str(error), error
    try:
        headlight.page(outputs.decoder_attentions, ["a"])
        raise AssertionError("nothing was refused")
    except ValueError as error:
        assert "record_generated joins them" in str(error), error


with tempfile.TemporaryDirectory() as temporary:
    check_generated(temporary)
try:
    import torch
except ImportError as missing:
    print(f"skipped: models of the notebook's module: {missing}", file=sys.stderr)
    sys.exit(0)

HIDDEN, HEADS = 24, 4
torch.manual_seed(1)


# ---- Models with the names of transformers' ----

class Attention(torch.nn.Module):
    """Attention from x to y. `rotated` turns queries and keys as rope does, after the projections."""

    def __init__(self, names, causal=False, rotated=False):
        super().__init__()
        for name in names:
            self.add_module(name, torch.nn.Linear(HIDDEN, HIDDEN))
        self.names, self.causal, self.rotated = names, causal, rotated

    def forward(self, x, y):
        sources = (x, y, y)
        q, k, v = (getattr(self, name)(source)[0].view(-1, HEADS, HIDDEN // HEADS).transpose(0, 1)
                   for name, source in zip(self.names, sources))
        if self.rotated:
            q, k = (torch.stack([row.roll(i) for i, row in enumerate(part.transpose(0, 1))], 1)
                    for part in (q, k))
        scores = q @ k.transpose(1, 2) / math.sqrt(HIDDEN // HEADS)
        if self.causal:
            scores += torch.full_like(scores, -math.inf).triu(1)
        weights = scores.softmax(-1)
        return (weights @ v).transpose(0, 1).reshape(1, -1, HIDDEN), weights[None]


class Encoder(torch.nn.Module):
    def __init__(self, layers, names=("query", "key", "value"), **how):
        super().__init__()
        self.words = torch.nn.Embedding(100, HIDDEN)
        self.layer = torch.nn.ModuleList(Attention(names, **how) for _ in range(layers))
        self.config = types.SimpleNamespace(_name_or_path="random-encoder")

    def forward(self, input_ids, output_attentions, output_hidden_states):
        states, attentions = [self.words(input_ids)], []
        for layer in self.layer:
            x, weights = layer(states[-1], states[-1])
            states.append(states[-1] + x)
            attentions.append(weights)
        return types.SimpleNamespace(attentions=tuple(attentions), hidden_states=tuple(states),
                                     last_hidden_state=states[-1])


class DecoderLayer(torch.nn.Module):
    def __init__(self, names):
        super().__init__()
        self.self_attn, self.encoder_attn = Attention(names, causal=True), Attention(names)


class EncoderDecoder(torch.nn.Module):
    def __init__(self, names=("q_proj", "k_proj", "v_proj")):
        super().__init__()
        self.encoder = Encoder(2, names)
        self.decoder = torch.nn.ModuleList(DecoderLayer(names) for _ in range(3))
        self.words = torch.nn.Embedding(100, HIDDEN)
        self.config = types.SimpleNamespace(_name_or_path="random-t5")

    def prepare_decoder_input_ids_from_labels(self, labels):
        return torch.cat([torch.zeros_like(labels[:, :1]), labels[:, :-1]], 1)

    def forward(self, input_ids, decoder_input_ids, output_attentions, output_hidden_states):
        encoded = self.encoder(input_ids, True, True)
        x, own, cross = self.words(decoder_input_ids), [], []
        states = [x]
        for layer in self.decoder:
            more, weights = layer.self_attn(x, x)
            own.append(weights)
            more, weights = layer.encoder_attn(x + more, encoded.last_hidden_state)
            cross.append(weights)
            x = x + more
            states.append(x)
        return types.SimpleNamespace(
            encoder_attentions=encoded.attentions, encoder_hidden_states=encoded.hidden_states,
            decoder_attentions=tuple(own), decoder_hidden_states=tuple(states),
            cross_attentions=tuple(cross))


class Tokenizer:
    """A token a word, with an end as T5 has it."""

    def __call__(self, text, text_target=None, return_tensors=None):
        self.known = {}
        ids = {"input_ids": self.read(text)}
        if text_target:
            ids["labels"] = self.read(text_target)
        return ids

    def read(self, text):
        ids = [3 + sum(word.encode()) % 97 for word in text.split()] + [1]
        self.known.update(zip(ids, text.split() + ["</s>"]))
        return torch.tensor([ids])

    def convert_ids_to_tokens(self, ids):
        return [self.known.get(int(i), "<pad>") for i in ids]


# ---- Checks ----

def same(found, expected):
    return numpy.abs(found - torch.stack([one[0] for one in expected]).numpy()).max() < 1e-6


def check_encoder(folder):
    for rotated in (False, True):
        model, path = Encoder(3, rotated=rotated).eval(), f"{folder}/encoder.safetensors"
        inputs = {"input_ids": torch.tensor([[5, 6, 7, 8]])}
        headlight.record(model, inputs, path, tokens=["[CLS]", "the", "cat", "[SEP]"])
        told, weights = recorded(path)
        with torch.no_grad():
            outputs = model(**inputs, output_attentions=True, output_hidden_states=True)
        assert same(weights, outputs.attentions)
        assert told["model"] == "random-encoder" and told["tokens"][2] == "cat"
        head = told["layers"][1]["heads"][2]
        assert (head["query"] is None) == rotated, "queries that don't give the weights are left out"
        assert head["value"] is not None
        output = numpy.array(told["layers"][2]["output"], dtype="f4")
        assert numpy.abs(output - outputs.hidden_states[3][0].numpy()).max() < 1e-5


def check_sites(folder):
    model, path = EncoderDecoder().eval(), f"{folder}/t5.safetensors"
    inputs = {"input_ids": torch.tensor([[5, 6, 7, 1]]),
              "decoder_input_ids": torch.tensor([[0, 8, 9]])}
    headlight.record(model, inputs, path, encoder_tokens=["a", "b", "c", "</s>"],
                     decoder_tokens=["<pad>", "d", "e"])
    with torch.no_grad():
        outputs = model(**inputs, output_attentions=True, output_hidden_states=True)
    for site in headlight.SITES:
        told, weights = recorded(path, "--site", site)
        assert told["site"] == site and same(weights, getattr(outputs, f"{site}_attentions"))
        assert told["layers"][0]["heads"][0]["key"] is not None, site


def check_pages(folder):
    weights = [torch.rand(1, 2, 3, 3).softmax(-1) for _ in range(2)]
    tokens = ["a", "</script><b>", "c"]
    kinds = [weights, [one.numpy() for one in weights], [one.tolist() for one in weights]]
    pages = [headlight.page(kind, tokens, model="mine") for kind in kinds]
    assert len({page.html for page in pages}) == 1, "all kinds of tensors give one page"
    page = json.loads(re.search(r'id="headlight">(.*?)</script>', pages[0].html, re.S)[1])
    data = page["shown"][0]["sites"][0]
    assert data["tokens"] == tokens and data["layers"] == 2 and data["heads"] == 2
    assert "<b>" not in pages[0].html.replace(json.dumps(tokens), "")
    cross = headlight.page(cross_attentions=[torch.rand(2, 2, 3).softmax(-1)],
                           encoder_tokens=["a", "b", "c"], decoder_tokens=["d", "e"])
    assert '"d"' in cross.html and "<iframe srcdoc=" in cross._repr_html_()
    shown = headlight.show("the cat sat", options=["--no-config"])
    assert '"cat"' in shown.html and shown.save(f"{folder}/shown.html")
    for wrong, said in ((lambda: headlight.show("x", model=f"{folder}/none"), "none"),
                        (lambda: headlight.show("cat " * 1500000), "longer than a command line"),
                        (lambda: headlight.show("x", "a \ud800"), "U+D800 at index 2"),
                        (lambda: headlight.show("\0"), "U+0000 at index 0"),
                        (lambda: headlight.page(weights, ["a"]), "expected one item for each of 3")):
        try:
            wrong()
            raise AssertionError("nothing was refused")
        except RuntimeError as error:
            assert said in str(error), error


def check_examples(folder):
    """The Python of recordings.md, with small models under the names that it loads."""
    stand_in = types.ModuleType("transformers")
    one = types.SimpleNamespace
    stand_in.AutoTokenizer = one(from_pretrained=lambda name: Tokenizer())
    stand_in.AutoModel = one(from_pretrained=lambda name, **how: Encoder(2).eval())
    stand_in.AutoModelForSeq2SeqLM = one(
        from_pretrained=lambda name, **how: EncoderDecoder().eval())
    stand_in.AutoModelForCausalLM = one(from_pretrained=lambda name, **how: one(
        generate=lambda input_ids, **how: Generator().generate([2, 5, 3], 6, how["num_beams"])[0]))
    sys.modules["transformers"] = stand_in
    own = types.ModuleType("safetensors.numpy")
    own.save_file = lambda tensors, path, metadata: headlight.save(path, tensors, **metadata)
    sys.modules.update({"safetensors": types.ModuleType("safetensors"), "safetensors.numpy": own})
    text = (ROOT / "assets" / "docs" / "recordings.md").read_text(encoding="utf-8")
    examples = re.findall(r"```python\n(.*?)```", text, re.S)
    assert len(examples) >= 5
    os.chdir(folder)
    for example in examples:
        with contextlib.redirect_stdout(io.StringIO()):
            exec(compile(example, "recordings.md", "exec"), {})
    for path in sorted(pathlib.Path(folder).glob("*.safetensors")):
        recorded(str(path))


with tempfile.TemporaryDirectory() as temporary:
    for check in (check_encoder, check_sites, check_pages, check_examples):
        check(temporary)
        print(f"{check.__name__}: as it should be")
