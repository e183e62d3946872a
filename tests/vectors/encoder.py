"""A BERT in NumPy, in double precision, from the weights alone: what the numbers beside it are
computed with, so that headlight's are compared with another program's."""
import json
import math

import numpy as np

TINY = "tests/vectors/tiny-bert"
BUILT_IN = ("tests/vectors/built-in", "assets/model")  # the vectors, the weights

TYPES = {"F16": np.float16, "F32": np.float32, "I64": np.int64}

erf = np.vectorize(math.erf)


def gelu(x):
    return x * (1 + erf(x / math.sqrt(2))) / 2


def softmax(x):
    x = np.exp(x - x.max(-1, keepdims=True))
    return x / x.sum(-1, keepdims=True)


def heads_of(names):
    """"3.4" -> (3, 4)"""
    return [tuple(int(part) for part in name.split(".")) for name in names]


class Encoder:
    def __init__(self, folder):
        self.config = read_json(folder + "/config.json")
        self.tensors = read_tensors(folder + "/model.safetensors")
        self.layers = self.config["num_hidden_layers"]
        self.heads = self.config["num_attention_heads"]

    def linear(self, x, name):
        return x @ self.tensors[name + ".weight"].T + self.tensors[name + ".bias"]

    def norm(self, x, name):
        x = x - x.mean(-1, keepdims=True)
        x = x / np.sqrt((x * x).mean(-1, keepdims=True) + self.config["layer_norm_eps"])
        return x * self.tensors[name + ".weight"] + self.tensors[name + ".bias"]

    def split(self, x):
        """[rows, H] -> [A, rows, D]"""
        return x.reshape(len(x), self.heads, -1).transpose(1, 0, 2)

    def run(self, ids, segments, off=(), hidden=()):
        """All that a trace holds, by its names there (include/headlight/model/trace.h), without
        those heads and with those tokens hidden from all."""
        x = sum(
            self.tensors["bert.embeddings.%s_embeddings.weight" % name][rows]
            for name, rows in (
                ("word", ids), ("token_type", segments), ("position", range(len(ids))))
        )
        x = self.norm(x, "bert.embeddings.LayerNorm")
        trace = {"ids": np.array(ids), "segments": np.array(segments), "embedding": x}
        for l in range(self.layers):
            layer = self.layer(l, x, [head for of, head in off if of == l], list(hidden))
            trace.update(("layer.%d.%s" % (l, name), it) for name, it in layer.items())
            x = layer["output"]
        if "cls.seq_relationship.weight" not in self.tensors:
            return trace
        pooled = np.tanh(self.linear(x[0], "bert.pooler.dense"))
        return trace | {"nsp_logits": self.linear(pooled, "cls.seq_relationship")}

    def layer(self, l, x, off, hidden):
        name = "bert.encoder.layer.%d." % l
        q, k, v = (self.split(self.linear(x, name + "attention.self." + it))
                   for it in ("query", "key", "value"))
        scores = q @ k.transpose(0, 2, 1) / np.sqrt(q.shape[-1])
        scores[:, :, hidden] = -np.inf
        weights = softmax(scores)
        context = weights @ v
        context[off] = 0
        context = context.transpose(1, 0, 2).reshape(x.shape)
        joined = self.norm(x + self.linear(context, name + "attention.output.dense"),
                           name + "attention.output.LayerNorm")
        inner = gelu(self.linear(joined, name + "intermediate.dense"))
        output = self.norm(joined + self.linear(inner, name + "output.dense"),
                           name + "output.LayerNorm")
        return {"input": x, "query": q, "key": k, "value": v, "scores": scores, "weights": weights,
                "context": context, "attention_output": joined, "output": output}

    def hidden(self, trace):
        """The embedding and each layer's output."""
        return [trace["embedding"]] + [trace["layer.%d.output" % l] for l in range(self.layers)]

    def words(self, x):
        """Logits of the vocabulary's pieces."""
        x = self.norm(gelu(self.linear(x, "cls.predictions.transform.dense")),
                      "cls.predictions.transform.LayerNorm")
        return (x @ self.tensors["bert.embeddings.word_embeddings.weight"].T
                + self.tensors["cls.predictions.bias"])


# ---- Files ----


def read_json(path):
    with open(path) as file:
        return json.load(file)


def lines_of(it):
    """JSON in which a list of lists or of objects has a line for each."""
    if isinstance(it, dict):
        return "{" + ",".join(json.dumps(name) + ":" + lines_of(it[name]) for name in it) + "}"
    if it and isinstance(it, list) and all(isinstance(each, (dict, list)) for each in it):
        return "[\n" + ",\n".join(map(lines_of, it)) + "]"
    return json.dumps(it, separators=(",", ":"))


def write_list(path, items):
    with open(path, "w") as file:
        file.write(lines_of(items) + "\n")


def read_tensors(path):
    with open(path, "rb") as file:
        data = file.read()
    begin = 8 + int.from_bytes(data[:8], "little")
    header = json.loads(data[8:begin])
    header.pop("__metadata__", None)
    return {
        name: np.frombuffer(
            data[begin + it["data_offsets"][0] : begin + it["data_offsets"][1]], TYPES[it["dtype"]]
        ).reshape(it["shape"]).astype(np.float64)
        for name, it in header.items()
    }


def write_tensors(path, tensors):
    """Whole numbers as I64, all others as F32."""
    header, blobs, end = {}, [], 0
    for name, it in tensors.items():
        dtype = "I64" if it.dtype.kind == "i" else "F32"
        blobs.append(it.astype(TYPES[dtype]).tobytes())
        header[name] = {"dtype": dtype, "shape": list(it.shape),
                        "data_offsets": [end, end := end + len(blobs[-1])]}
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    with open(path, "wb") as file:
        file.writelines([len(text).to_bytes(8, "little"), text, *blobs])
