#!/usr/bin/env python3
"""Writes with PyTorch, in double precision, what a checkpoint with several heads says: the tiny one
with the classifier of seq-bert and the two rows of qa-bert. The tests put its file together.

    python3 tests/vectors/several.py       from the project's folder
"""
import torch
import torch.nn.functional as F

from encoder import TINY, read_json, read_tensors, write_tensors

HEADS = "tests/vectors/heads/"


def load():
    tensors = read_tensors(TINY + "/model.safetensors")
    for folder, head in (("seq-bert", "classifier"), ("qa-bert", "qa_outputs")):
        of = read_tensors(HEADS + folder + "/model.safetensors")
        tensors |= {name: it for name, it in of.items() if name.startswith(head)}
    return {name: torch.tensor(it) for name, it in tensors.items()}


class Model:
    def __init__(self):
        self.config, self.tensors = read_json(TINY + "/config.json"), load()

    def linear(self, x, name):
        return F.linear(x, self.tensors[name + ".weight"], self.tensors[name + ".bias"])

    def norm(self, x, name):
        return F.layer_norm(x, x.shape[-1:], self.tensors[name + ".weight"],
                            self.tensors[name + ".bias"], self.config["layer_norm_eps"])

    def rows(self, name, ids):
        return F.embedding(torch.tensor(ids), self.tensors["bert.embeddings.%s_embeddings.weight"
                                                           % name])

    def encode(self, ids, segments):
        x = self.norm(self.rows("word", ids) + self.rows("token_type", segments)
                      + self.rows("position", range(len(ids))), "bert.embeddings.LayerNorm")
        for l in range(self.config["num_hidden_layers"]):
            name = "bert.encoder.layer.%d." % l
            q, k, v = (self.linear(x, name + "attention.self." + it).unflatten(
                1, (self.config["num_attention_heads"], -1)).transpose(0, 1)
                for it in ("query", "key", "value"))
            weights = F.softmax(q @ k.transpose(1, 2) / q.shape[-1] ** 0.5, -1)
            context = (weights @ v).transpose(0, 1).flatten(1)
            x = self.norm(x + self.linear(context, name + "attention.output.dense"),
                          name + "attention.output.LayerNorm")
            inner = F.gelu(self.linear(x, name + "intermediate.dense"))
            x = self.norm(x + self.linear(inner, name + "output.dense"), name + "output.LayerNorm")
        return x

    def say(self, x):
        pooled = torch.tanh(self.linear(x[0], "bert.pooler.dense"))
        words = self.norm(F.gelu(self.linear(x, "cls.predictions.transform.dense")),
                          "cls.predictions.transform.LayerNorm")
        start, end = self.linear(x, "qa_outputs").T
        return {"logits": self.linear(pooled, "classifier"), "start_logits": start,
                "end_logits": end, "nsp_logits": self.linear(pooled, "cls.seq_relationship"),
                "mlm_logits": F.linear(words,
                                       self.tensors["bert.embeddings.word_embeddings.weight"],
                                       self.tensors["cls.predictions.bias"])}


if __name__ == "__main__":
    model, case = Model(), read_json(TINY + "/cases.json")["pair"]
    said = model.say(model.encode(case["ids"], case["segments"]))
    write_tensors(HEADS + "several/pair.safetensors",
                  {name: it.numpy() for name, it in said.items()})
