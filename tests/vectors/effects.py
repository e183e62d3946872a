#!/usr/bin/env python3
"""Writes what answers depend on, with NumPy, in double precision, from the weights alone: of recorded
cases effects.json, how an answer changes without each head and without each word.

    python3 tests/vectors/effects.py       from the project's folder
"""
import numpy as np

from encoder import TINY, Encoder, read_json, read_tensors, write_list
from words import log_softmax, rounded

HEADS = "tests/vectors/heads/"
MASK, CLS = 4, 2


class Text:
    """What is read: tokens by their places in the whole text, of which some are gone."""

    def __init__(self, case, gone=(), masked=()):
        tokens = case["tokens"]
        second = tokens.index("[SEP]") + 1
        self.left = [t for t in range(len(tokens)) if t not in gone]
        self.ids = [MASK if t in masked else case["ids"][t] for t in self.left]
        self.segments = [case["segments"][t] for t in self.left]
        self.asked = [t == 0 or (t >= second and tokens[t] != "[SEP]") for t in self.left]

    def place(self, token):
        return self.left.index(token)


def pooled(model, x):
    return np.tanh(model.linear(x[0], "bert.pooler.dense"))


def log_sigmoid(x):
    return -np.log1p(np.exp(-x))


def span(model, text, x, on):
    logits = model.linear(x, "qa_outputs")
    logits[~np.array(text.asked)] = -np.inf
    start, end = log_softmax(logits[:, 0]), log_softmax(logits[:, 1])
    return start[text.place(on["token"])] + end[text.place(on["end"] - 1)]


ANSWERS = {
    "words": lambda model, text, x, on:
        log_softmax(model.words(x[text.place(on["token"])]))[on["id"]],
    "classes": lambda model, text, x, on:
        log_softmax(model.linear(pooled(model, x), "classifier"))[on["id"]],
    "several": lambda model, text, x, on:
        log_sigmoid(model.linear(pooled(model, x), "classifier")[on["id"]]),
    "score": lambda model, text, x, on:
        model.linear(pooled(model, x), "classifier")[on["id"]],
    "tags": lambda model, text, x, on:
        log_softmax(model.linear(x[text.place(on["token"])], "classifier"))[on["id"]],
    "span": span,
}


def words_in(tokens):
    """Their pieces [first, end)."""
    words = []
    for t, token in enumerate(tokens):
        if token.startswith("##"):
            words[-1][1] = t + 1
        elif token not in ("[CLS]", "[SEP]"):
            words.append([t, t + 1])
    return words


def find_span(model, case, words):
    """Words of the second text as a span of tokens, and its place among all of at most 15."""
    second = case["tokens"].index("[SEP]") + 1
    context = range(second, len(case["tokens"]) - 1)
    begin = case["b"].index(words)
    first, = (t for t in context if case["offsets"][t][0] == begin)
    last, = (t for t in context if case["offsets"][t][1] == begin + len(words))
    x = model.run(case["ids"], case["segments"])["layer.%d.output" % (model.layers - 1)]
    start, end = model.linear(x, "qa_outputs").T
    better = sum(start[i] + end[j] > start[first] + end[last]
                 for i in context for j in context if i <= j < i + 15)
    return {"token": first, "end": last + 1, "id": 0, "answer": words, "rank": int(better) + 1}


def effects_of(folder, name, kind, on, paired):
    model = Encoder(folder)
    cases = read_json(folder + "/cases.json")
    case = cases.get("cases", cases)[name]
    if isinstance(on, str):
        on = find_span(model, case, on)
    answer, last = ANSWERS[kind], "layer.%d.output" % (model.layers - 1)

    def ask(text, off=(), hidden=()):
        return answer(model, text, model.run(text.ids, text.segments, off, hidden)[last], on)

    def without(way, *words):
        out = [t for word in words for t in range(*word)]
        if way == "hidden":
            return ask(Text(case), hidden=out) - logprob
        if way == "masked":
            return ask(Text(case, masked=out)) - logprob
        stands = {"words": [on.get("token")], "tags": [on.get("token")],
                  "span": [on.get("token"), on.get("end", 0) - 1]}.get(kind, [])
        return None if set(out) & set(stands) else ask(Text(case, gone=out)) - logprob

    logprob = ask(Text(case))
    return {"folder": folder, "case": name, "kind": kind, "on": on} | all_of(
        model, words_in(case["tokens"]), paired, logprob, lambda off: ask(Text(case), off), without)


def all_of(model, words, paired, logprob, without_head, without):
    def pair(way, word):
        both, one, other = (without(way, *it) for it in
                            ((word, words[paired]), (word,), (words[paired],)))
        return None if word == words[paired] or None in (both, one, other) else both - one - other

    round_all = lambda numbers: [None if it is None else round(float(it), 6) for it in numbers]
    return {"paired": words[paired][0], "logprob": round(float(logprob), 6),
            "heads": [rounded(without_head([(l, head)]) - logprob for head in range(model.heads))
                      for l in range(model.layers)],
            "words": words,
            "without": {way: {"change": round_all(without(way, word) for word in words),
                              "pair": round_all(pair(way, word) for word in words)}
                        for way in ("hidden", "masked", "removed")}}


# ---- Two sentences, each by itself ----


def concatenated(folder, x):
    return read_tensors(folder + "/2_Dense/model.safetensors")["linear.weight"] @ np.concatenate(
        [x[0], x.max(0), x.mean(0)])


VECTORS = {
    "st-bert-mean": lambda folder, x: x.mean(0),
    "st-bert-concat": concatenated,
    "st-bert-weighted": lambda folder, x: np.average(x, 0, np.arange(len(x)) + 1),
}


def alike_of(name, a, b, paired):
    """The effects on the cosine of two texts, given in pieces; words by their places in the pair."""
    folder = HEADS + name
    model = Encoder(folder)
    model.tensors = {"bert." + name: it for name, it in model.tensors.items()}
    vocabulary = read_json(folder + "/tokenizer.json")["model"]["vocab"]
    texts = [["[CLS]", *text.split(), "[SEP]"] for text in (a, b)]
    begins = [0, len(texts[0]) - 1]  # the second one's [CLS] is not in the pair
    last = "layer.%d.output" % (model.layers - 1)

    def vector(side, off=(), hidden=(), masked=(), gone=()):
        left = [t for t in range(len(texts[side])) if t not in gone]
        ids = [MASK if t in masked else vocabulary[texts[side][t]] for t in left]
        trace = model.run(ids, [0] * len(ids), off, hidden)
        return VECTORS[name](folder, trace[last])

    def cosine(changes):
        u, v = (vector(side, **changes[side]) for side in range(2))
        return u @ v / np.linalg.norm(u) / np.linalg.norm(v)

    def without(way, *taken):
        out = [t for word in taken for t in range(*word)]
        key = {"hidden": "hidden", "masked": "masked", "removed": "gone"}[way]
        own = [[t for t in out if t < len(texts[0])],
               [t - begins[1] for t in out if t >= len(texts[0])]]
        return cosine([{key: of} for of in own]) - whole

    words = [[t + begins[side] for t in word] for side in range(2)
             for word in words_in(texts[side])]
    whole, plain = cosine([{}, {}]), lambda text: text.replace(" ##", "")
    return {"folder": folder, "a": plain(a), "b": plain(b), "kind": "similarity",
            "on": {"id": 0}} | all_of(model, words, paired, whole,
                                      lambda off: cosine([{"off": off}] * 2), without)


if __name__ == "__main__":
    write_list("tests/vectors/effects.json", [
        effects_of(TINY, "masked", "words", {"token": 2, "id": 86}, 3),
        effects_of(TINY, "pieces", "words", {"token": 10, "id": 77}, 1),
        effects_of(HEADS + "seq-bert", "pair", "classes", {"id": 0}, 2),
        effects_of(HEADS + "seq-bert-multilabel", "second", "several", {"id": 2}, 1),
        effects_of(HEADS + "seq-bert-regression", "single", "score", {"id": 0}, 4),
        effects_of(HEADS + "ner-bert", "plain", "tags", {"token": 3, "id": 4}, 0),
        effects_of(HEADS + "qa-bert", "happy", "span", "Z\u00fcrich was happy", 1),
        effects_of(HEADS + "qa-bert", "cat", "span", "dog bites", 1),
        alike_of("st-bert-mean", "time flies like an arrow", "the old dog bites", 1),
        alike_of("st-bert-concat", "the na ##ive dog bites", "fruit flies", 5),
        alike_of("st-bert-weighted", "fruit flies", "the na ##ive dog bites", 4)])
