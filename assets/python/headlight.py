"""headlight in a notebook: interactive pages of attention, and recordings for the program.

    import headlight
    headlight.page(outputs.attentions, tokens)              # your tensors: numpy, torch, lists
    headlight.show("the cat sat", model="bert-base-uncased")
    headlight.record(model, inputs, "x.safetensors", tokenizer)
    headlight.record_generated(model.generate(...), "x.safetensors", tokenizer, inputs)

page and show run the program, which must be on the PATH (or named by the environment variable
HEADLIGHT), and return a Page: a notebook displays it, .save("x.html") keeps it. record needs torch,
as its model does; everything else is Python's standard library, so this one file can be copied.
"""
import array
import collections
import errno
import html
import json
import math
import os
import shutil
import struct
import subprocess
import sys
import tempfile

__all__ = ["page", "show", "record", "record_generated", "save", "Page"]

SITES = ("encoder", "decoder", "cross")
EAGER = 'load the model with attn_implementation="eager" and call it with output_attentions=True'


class Page:
    """A page of headlight; .html is all of it."""

    def __init__(self, text, height=640):
        self.html = text
        self.height = height

    def save(self, path):
        with open(path, "w", encoding="utf-8") as file:
            file.write(self.html)
        return path

    def _repr_html_(self):
        return (f'<iframe srcdoc="{html.escape(self.html)}" sandbox="allow-scripts" '
                f'style="width: 100%; height: {self.height}px; border: 0"></iframe>')


# ---- The program ----

def run(arguments):
    """Runs headlight; an exception carries its error message."""
    program = os.environ.get("HEADLIGHT") or shutil.which("headlight")
    if not program:
        raise FileNotFoundError("headlight is not on the PATH: install it, or set HEADLIGHT")
    try:
        done = subprocess.run([program, *arguments], stdin=subprocess.DEVNULL, capture_output=True)
    except OSError as error:
        if error.errno != errno.E2BIG:
            raise
        raise RuntimeError("the text is longer than a command line may be: shorten it") from None
    if done.returncode:
        raise RuntimeError(done.stderr.decode("utf-8", "replace").strip())


def made_page(arguments, height):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "page.html")
        run(["--html", path, *arguments])
        with open(path, encoding="utf-8") as file:
            return Page(file.read(), height)


def show(text, text_b=None, *, model=None, options=(), height=640):
    """The page of a sentence or a pair: show("a [MASK]", options=["--off", "3.7"])."""
    named = ["--model", model] if model else []
    texts = [text] if text_b is None else [text, text_b]
    for one in texts:
        lost = next((sign for sign in one if sign == "\0" or "\ud800" <= sign <= "\udfff"), None)
        if lost:
            raise RuntimeError(f"the text has U+{ord(lost):04X} at index {one.index(lost)}, which no "
                               "command line can hold: leave it out")
    return made_page([*named, *options, "--", *texts], height)


def page(attentions=None, tokens=None, *, encoder_attentions=None, decoder_attentions=None,
         cross_attentions=None, encoder_tokens=None, decoder_tokens=None, site=None, model=None,
         options=(), height=640):
    """The page of recorded attention: [heads, T, T] per layer, with or without a batch of one.

    An encoder–decoder has up to three attentions, and tokens on both sides; the page opens with
    `site` or the first."""
    for name, words in (("tokens", tokens), ("encoder_tokens", encoder_tokens),
                        ("decoder_tokens", decoder_tokens)):
        check_tokens(name, words)
    tensors, words = {}, {"tokens": tokens}
    if attentions is not None:
        tensors = layers("attentions", attentions)
    else:
        words = {"encoder_tokens": encoder_tokens, "decoder_tokens": decoder_tokens}
        for name, one in zip(SITES, (encoder_attentions, decoder_attentions, cross_attentions)):
            tensors.update(layers(f"{name}_attentions", one))
    check_found(tensors)
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "attention.safetensors")
        save(path, tensors, model=model, **words)
        chosen = ["--site", site] if site else []
        try:
            return made_page([path, *chosen, *options], height)
        except RuntimeError as error:
            raise RuntimeError(str(error).replace(path, "the recording")) from None


# ---- Safetensors ----

def check_tokens(name, tokens):
    """Ids are what tokenizers give first, and a string is a list of letters to Python."""
    if tokens is None:
        return
    if isinstance(tokens, (str, bytes)):
        raise ValueError(f"{name}: expected a list of strings, one for each token, found one string")
    for number, token in enumerate(tokens):
        if not isinstance(token, str):
            raise ValueError(f"{name}: expected strings, found {type(token).__name__} at [{number}]; "
                             "tokenizer.convert_ids_to_tokens(ids) makes them of ids")


def check_found(tensors):
    if not tensors:
        raise ValueError(f"expected attentions, found none: {EAGER}")


def layers(name, tensors):
    tensors = () if tensors is None else tensors
    named = {f"{name}.{number}": tensor for number, tensor in enumerate(tensors)}
    for key, tensor in named.items():
        if tensor is None:
            raise ValueError(f"{key}: expected a tensor, found None: {EAGER}")
        if isinstance(tensor, (int, float)):
            raise ValueError(f"{key}: expected a tensor [heads, T, T], found the number {tensor}")
        if isinstance(tensor, tuple) and any(hasattr(one, "shape") for one in tensor):
            raise ValueError(f"{key}: expected a tensor [heads, T, T], found those of one step of "
                             "generate(): record_generated joins them")
    return named


Flat = collections.namedtuple("Flat", ("shape", "data"))


def flat(numbers):
    """Shape and floats of a tensor of numpy or torch, or of lists in lists."""
    if isinstance(numbers, Flat):
        return numbers
    if hasattr(numbers, "detach"):
        numbers = numbers.detach().cpu().float().contiguous().numpy()
    if hasattr(numbers, "astype"):
        return Flat(list(numbers.shape), numbers.astype("<f4").tobytes())
    shape, rows = [], numbers
    while isinstance(rows, (list, tuple)):
        shape.append(len(rows))
        rows = rows[0]
    for _ in shape[1:]:
        numbers = [number for row in numbers for number in row]
    floats = array.array("f", numbers)
    if sys.byteorder == "big":
        floats.byteswap()
    if len(floats) != math.prod(shape):
        raise ValueError(f"expected rows of one length, found {len(floats)} numbers for {shape}")
    return Flat(shape, floats.tobytes())


def save(path, tensors, **metadata):
    """Writes tensors as safetensors; lists in the metadata become JSON, None is left out."""
    header = {"__metadata__": {name: value if isinstance(value, str) else json.dumps(list(value))
                               for name, value in metadata.items() if value is not None}}
    parts, end = [], 0
    for name, tensor in tensors.items():
        shape, data = flat(tensor)
        header[name] = {"dtype": "F32", "shape": shape, "data_offsets": [end, end + len(data)]}
        parts.append(data)
        end += len(data)
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    with open(path, "wb") as file:
        file.write(struct.pack("<Q", len(text)) + text)
        file.writelines(parts)
    return path


# ---- Recording a model of transformers ----

# The names of the projections of query, key and value in each family, and of fused ones.
PROJECTIONS = {"query": ("query", "q_proj", "q_lin", "q"), "key": ("key", "k_proj", "k_lin", "k"),
               "value": ("value", "v_proj", "v_lin", "v")}
FUSED = ("c_attn", "Wqkv", "qkv_proj")


def site_of(name, has_sites):
    if not has_sites:
        return ""
    if "encoder_attn" in name or "EncDecAttention" in name or "crossattention" in name:
        return "cross"
    return "decoder" if "decoder" in name else "encoder"


def listen(model, heard):
    """Hooks that collect the outputs of the projections, in the order of the layers."""
    hooks = []

    def note(name, part):
        def hook(module, arguments, output):
            pieces = output.chunk(3, -1) if part is None else [output]
            for kind, piece in zip(PROJECTIONS if part is None else [part], pieces):
                heard.setdefault((name, kind), piece.detach())
        return hook

    for name, module in model.named_modules():
        owner, _, last = name.rpartition(".")
        part = next((part for part, names in PROJECTIONS.items() if last in names), None)
        if part or last in FUSED:
            hooks.append(module.register_forward_hook(note(owner, part)))
    return hooks


def split_heads(vectors, heads):
    """[1, T, heads · D] as [heads, T, D]."""
    return vectors[0].view(vectors.shape[1], heads, -1).transpose(0, 1)


def gives(query, key, weights):
    """Whether softmax(q·k/√D) is what the model computed, where there is any weight: not if
    vectors are rotated, or a bias is added to the scores."""
    scores = query @ key.transpose(1, 2) / math.sqrt(query.shape[-1])
    scores = scores.masked_fill(weights == 0, -math.inf)
    return bool((scores.softmax(-1) - weights).abs().max() < 1e-3)


def vectors_of(heard, attentions):
    """Queries, keys and values of each site's layers, without the queries and keys that don't
    reproduce the weights: the neuron view would show arithmetic that isn't the model's."""
    owners = {}
    for name, _ in heard:
        owners.setdefault(site_of(name, "" not in attentions), {}).setdefault(name)
    for site, weights in attentions.items():
        names = list(owners.get(site, ()))
        for number, name in enumerate(names if len(names) == len(weights) else ()):
            matrix = weights[number][0]
            parts = {part: split_heads(heard[name, part], matrix.shape[0])
                     for part in PROJECTIONS
                     if (name, part) in heard and heard[name, part].shape[-1] % matrix.shape[0] == 0}
            if {"query", "key"} <= parts.keys() and not (
                    parts["query"].shape[-1] == parts["key"].shape[-1]
                    and gives(parts["query"], parts["key"], matrix)):
                del parts["query"], parts["key"]
            for part, vectors in parts.items():
                yield f"{site}{'.' if site else ''}layer.{number}.{part}", vectors


def record(model, inputs, path, tokenizer=None, *, tokens=None, encoder_tokens=None,
           decoder_tokens=None, name=None):
    """Runs a transformers model once and records everything that headlight's views need.

    `inputs` is what the model is called with, a batch of one text. Give the tokenizer, or the
    tokens. The model must return attention: load it with attn_implementation="eager"."""
    import torch

    heard = {}
    hooks = listen(model, heard)
    try:
        with torch.no_grad():
            outputs = model(**inputs, output_attentions=True, output_hidden_states=True)
    finally:
        for hook in hooks:
            hook.remove()

    def read(given, ids):
        return given or (tokenizer.convert_ids_to_tokens(inputs[ids][0]) if tokenizer else None)

    found = {site: getattr(outputs, f"{site}_attentions", None) for site in SITES}
    attentions = {site: one for site, one in found.items() if one}
    metadata = {"model": name or getattr(model.config, "_name_or_path", "") or None}
    if "encoder" in attentions or "decoder" in attentions:
        metadata["encoder_tokens"] = read(encoder_tokens, "input_ids")
        metadata["decoder_tokens"] = read(decoder_tokens, "decoder_input_ids")
    else:
        attentions = {"": outputs.attentions}
        metadata["tokens"] = read(tokens, "input_ids")
    tensors = {}
    for site, weights in attentions.items():
        before = f"{site}_" if site else ""
        tensors.update(layers(f"{before}attentions", weights))
        check_found(tensors)
        states = getattr(outputs, f"{before}hidden_states", None)
        tensors.update(layers(f"{before}hidden_states", states))
    tensors.update(vectors_of(heard, attentions))
    return save(path, tensors, **metadata)


# ---- Recording what generate() returned ----

def join(name, steps, rows, square):
    """The tensors of one layer, one [rows, heads, queries, keys] or [rows, queries, numbers] for each
    step, as that of the whole text. The first step has the queries of the prompt, and every other
    one's last is new. Its keys are all so far, but a cache may have room for more, or keep the last
    ones only."""
    if any(step is None for step in steps):
        raise ValueError(f"{name}: expected a tensor for each step, found None: {EAGER}")
    pieces = [flat(step[row]) for step, row in zip(steps, rows)]
    *outer, prompt, width = pieces[0].shape
    length = prompt + len(pieces) - 1
    width = length if square else width
    heads = math.prod(outer)
    joined = bytearray(4 * heads * length * width)
    for number, (shape, data) in enumerate(pieces):
        queries, keys = shape[-2:]
        end = prompt + number if square else width
        for head in range(heads):
            for query in range(queries) if number == 0 else (queries - 1,):
                place = query if number == 0 else prompt + number - 1
                row = data[4 * (head * queries + query) * keys:][:4 * min(keys, end)]
                at = 4 * ((head * length + place) * width + end) - len(row)
                joined[at:at + len(row)] = row
    return Flat([*outer, length, width], bytes(joined))


def record_generated(outputs, path, tokenizer=None, inputs=None, *, sequence=0, tokens=None,
                     encoder_tokens=None, decoder_tokens=None, name=None):
    """Records what generate() returned: the attention of all its steps as that of one text.

    Call it with return_dict_in_generate=True and output_attentions=True. Of several sequences it is
    one, with beams along those that led to it. The last token was never read, so it is left out.
    Give the tokenizer (and of an encoder-decoder the inputs, too), or the tokens."""
    def read(given, ids):
        return given or (tokenizer.convert_ids_to_tokens([int(one) for one in ids])
                         if tokenizer and ids is not None else None)

    def found(kind):
        return getattr(outputs, kind, None) or ()

    def row(batch):  # there may be several sequences of each text
        return sequence * len(batch) // len(outputs.sequences)

    sites = found("decoder_attentions") or found("cross_attentions")
    steps = sites or found("attentions")
    if not steps:
        raise ValueError("expected what generate() returns with return_dict_in_generate=True and "
                         f"output_attentions=True, found no attentions: {EAGER}")
    beams = getattr(outputs, "beam_indices", None)
    rows = [sequence] * len(steps)
    if beams is not None:
        rows = [int(row) for row in beams[sequence] if int(row) >= 0]
    before, tensors = "decoder_" if sites else "", {}
    for kind in (f"{before}attentions", "cross_attentions", f"{before}hidden_states"):
        for number, of_steps in enumerate(zip(*found(kind))):
            tensors[f"{kind}.{number}"] = join(f"{kind}.{number}", of_steps, rows,
                                               kind == f"{before}attentions")
    length = next(tensor.shape[-2] for tensor in tensors.values())
    ids = outputs.sequences[sequence][:length]
    if not sites:
        return save(path, tensors, model=name, tokens=read(tokens, ids))
    for kind in ("encoder_attentions", "encoder_hidden_states"):
        tensors.update(layers(kind, [one[row(one)] for one in found(kind)]))
    source = [None] if inputs is None else inputs["input_ids"]
    return save(path, tensors, model=name, decoder_tokens=read(decoder_tokens, ids),
                encoder_tokens=read(encoder_tokens, source[row(source)]))
