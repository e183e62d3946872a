#!/usr/bin/env python3
"""Writes what the built-in model of dates makes of some texts, with NumPy, in double precision, from the weights alone,
by the equations of BART: tests/vectors/dates has the cases with their ids, what is generated, and its log-probabilities,
and the trace of each; links.json, how many links of each head of cross-attention are those of pairs.jsonl, the first
that `dates.py pairs` makes.

    python3 tests/vectors/decoder.py     from the project's folder, after other weights
"""
import json
import math
import sys

import numpy as np

from encoder import gelu, lines_of, read_json, read_tensors, softmax, write_tensors

VECTORS, WEIGHTS = "tests/vectors/dates", "assets/model/dates"
EPSILON = 1e-5  # it is in no configuration of BART

# The texts, in the pieces that the tokenizer makes of them. The last has a target of its own.
CASES = {
    "words": ("the third of May 2009", "the third of may 2009", None),
    "numbers": ("3.5.09", "3 . 5 . 09", None),
    "long": ("On Sunday, May 3rd, ’09", "on sunday , may 3 ##rd , ' 09", None),
    "given": ("31 December 1999", "31 december 1999", "2000-01-01"),
}


class Bart:
    def __init__(self, folder):
        self.config = read_json(folder + "/config.json")
        self.tensors = read_tensors(folder + "/model.safetensors")
        self.pieces = read_json(folder + "/tokenizer.json")["model"]["vocab"]

    def linear(self, x, name):
        return x @ self.tensors[name + ".weight"].T + self.tensors[name + ".bias"]

    def norm(self, x, name):
        x = x - x.mean(-1, keepdims=True)
        x = x / np.sqrt((x * x).mean(-1, keepdims=True) + EPSILON)
        return x * self.tensors[name + ".weight"] + self.tensors[name + ".bias"]

    def attend(self, trace, name, x, seen, weights, heads, causal):
        """x [T,H] asks, seen [S,H] is looked at."""
        def split(x, part):
            x = self.linear(x, weights + part)
            return x.reshape(len(x), heads, -1).transpose(1, 0, 2)
        q, k, v = split(x, ".q_proj"), split(seen, ".k_proj"), split(seen, ".v_proj")
        scores = q @ k.transpose(0, 2, 1) / math.sqrt(q.shape[-1])
        if causal:
            scores += np.triu(np.full(scores.shape[1:], -np.inf), 1)
        shares = softmax(scores)
        context = (shares @ v).transpose(1, 0, 2).reshape(x.shape)
        trace.update({name + "query": q, name + "key": k, name + "value": v, name + "scores": scores,
                      name + "weights": shares, name + "context": context})
        joined = self.norm(x + self.linear(context, weights + ".out_proj"), weights + "_layer_norm")
        trace[name + "attention_output"] = joined
        return joined

    def stack(self, trace, stack, ids, memory=None):
        """memory [S,H]: what the encoder made, in a decoder."""
        name, heads = "model.%s." % stack, self.config[stack + "_attention_heads"]
        x = self.tensors["model.shared.weight"][ids]
        x = x + self.tensors[name + "embed_positions.weight"][2:2 + len(ids)]
        x = trace[stack + ".embedding"] = self.norm(x, name + "layernorm_embedding")
        for l in range(self.config[stack + "_layers"]):
            layer, here = "%slayers.%d." % (name, l), "%s.layer.%d." % (stack, l)
            own = here if memory is None else here + "self."
            x = self.attend(trace, own, x, x, layer + "self_attn", heads, memory is not None)
            if memory is not None:
                x = self.attend(trace, here + "cross.", x, memory, layer + "encoder_attn", heads, False)
            inner = gelu(self.linear(x, layer + "fc1"))
            x = self.norm(x + self.linear(inner, layer + "fc2"), layer + "final_layer_norm")
            trace[here + "output"] = x
        trace[stack + ".final"] = x
        return x

    def run(self, source, target):
        """All that a trace holds. target: the ids that the decoder reads."""
        trace = {}
        memory = self.stack(trace, "encoder", source)
        x = self.stack(trace, "decoder", target, memory)
        trace["lm_logits"] = (x @ self.tensors["model.shared.weight"].T
                              + self.tensors["final_logits_bias"][0])
        return trace

    def generate(self, source, most):
        ids = [self.config["decoder_start_token_id"]]
        while len(ids) <= most and ids[-1] != self.config["eos_token_id"]:
            ids.append(int(self.run(source, ids)["lm_logits"][-1].argmax()))
        return ids


def case_of(model, text, pieces, given):
    names = list(model.pieces)
    source = [model.pieces[piece] for piece in pieces.split()] + [model.config["eos_token_id"]]
    ids = model.generate(source, 8)
    labels = ids[1:]
    if given:
        year, month, day = given.split("-")
        labels = [model.pieces[piece] for piece in (year, "-", month, "-", day, "</s>")]
    target = ids[:1] + labels[:-1]
    trace = model.run(source, target)
    x = trace["lm_logits"]
    x = x - x.max(-1, keepdims=True)
    said = (x - np.log(np.exp(x).sum(-1, keepdims=True)))[range(len(labels)), labels]
    return trace, {
        "source": text, "target": given, "source_tokens": [names[id] for id in source],
        "source_ids": source, "labels": labels, "decoder_ids": target,
        "logprobs": [round(float(number), 6) for number in said],
        "generated": {"ids": ids, "text": "".join(names[id] for id in ids[1:-1])}}


def pieces_of(model, words):
    """WordPiece of words without capitals: the ids, and the word of each."""
    ids, of = [], []
    for number, word in enumerate(words):
        begin, found = 0, []
        while begin < len(word):
            end = next((end for end in range(len(word), begin, -1)
                        if ("##" if begin else "") + word[begin:end] in model.pieces), None)
            if end is None:
                found = [model.pieces["<unk>"]]
                break
            found.append(model.pieces[("##" if begin else "") + word[begin:end]])
            begin = end
        ids += found
        of += [number] * len(found)
    return ids, of


def count_links(model, path):
    """Of each layer and head how many links are in the file, at the rows that say a word of the target and at those
    that read it: from each word that it links to the one with the largest weight, pieces summed."""
    config = model.config
    counts = {row: np.zeros((config["decoder_layers"], config["decoder_attention_heads"]), int) for row in ("said", "read")}
    known = asked = 0
    for pair in map(json.loads, open(path, encoding="utf-8")):
        links = {tuple(map(int, link.split("-"))) for link in pair["alignment"].split()}
        source, of = pieces_of(model, pair["a"].split())
        target, _ = pieces_of(model, pair["b"].split())  # each word is a piece
        trace = model.run(source + [config["eos_token_id"]], [config["decoder_start_token_id"]] + target)
        known += len(links)
        for word in {word for _, word in links}:
            asked += 1
            for layer in range(config["decoder_layers"]):
                weights = trace["decoder.layer.%d.cross.weights" % layer]  # [A,T,S]
                for row, place in (("said", word), ("read", word + 1)):
                    for head in range(len(weights)):
                        sums = np.zeros(of[-1] + 1)
                        np.add.at(sums, of, weights[head, place, :len(of)])
                        counts[row][layer, head] += (int(sums.argmax()), word) in links
    return {"sure": known, "linked": asked, **{row: count.tolist() for row, count in counts.items()}}


def main():
    model, cases = Bart(WEIGHTS), {}
    for name, (text, pieces, given) in CASES.items():
        trace, cases[name] = case_of(model, text, pieces, given)
        if name in ("words", "long"):
            write_tensors("%s/%s.safetensors" % (VECTORS, name), trace)
        print(text, cases[name]["generated"]["text"], cases[name]["logprobs"], file=sys.stderr)
    with open(VECTORS + "/cases.json", "w", encoding="utf-8") as file:
        file.write("{\n" + ",\n".join('"%s":%s' % (name, lines_of(case)) for name, case in cases.items())
                   + "\n}\n")
    with open(VECTORS + "/links.json", "w", encoding="utf-8") as file:
        file.write(lines_of(count_links(model, VECTORS + "/pairs.jsonl")) + "\n")


if __name__ == "__main__":
    main()
