"""Makes translation.safetensors: a recorded encoder–decoder of 2 layers of 2 heads whose weights are
drawn by hand. "du kannst mir helfen." becomes "you can help me."; help and me change places.

In cross-attention head 1.0 looks at the word of the token that is read, head 1.1 at that of the token
that is said next; layer 0 looks at the separator most. In the encoder head 0 looks at the token
itself, in the decoder at the one before."""
import pathlib
import sys

HERE = pathlib.Path(__file__).parent
sys.path.insert(0, str(HERE.parents[1] / "assets" / "python"))
import headlight  # noqa: E402

SOURCE = "▁du ▁kann st ▁mir ▁hel fen . </s>".split()
TARGET = "<pad> ▁you ▁can ▁he lp ▁me .".split()
SAID = TARGET[1:] + ["</s>"]
WORDS = {"▁you": (0,), "▁can": (1, 2), "▁he": (4, 5), "lp": (4, 5), "▁me": (3,), ".": (6,), "</s>": (7,),
         "<pad>": (7,)}


def row(count, heavy, share, seen=None):
    """`share` on the heavy places, the rest on all that is seen, in quarters that floats hold."""
    seen = count if seen is None else seen
    rest = (1 - share) / seen
    return [(share / len(heavy) if i in heavy else 0) + (rest if i < seen else 0) for i in range(count)]


S, T = len(SOURCE), len(TARGET)
tensors = {}
for layer, share in ((0, 0.25), (1, 0.75)):
    tensors[f"encoder_attentions.{layer}"] = [
        [row(S, (i,), share) for i in range(S)], [row(S, (S - 1,), share) for i in range(S)]]
    tensors[f"decoder_attentions.{layer}"] = [
        [row(T, (max(i - 1, 0),), share, i + 1) for i in range(T)],
        [row(T, (0,), share, i + 1) for i in range(T)]]
    tensors[f"cross_attentions.{layer}"] = [
        [row(S, WORDS[token] if layer else (S - 1,), share) for token in tokens] for tokens in (TARGET, SAID)]
headlight.save(HERE / "translation.safetensors", tensors, model="translation", encoder_tokens=SOURCE,
               decoder_tokens=TARGET)
