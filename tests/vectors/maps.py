#!/usr/bin/env python3
"""Writes maps.json beside the recorded cases of the tiny and of the built-in model: maps by their
formulas (include/headlight/lens/map.h), with NumPy, in double precision, from the weights alone.

    python3 tests/vectors/maps.py        from the project's folder

A number of rows [layer, head, from, numbers] of each map, and where all of it is computed the sum of
each layer's numbers."""
import numpy as np

from encoder import BUILT_IN, TINY, Encoder, heads_of, read_json, softmax, write_list

# ---- Maps: [L][heads or 1,T,T] ----


def norms(model, trace, off):
    maps = []
    for l in range(model.layers):
        weights, v = (trace["layer.%d.%s" % (l, it)] for it in ("weights", "value"))
        name = "bert.encoder.layer.%d.attention.output.dense.weight" % l
        projection = model.split(model.tensors[name])
        added = np.einsum("htd,hod->hto", v, projection)
        maps.append(np.linalg.norm(weights[..., None] * added[:, None], axis=-1))
        for head in range(model.heads):
            if (l, head) in off:
                maps[-1][head] = 0
    return maps


def connections(weights):
    return (weights.mean(0) + np.eye(weights.shape[-1])) / 2


def rollout(weights):
    maps = [connections(weights[0])]
    for it in weights[1:]:
        maps.append(connections(it) @ maps[-1])
    return [it[None] for it in maps]


def similarity(hidden):
    unit = [x / np.linalg.norm(x, axis=-1, keepdims=True) for x in hidden[1:]]
    return [(x @ x.T)[None] for x in unit]


def plain(hidden):
    return [softmax(x @ x.T / np.sqrt(x.shape[-1]))[None] for x in hidden[:-1]]


# ---- What is written ----


def rounded(numbers):
    return [float("%.9g" % number) for number in numbers]


def some_of(maps):
    rows = []
    for l, it in enumerate(maps):
        heads, tokens = it.shape[:2]
        head, token = (3 * l + 1) % heads, (5 * l + 2) % tokens
        rows.append([l, head, token, rounded(it[head, token])])
    return {"rows": rows, "sums": rounded(it.sum() for it in maps)}


def maps_of(model, case, off):
    heads = heads_of(off)
    unchanged, trace = (model.run(case["ids"], case["segments"], it) for it in ([], heads))
    weights, before = (
        [it["layer.%d.weights" % l] for l in range(model.layers)] for it in (trace, unchanged))
    hidden = model.hidden(trace)
    return {
        "norms": some_of(norms(model, trace, heads)),
        "rollout": some_of(rollout(weights)),
        "similarity": some_of(similarity(hidden)),
        "plain": some_of(plain(hidden)),
        "difference": some_of([a - b for a, b in zip(weights, before)]),
    }


def write(folder, model_folder, wanted):
    model = Encoder(model_folder)
    cases = read_json(folder + "/cases.json")
    write_list(folder + "/maps.json",
               [{"case": case, "off": off, "maps": maps_of(model, cases[case], off)}
                for case, off in wanted])


if __name__ == "__main__":
    write(TINY, TINY, [("pair", []), ("pieces", ["0.2", "1.0", "2.1"])])
    write(*BUILT_IN, [("pair", []), ("masked", ["0.1", "3.4"])])
