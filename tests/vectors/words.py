#!/usr/bin/env python3
"""Writes what the models say of the recorded cases, with NumPy, in double precision, from the
weights alone: words.json (logit lens, next sentence, effects of switching each head off) and
cosines.json beside the cases of the tiny and of the built-in model; and of the built-in model the
traces, too.

    python3 tests/vectors/words.py       from the project's folder, after other weights; then maps.py
"""
import numpy as np

from encoder import BUILT_IN, TINY, Encoder, heads_of, read_json, write_list, write_tensors

BEST = 10
APART = 9e-4  # log-probabilities of one list, so that single precision leaves its pieces in order


def log_softmax(x):
    x = x - x.max()
    return x - np.log(np.exp(x).sum())


def rounded(numbers, digits=6):
    return [round(float(number), digits) for number in numbers]


# ---- words.json ----


def cell(logprobs, id, where):
    order = np.argsort(-logprobs)
    best = logprobs[order[:BEST]]
    if np.diff(-best).min() < APART:
        raise SystemExit("%s: two of its best pieces are within %g; choose another token"
                         % (where, APART))
    nats = -(np.exp(logprobs) * logprobs).sum()
    return {"ids": order[:BEST].tolist(), "logprobs": rounded(best),
            "entropy": round(nats / np.log(2), 6), "logprob": round(logprobs[id], 6),
            "rank": int((logprobs > logprobs[id]).sum()) + 1}


def lens(model, name, trace, tokens):
    return {"tokens": tokens,
            "layers": [[cell(log_softmax(model.words(x[t])), trace["ids"][t],
                             "%s, token %d after layer %d" % (name, t, layer)) for t in tokens]
                       for layer, x in enumerate(model.hidden(trace)[1:])]}


def effects(model, case, off, trace, token, id):
    last = "layer.%d.output" % (model.layers - 1)
    logprobs = log_softmax(model.words(trace[last][token]))

    def change(head):
        if head in off:
            return 0.0
        x = model.run(case["ids"], case["segments"], off + [head])[last][token]
        return log_softmax(model.words(x))[id] - logprobs[id]

    return {"token": token, "id": id, "logprob": round(logprobs[id], 6),
            "change": [rounded(change((l, head)) for head in range(model.heads))
                       for l in range(model.layers)]}


def words_of(model, cases, name, off, answer, tokens):
    """`answer`: the token and the piece whose effects are measured."""
    case, heads = cases[name], heads_of(off)
    trace = model.run(case["ids"], case["segments"], heads)
    follows = np.exp(log_softmax(trace["nsp_logits"]))[0]
    return {"case": name, "off": off, "follows": round(follows, 8),
            "effects": effects(model, case, heads, trace, *answer),
            "lens": lens(model, name, trace, tokens)}


# ---- cosines.json ----


def cosine(a, b):
    return round(a @ b / np.linalg.norm(a) / np.linalg.norm(b), 8)


def cosines_of(model, cases, *words):
    """Of two words, each a case and its pieces [first, behind the last]."""
    traces = [model.run(cases[name]["ids"], cases[name]["segments"]) for name, _ in words]
    a, b = ([x[slice(*pieces)].mean(0) for x in model.hidden(trace)]
            for trace, (_, pieces) in zip(traces, words))
    last = min(4, model.layers)
    return {"a": {"case": words[0][0], "pieces": words[0][1]},
            "b": {"case": words[1][0], "pieces": words[1][1]},
            "at": [cosine(*pair) for pair in zip(a, b)], "last": cosine(a[-1], b[-1]),
            "sum": cosine(sum(a[-last:]), sum(b[-last:])),
            "concatenation": cosine(np.concatenate(a[-last:]), np.concatenate(b[-last:]))}


# ---- What is written ----


def write(folder, model_folder, words, cosines):
    model, cases = Encoder(model_folder), read_json(folder + "/cases.json")
    write_list(folder + "/words.json", [words_of(model, cases, *it) for it in words])
    write_list(folder + "/cosines.json", [cosines_of(model, cases, *it) for it in cosines])


def write_traces(folder, model_folder):
    model = Encoder(model_folder)
    for name, case in read_json(folder + "/cases.json").items():
        trace = model.run(case["ids"], case["segments"])
        if "[MASK]" in case["tokens"]:
            trace["mlm_logits"] = model.words(model.hidden(trace)[-1])
        write_tensors("%s/%s.safetensors" % (folder, name), trace)


if __name__ == "__main__":
    write(TINY, TINY,
          [("pair", [], (2, 80), [0, 2, 8, 12]), ("masked", [], (2, 86), [2, 5]),
           ("pair", ["0.1", "2.3"], (8, 79), [3])],
          [(("pair", [2, 3]), ("pair", [8, 9])), (("single", [2, 3]), ("pair", [8, 9])),
           (("pair", [0, 1]), ("single", [0, 1])), (("pieces", [2, 4]), ("pieces", [4, 9])),
           (("pieces", [4, 9]), ("single", [1, 2]))])
    write(*BUILT_IN,
          [("pair", [], (8, 11237), [0, 3, 5, 6]), ("masked", [], (2, 2580), [2, 6])],
          [(("pair", [2, 3]), ("pair", [8, 9])), (("pair", [3, 4]), ("pair", [9, 10]))])
    write_traces(*BUILT_IN)
