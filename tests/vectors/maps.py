#!/usr/bin/env python3
"""Writes maps.json beside the recorded cases of the tiny and of the built-in model: maps by their
formulas (include/headlight/lens/map.h), with NumPy, in double precision, from the weights alone.

    python3 tests/vectors/maps.py        from the project's folder

A number of rows [layer, head, from, numbers] of each map, and where all of it is computed the sum of
each layer's numbers. Flow is found by Edmonds' and Karp's algorithm on a matrix of capacities."""
import collections
import json
import math
import struct

import numpy as np

TYPES = {"F16": np.float16, "F32": np.float32, "I64": np.int64}


def read_tensors(path):
    with open(path, "rb") as file:
        data = file.read()
    begin = 8 + struct.unpack("<Q", data[:8])[0]
    header = json.loads(data[8:begin])
    header.pop("__metadata__", None)
    return {
        name: np.frombuffer(
            data[begin + it["data_offsets"][0] : begin + it["data_offsets"][1]], TYPES[it["dtype"]]
        ).reshape(it["shape"]).astype(np.float64)
        for name, it in header.items()
    }


# ---- The encoder ----

erf = np.vectorize(math.erf)


def softmax(x):
    x = np.exp(x - x.max(-1, keepdims=True))
    return x / x.sum(-1, keepdims=True)


class Encoder:
    def __init__(self, folder):
        with open(folder + "/config.json") as file:
            self.config = json.load(file)
        self.tensors = read_tensors(folder + "/model.safetensors")
        self.layers = self.config["num_hidden_layers"]
        self.heads = self.config["num_attention_heads"]

    def get(self, name):
        return self.tensors["bert." + name]

    def linear(self, x, name):
        return x @ self.get(name + ".weight").T + self.get(name + ".bias")

    def norm(self, x, name):
        x = x - x.mean(-1, keepdims=True)
        x = x / np.sqrt((x * x).mean(-1, keepdims=True) + self.config["layer_norm_eps"])
        return x * self.get(name + ".weight") + self.get(name + ".bias")

    def split(self, x):
        return x.reshape(len(x), self.heads, -1).transpose(1, 0, 2)

    def run(self, ids, segments, off):
        x = sum(
            self.get("embeddings.%s_embeddings.weight" % name)[rows]
            for name, rows in (
                ("word", ids), ("token_type", segments), ("position", range(len(ids))))
        )
        x = self.norm(x, "embeddings.LayerNorm")
        return [x] + [x := self.layer(l, x, off) for l in range(self.layers)]

    def attention(self, l, x):
        name = "encoder.layer.%d.attention.self." % l
        q, k, v = (self.split(self.linear(x, name + it)) for it in ("query", "key", "value"))
        return softmax(q @ k.transpose(0, 2, 1) / np.sqrt(q.shape[-1])), v

    def layer(self, l, x, off):
        name = "encoder.layer.%d." % l
        weights, v = self.attention(l, x)
        context = weights @ v
        for head in range(self.heads):
            if (l, head) in off:
                context[head] = 0
        context = context.transpose(1, 0, 2).reshape(x.shape)
        x = self.norm(x + self.linear(context, name + "attention.output.dense"),
                      name + "attention.output.LayerNorm")
        y = self.linear(x, name + "intermediate.dense")
        y = y * (1 + erf(y / math.sqrt(2))) / 2
        return self.norm(x + self.linear(y, name + "output.dense"), name + "output.LayerNorm")


# ---- Maps: [L][heads or 1,T,T] ----


def norms(model, hidden, off):
    maps = []
    for l in range(model.layers):
        weights, v = model.attention(l, hidden[l])
        projection = model.split(model.get("encoder.layer.%d.attention.output.dense.weight" % l))
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


def find_path(rest, source, sink):
    before = {source: None}
    queue = collections.deque([source])
    while queue and sink not in before:
        node = queue.popleft()
        for to in np.flatnonzero(rest[node] > 1e-15):
            if int(to) not in before:
                before[int(to)] = node
                queue.append(int(to))
    path = [sink] if sink in before else []
    while path and before[path[-1]] is not None:
        path.append(before[path[-1]])
    return path[::-1]


def maximum_flow(capacities, source, sink):
    rest, flow = capacities.copy(), 0
    while path := find_path(rest, source, sink):
        least = min(rest[a, b] for a, b in zip(path, path[1:]))
        for a, b in zip(path, path[1:]):
            rest[a, b] -= least
            rest[b, a] += least
        flow += least
    return flow


def flow_row(weights, layer, token):
    tokens = weights[0].shape[-1]
    capacities = np.zeros(((layer + 2) * tokens,) * 2)
    for l in range(layer + 1):
        capacities[(l + 1) * tokens : (l + 2) * tokens, l * tokens : (l + 1) * tokens] = (
            connections(weights[l]))
    source = (layer + 1) * tokens + token
    return [maximum_flow(capacities, source, to) for to in range(tokens)]


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


def some_flows(weights):
    last, tokens = len(weights) - 1, weights[0].shape[-1]
    wanted = [(0, 1), (last // 2, tokens // 2), (last, 0), (last, tokens - 2)]
    return {"rows": [[l, 0, t, rounded(flow_row(weights, l, t))] for l, t in wanted]}


def maps_of(model, case, off):
    heads = [tuple(int(part) for part in it.split(".")) for it in off]
    with_all, hidden = (model.run(case["ids"], case["segments"], it) for it in ([], heads))
    weights, unchanged = (
        [model.attention(l, it[l])[0] for l in range(model.layers)] for it in (hidden, with_all))
    return {
        "norms": some_of(norms(model, hidden, heads)),
        "rollout": some_of(rollout(weights)),
        "flow": some_flows(weights),
        "similarity": some_of(similarity(hidden)),
        "plain": some_of(plain(hidden)),
        "difference": some_of([a - b for a, b in zip(weights, unchanged)]),
    }


def write(folder, model_folder, wanted):
    model = Encoder(model_folder)
    with open(folder + "/cases.json") as file:
        cases = json.load(file)
    found = [{"case": case, "off": off, "maps": maps_of(model, cases[case], off)}
             for case, off in wanted]
    with open(folder + "/maps.json", "w") as file:
        lines = [json.dumps(it, separators=(",", ":")) for it in found]
        file.write("[\n" + ",\n".join(lines) + "\n]\n")


if __name__ == "__main__":
    tiny, built_in = "tests/vectors/tiny-bert", "tests/vectors/built-in"
    write(tiny, tiny, [("pair", []), ("pieces", ["0.2", "1.0", "2.1"])])
    write(built_in, "assets/model", [("pair", []), ("masked", ["0.1", "3.4"])])
