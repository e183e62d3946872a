#!/usr/bin/env python3
"""Trains headlight's built-in encoder: a small BERT, on masked words and next sentences.

    pretrain.py train --data DIR --out FOLDER --minutes 20 [--init FOLDER] [--stop 9]
    pretrain.py figures --data DIR --model FOLDER
    pretrain.py shard sentences.txt DIR/train-0.npz

`train` follows the clock: the rate rises, then falls in a line to zero at --minutes. It writes FOLDER in the layout of
the Hugging Face hub (safetensors, F16) and FOLDER/state.pt; called again with the same FOLDER it goes on from there, at
the minute where it stopped. --stop ends a piece early, for machines that are lent by the piece. It runs on one GPU
(bfloat16, compiled) or on a CPU (single precision). `figures` prints what a checkpoint gets right in held-out text.

DIR holds train-*.npz and held.npz. Each has three arrays: `toks`, the word pieces of all sentences end to end (uint16);
`sent`, where each sentence begins in `toks`, and the end; `docs`, where each document begins in `sent`, and the end.
`shard` makes one from text with one sentence a line and an empty line between documents.

Needs PyTorch 1.13 or later, and NumPy. The vocabulary is the vocab.txt beside this file, or --vocab.
"""
import argparse
import glob
import json
import math
import os
import re
import shutil
import time
import unicodedata

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, IterableDataset

LAYERS, HEADS, HIDDEN, FEED_FORWARD, POSITIONS = 8, 8, 256, 1024, 128
PAD, UNK, CLS, SEP, MASK, SPECIAL = 0, 1, 2, 3, 4, 5    # the first pieces of the vocabulary; SPECIAL is their number
IGNORE = -100                                           # a target that counts for nothing, as cross_entropy has it


# ---- the encoder ----------------------------------------------------------------------------------------------------

def tree(**parts):
    """A module of named parts, so that the parameters' names are the hub's."""
    module = nn.Module()
    for name, part in parts.items():
        setattr(module, name, part)
    return module


def norm():
    return nn.LayerNorm(HIDDEN, eps=1e-12)


def attend(query, key, value, seen):
    """softmax(Q K^T / sqrt(D)) V (Vaswani et al. 2017, 3.2.1). All [B,A,T,D]; seen [B,1,1,T] is false at padding."""
    if hasattr(F, 'scaled_dot_product_attention'):
        return F.scaled_dot_product_attention(query, key, value, attn_mask=seen)
    scores = query @ key.transpose(-1, -2) / math.sqrt(query.shape[-1])
    return torch.softmax(scores.masked_fill(~seen, -1e9), -1) @ value


class Layer(nn.Module):
    """Attention, then feed-forward, each added to its input and normalised (BERT's post-norm)."""

    def __init__(self):
        super().__init__()
        parts = {name: nn.Linear(HIDDEN, HIDDEN) for name in ('query', 'key', 'value')}
        self.attention = tree(self=tree(**parts), output=tree(dense=nn.Linear(HIDDEN, HIDDEN), LayerNorm=norm()))
        self.intermediate = tree(dense=nn.Linear(HIDDEN, FEED_FORWARD))
        self.output = tree(dense=nn.Linear(FEED_FORWARD, HIDDEN), LayerNorm=norm())

    def forward(self, x, seen):
        batch, length, _ = x.shape
        heads = [part(x).view(batch, length, HEADS, -1).transpose(1, 2)
                 for part in (self.attention.self.query, self.attention.self.key, self.attention.self.value)]
        context = attend(*heads, seen).transpose(1, 2).reshape(batch, length, HIDDEN)
        after, last = self.attention.output, self.output
        x = after.LayerNorm((x + after.dense(context)).float())
        return last.LayerNorm((x + last.dense(F.gelu(self.intermediate.dense(x)))).float())


class Encoder(nn.Module):
    def __init__(self, pieces):
        super().__init__()
        self.bert = tree(
            embeddings=tree(word_embeddings=nn.Embedding(pieces, HIDDEN),
                            position_embeddings=nn.Embedding(POSITIONS, HIDDEN),
                            token_type_embeddings=nn.Embedding(2, HIDDEN), LayerNorm=norm()),
            encoder=tree(layer=nn.ModuleList(Layer() for _ in range(LAYERS))),
            pooler=tree(dense=nn.Linear(HIDDEN, HIDDEN)))
        self.cls = tree(
            predictions=tree(bias=nn.Parameter(torch.zeros(pieces)),
                             transform=tree(dense=nn.Linear(HIDDEN, HIDDEN), LayerNorm=norm())),
            seq_relationship=nn.Linear(HIDDEN, 2))
        self.start()

    @torch.no_grad()
    def start(self):
        """Random weights. Positions start as sinusoids: on little text "the token before" is then one rotation to be
        learnt, not 128 facts. Larger queries and keys let heads differ from the first step."""
        for module in self.modules():
            if isinstance(module, (nn.Linear, nn.Embedding)):
                nn.init.normal_(module.weight, 0, .02)
            if isinstance(module, nn.Linear):
                nn.init.zeros_(module.bias)
        angle = torch.arange(POSITIONS)[:, None] * torch.exp(-math.log(1000) * torch.arange(0, HIDDEN, 2) / HIDDEN)
        position = self.bert.embeddings.position_embeddings.weight
        position[:, 0::2], position[:, 1::2] = torch.sin(angle) * .028, torch.cos(angle) * .028
        for layer in self.bert.encoder.layer:
            layer.attention.self.query.weight.mul_(2.5)
            layer.attention.self.key.weight.mul_(2.5)

    def forward(self, ids, segments, seen, picked):
        """Scores of all pieces at the `picked` places (indices into the flattened batch), and of the two answers to
        "does the second text follow?"."""
        e, head = self.bert.embeddings, self.cls.predictions
        x = e.word_embeddings(ids) + e.position_embeddings.weight[:ids.shape[1]] + e.token_type_embeddings(segments)
        x = e.LayerNorm(x)
        for layer in self.bert.encoder.layer:
            x = layer(x, seen[:, None, None, :])
        words = head.transform.LayerNorm(F.gelu(head.transform.dense(x.reshape(-1, HIDDEN)[picked])).float())
        first = torch.tanh(self.bert.pooler.dense(x[:, 0]))
        return F.linear(words, e.word_embeddings.weight, head.bias), self.cls.seq_relationship(first)


# ---- text -----------------------------------------------------------------------------------------------------------

class Shard:
    def __init__(self, path):
        arrays = np.load(path)
        self.tokens, self.begin, documents = arrays['toks'], arrays['sent'], arrays['docs']
        self.count = len(self.begin) - 1
        self.end_of = np.repeat(documents[1:], np.diff(documents))     # where the document of each sentence ends

    def sentence(self, i):
        return self.tokens[self.begin[i]:self.begin[i + 1]].astype(np.int64)

    def stretch(self, i, least):
        """Sentences from i on, until they have `least` pieces or the document ends; and the one after them."""
        parts, length = [self.sentence(i)], self.begin[i + 1] - self.begin[i]
        while length < least and i + 1 < self.end_of[i]:
            i += 1
            parts.append(self.sentence(i))
            length += len(parts[-1])
        return np.concatenate(parts), i + 1


def example(shard, random):
    """One sentence (a quarter), a pair of sentences, or a pair of stretches: pieces, segments, and whether the second
    is another text (1), follows (0), or is not there (IGNORE)."""
    i, kind = int(random.integers(shard.count)), random.random()
    if kind < .25:
        ids = np.concatenate([[CLS], shard.sentence(i)[:POSITIONS - 2], [SEP]])
        return ids, np.zeros_like(ids), IGNORE
    room, long = POSITIONS - 3, kind >= .6
    first, after = shard.stretch(i, int(random.integers(16, 80)) if long else 0)
    first, follows = first[:100], random.random() < .5 and after < shard.end_of[i]
    second, _ = shard.stretch(after if follows else int(random.integers(shard.count)), room - len(first) if long else 0)
    over = len(first) + len(second) - room
    if over > 0:                                                       # the longer of the two gives way
        most = max(room // 2, room - len(second))
        first = first[:most]
        second = second[:room - len(first)]
    ids = np.concatenate([[CLS], first, [SEP], second, [SEP]])
    return ids, (np.arange(len(ids)) > len(first) + 1).astype(np.int64), int(not follows)


class Text(IterableDataset):
    """Batches of some `tokens` tokens without end: ids, segments, what is no padding, labels. Texts of a like length,
    to the next multiple of `step`, share a batch."""

    def __init__(self, paths, tokens, step, seed):
        self.paths, self.tokens, self.step, self.seed = paths, tokens, step, seed

    def __iter__(self):
        worker = torch.utils.data.get_worker_info()
        random = np.random.default_rng((self.seed, worker.id if worker else 0))
        shards, waiting = [Shard(path) for path in self.paths], {}
        share = np.cumsum([shard.count for shard in shards])
        while True:
            shard = shards[int(np.searchsorted(share, random.integers(share[-1]), side='right'))]
            text = example(shard, random)
            length = min(POSITIONS, -(-len(text[0]) // self.step) * self.step)
            batch = waiting.setdefault(length, [])
            batch.append(text)
            if len(batch) * length >= self.tokens:
                yield padded(batch, length)
                waiting[length] = []


def padded(batch, length):
    ids, segments = np.full((2, len(batch), length), PAD, np.int64)
    seen = np.zeros(ids.shape, bool)
    for row, (tokens, segment, _) in enumerate(batch):
        ids[row, :len(tokens)], segments[row, :len(tokens)], seen[row, :len(tokens)] = tokens, segment, True
    labels = np.array([label for _, _, label in batch])
    return tuple(torch.from_numpy(x) for x in (ids, segments, seen, labels))


def hide(ids, rate, pieces, generator):
    """Picks `rate` of the places; 80 % become [MASK], 10 % any piece, 10 % stay (Devlin et al. 2019, 3.1). The number of
    places depends on the batch's shape alone, as compiled code likes it. Returns ids, places, and the right pieces."""
    flat, options = ids.reshape(-1), dict(device=ids.device, generator=generator)
    count = max(8, int(flat.numel() * rate) // 8 * 8)
    chance = torch.rand(flat.shape, **options).masked_fill(flat < SPECIAL, -1)
    chance, picked = chance.topk(min(count, flat.numel()))
    counts = chance >= 0                                               # a batch of mere padding has too few
    right, fate = flat[picked], torch.rand(picked.shape, **options)
    other = torch.randint(SPECIAL, pieces, picked.shape, **options)
    new = torch.where(fate < .8, torch.full_like(right, MASK), torch.where(fate < .9, other, right))
    hidden = flat.clone()
    hidden[picked] = torch.where(counts, new, right)
    return hidden.view_as(ids), picked, right.masked_fill(~counts, IGNORE)


# ---- the optimizer --------------------------------------------------------------------------------------------------

def orthogonal(x):
    """The nearest orthogonal matrices, about, of a stack [N,rows,columns] with rows <= columns: five rounds of a
    Newton-Schulz iteration (Jordan et al. 2024, "Muon")."""
    x = x / (x.norm(dim=(1, 2), keepdim=True) + 1e-7)
    for _ in range(5):
        gram = x @ x.transpose(1, 2)
        x = 3.4445 * x + (-4.7750 * gram + 2.0315 * gram @ gram) @ x
    return x


class Muon(torch.optim.Optimizer):
    """Momentum made orthogonal, scaled so that its entries are of the size of AdamW's (Liu et al. 2025, 2.2)."""

    def __init__(self, parameters, lr, momentum=.95, weight_decay=.01):
        super().__init__(parameters, dict(lr=lr, momentum=momentum, weight_decay=weight_decay))

    @torch.no_grad()
    def step(self):
        for group in self.param_groups:
            shapes = {}
            for p in group['params']:
                shapes.setdefault(p.shape, []).append(p)
            for alike in shapes.values():
                self.update(alike, group['lr'], group['momentum'], group['weight_decay'])

    def update(self, alike, lr, momentum, decay):
        looked = []
        for p in alike:
            past = self.state[p].setdefault('momentum', torch.zeros_like(p))
            past.lerp_(p.grad, 1 - momentum)
            looked.append(p.grad.lerp(past, momentum))                  # Nesterov's
        stack, tall = torch.stack(looked), alike[0].shape[0] > alike[0].shape[1]
        half = stack.bfloat16() if stack.is_cuda else stack
        change = orthogonal(half.transpose(1, 2) if tall else half).to(stack.dtype)
        for p, c in zip(alike, change.transpose(1, 2) if tall else change):
            p.mul_(1 - lr * decay).add_(c, alpha=-lr * .2 * math.sqrt(max(p.shape)))


def optimizers(model, kind):
    """(optimizer, its share of the rate). Muon takes the matrices inside the network, AdamW all the rest."""
    inside = [p for name, p in model.named_parameters()
              if p.dim() == 2 and ('.layer.' in name or 'transform' in name) and kind == 'muon']
    taken = {id(p) for p in inside}
    rest = [p for p in model.parameters() if id(p) not in taken]
    adamw = torch.optim.AdamW([dict(params=[p for p in rest if p.dim() > 1], weight_decay=.01),
                               dict(params=[p for p in rest if p.dim() == 1], weight_decay=0)],
                              lr=0, betas=(.9, .98), eps=1e-6)
    return [(adamw, .6)] + ([(Muon(inside, lr=0), 1)] if inside else [])


# ---- files ----------------------------------------------------------------------------------------------------------

def write_model(model, folder, vocabulary):
    """The hub's layout: config.json, tokenizer_config.json, vocab.txt and model.safetensors in F16."""
    header, blobs, offset = {'__metadata__': {'format': 'pt'}}, [], 0
    for name, tensor in model.state_dict().items():
        blob = tensor.float().cpu().half().contiguous().numpy().tobytes()
        header[name] = {'dtype': 'F16', 'shape': list(tensor.shape), 'data_offsets': [offset, offset + len(blob)]}
        offset += len(blob)
        blobs.append(blob)
    text = json.dumps(header, separators=(',', ':')).encode()
    text += b' ' * (-len(text) % 8)
    os.makedirs(folder, exist_ok=True)
    path = os.path.join(folder, 'model.safetensors')
    with open(path + '.tmp', 'wb') as file:
        file.writelines([len(text).to_bytes(8, 'little'), text, *blobs])
    os.replace(path + '.tmp', path)
    config = dict(architectures=['BertForPreTraining'], model_type='bert', vocab_size=len(model.cls.predictions.bias),
                  hidden_size=HIDDEN, num_hidden_layers=LAYERS, num_attention_heads=HEADS,
                  intermediate_size=FEED_FORWARD, hidden_act='gelu', max_position_embeddings=POSITIONS,
                  type_vocab_size=2, layer_norm_eps=1e-12, pad_token_id=PAD, hidden_dropout_prob=0.0,
                  attention_probs_dropout_prob=0.0, initializer_range=0.02, torch_dtype='float16',
                  position_embedding_type='absolute')
    tokenizer = dict(do_lower_case=True, model_max_length=POSITIONS, tokenizer_class='BertTokenizer',
                     strip_accents=None, tokenize_chinese_chars=True,
                     unk_token='[UNK]', cls_token='[CLS]', sep_token='[SEP]', pad_token='[PAD]', mask_token='[MASK]')
    for name, value in (('config.json', config), ('tokenizer_config.json', tokenizer)):
        with open(os.path.join(folder, name), 'w', encoding='utf-8') as file:
            json.dump(value, file, indent=2)
    copy = os.path.join(folder, 'vocab.txt')
    if not (os.path.exists(copy) and os.path.samefile(copy, vocabulary)):
        shutil.copyfile(vocabulary, copy)


def read_model(model, folder):
    with open(os.path.join(folder, 'model.safetensors'), 'rb') as file:
        header = json.loads(file.read(int.from_bytes(file.read(8), 'little')))
        data = file.read()
    types, state = {'F16': np.float16, 'F32': np.float32}, {}
    for name, entry in header.items():
        if name != '__metadata__':
            begin, end = entry['data_offsets']
            values = np.frombuffer(data[begin:end], types[entry['dtype']]).reshape(entry['shape'])
            state[name] = torch.from_numpy(values.astype(np.float32))
    model.load_state_dict(state)


def pieces_of(text, known):
    """BERT's uncased word pieces of one sentence: lower case, no accents, punctuation apart, longest piece first."""
    text = ''.join(c for c in unicodedata.normalize('NFD', text.lower()) if unicodedata.category(c) != 'Mn')
    for word in re.findall(r'[^\W_]+|[^\w\s]|_', text):
        found, at = [], 0
        while at < len(word):
            end = next((e for e in range(len(word), at, -1) if ('##' if at else '') + word[at:e] in known), None)
            if end is None:
                found = [UNK]
                break
            found.append(known[('##' if at else '') + word[at:end]])
            at = end
        yield from found


def shard(arguments):
    with open(arguments.vocab, encoding='utf-8') as file:
        known = {piece.rstrip('\n'): i for i, piece in enumerate(file)}
    tokens, begin, documents = [], [0], [0]
    with open(arguments.text, encoding='utf-8') as file:
        for line in [*file, '']:
            if line.strip():
                tokens.extend(pieces_of(line, known))
                begin.append(len(tokens))
            elif documents[-1] < len(begin) - 1:
                documents.append(len(begin) - 1)
    os.makedirs(os.path.dirname(arguments.shard) or '.', exist_ok=True)
    np.savez_compressed(arguments.shard, toks=np.array(tokens, np.uint16), sent=np.array(begin, np.int64),
                        docs=np.array(documents, np.int64))
    print(f'{arguments.shard}: {len(documents) - 1} documents, {len(begin) - 1} sentences, {len(tokens)} pieces')


# ---- training -------------------------------------------------------------------------------------------------------

class Trainer:
    def __init__(self, arguments):
        self.arguments = arguments
        self.device = 'cuda' if torch.cuda.is_available() else 'cpu'
        self.gpu = self.device == 'cuda'
        torch.manual_seed(arguments.seed)
        torch.set_flush_denormal(True)
        torch.set_float32_matmul_precision('high')
        with open(arguments.vocab, encoding='utf-8') as file:
            self.pieces = sum(1 for _ in file)
        self.held = os.path.join(arguments.data, 'held.npz')
        if not os.path.exists(self.held):
            raise SystemExit(f'{self.held}: expected held-out text, found no such file; make it with "shard"')
        self.generator = torch.Generator(self.device)
        self.model = Encoder(self.pieces).to(self.device)

    def losses(self, model, batch, rate):
        """Word loss, pair loss (means); hits and counts of both."""
        ids, segments, seen, labels = (x.to(self.device, non_blocking=True) for x in batch)
        hidden, picked, right = hide(ids, rate, self.pieces, self.generator)
        with torch.autocast(self.device, dtype=torch.bfloat16, enabled=self.gpu):
            words, pairs = model(hidden, segments, seen, picked)
        words, pairs = words.float(), pairs.float()
        count, paired = (right != IGNORE).sum(), (labels != IGNORE).sum()
        word_loss = F.cross_entropy(words, right, ignore_index=IGNORE, reduction='sum') / count.clamp(min=1)
        pair_loss = F.cross_entropy(pairs, labels, ignore_index=IGNORE, reduction='sum') / paired.clamp(min=1)
        figures = torch.stack([word_loss.detach() * count, (words.argmax(-1) == right).sum(), count,
                               pair_loss.detach() * paired, (pairs.argmax(-1) == labels).sum(), paired, seen.sum()])
        return word_loss + pair_loss, figures

    @torch.no_grad()
    def figures(self):
        """On held-out text with 15 % of the words picked; the same places each time."""
        before = self.generator.get_state()
        self.generator.manual_seed(99)
        batches = iter(Text([self.held], 8192, 32, 5))
        total = sum(self.losses(self.model, next(batches), .15)[1] for _ in range(24))
        self.generator.set_state(before)
        return 'held-out: ' + told(total)

    def data(self, step):
        paths = sorted(glob.glob(os.path.join(self.arguments.data, 'train-*.npz')))
        if not paths:
            raise SystemExit(f'{self.arguments.data}: expected train-*.npz, found none; make them with "shard"')
        text = Text(paths, self.arguments.tokens, 32 if self.gpu else 8, self.arguments.seed + step)
        return iter(DataLoader(text, batch_size=None, num_workers=self.arguments.workers if self.gpu else 1,
                               prefetch_factor=4, pin_memory=self.gpu))

    def train(self):
        a, state = self.arguments, os.path.join(self.arguments.out, 'state.pt')
        tools, step, tokens, used = optimizers(self.model, a.optimizer), 0, 0, 0.0
        if os.path.exists(state):
            saved = torch.load(state, map_location=self.device)
            self.model.load_state_dict(saved['model'])
            for (tool, _), values in zip(tools, saved['optimizers']):
                tool.load_state_dict(values)
            step, tokens, used = saved['step'], saved['tokens'], saved['minutes']
        elif a.init:
            read_model(self.model, a.init)
        self.generator.manual_seed(a.seed + step)
        model = torch.compile(self.model, dynamic=False) if self.gpu else self.model
        batches, begin, kept, total = self.data(step), time.time(), time.time(), torch.zeros(7)

        def minutes():
            return used + (time.time() - begin) / 60

        def save():
            write_model(self.model, a.out, a.vocab)
            torch.save(dict(model=self.model.state_dict(), optimizers=[tool.state_dict() for tool, _ in tools],
                            step=step, tokens=tokens + int(total[6]), minutes=minutes()), state + '.tmp')
            os.replace(state + '.tmp', state)

        while minutes() < a.minutes and minutes() - used < a.stop:
            rate = a.lr * min(minutes() / (a.warm * a.minutes), (1 - minutes() / a.minutes) / (1 - a.warm))
            for tool, share in tools:
                for group in tool.param_groups:
                    group['lr'] = rate * share
            loss, figures = self.losses(model, next(batches), a.mask)
            self.model.zero_grad(set_to_none=True)
            loss.backward()
            nn.utils.clip_grad_norm_(self.model.parameters(), 1)
            for tool, _ in tools:
                tool.step()
            step, total = step + 1, total.to(figures) + figures
            if step % a.every == 0:
                tokens += int(total[6])
                print(f'step {step}, {minutes():.1f} min, {tokens / 1e6:.2f} M tokens, rate {rate:.1e}: {told(total)}, '
                      f'{int(total[6]) / (time.time() - kept):.0f} tokens/s', flush=True)
                kept, total = time.time(), torch.zeros(7)
            if step % a.save == 0:
                save()
                print('  ' + self.figures(), flush=True)
        save()
        print(f'end: step {step}, {(tokens + total[6]) / 1e6:.2f} M tokens, {self.figures()}', flush=True)


def told(total):
    t = [float(x) for x in total]
    return (f'words loss {t[0] / t[2]:.3f} accuracy {t[1] / t[2]:.3f}, '
            f'next sentence loss {t[3] / max(1, t[5]):.3f} accuracy {t[4] / max(1, t[5]):.3f}')


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest='command', required=True)
    train, figures, cut = (commands.add_parser(name) for name in ('train', 'figures', 'shard'))
    for command in (train, figures, cut):
        command.add_argument('--vocab', default=os.path.join(os.path.dirname(os.path.abspath(__file__)), 'vocab.txt'))
    for command in (train, figures):
        command.add_argument('--data', required=True, help='folder of the shards')
        command.add_argument('--seed', type=int, default=1)
    train.add_argument('--out', required=True, help='folder to write, and to go on from')
    train.add_argument('--minutes', type=float, required=True, help='length of the whole schedule')
    train.add_argument('--stop', type=float, default=math.inf, help='minutes after which this piece ends')
    train.add_argument('--init', help="a checkpoint to begin with, in the hub's layout")
    train.add_argument('--tokens', type=int, default=65536, help='tokens of a batch (65536; 5120 suits two CPU cores)')
    train.add_argument('--lr', type=float, default=2e-3, help="Muon's highest rate; AdamW has 0.6 of it (2e-3)")
    train.add_argument('--optimizer', choices=('muon', 'adamw'), default='muon')
    train.add_argument('--mask', type=float, default=.22, help='share of the words that are picked (0.22)')
    train.add_argument('--warm', type=float, default=.03, help='share of the schedule in which the rate rises (0.03)')
    train.add_argument('--workers', type=int, default=12, help='processes that prepare batches for a GPU (12)')
    train.add_argument('--every', type=int, default=50, help='steps between two lines of progress (50)')
    train.add_argument('--save', type=int, default=500, help='steps between two saved states (500)')
    figures.add_argument('--model', required=True)
    cut.add_argument('text')
    cut.add_argument('shard')
    return parser.parse_args()


def main():
    a = arguments()
    if a.command == 'shard':
        shard(a)
    elif a.command == 'train':
        Trainer(a).train()
    else:
        trainer = Trainer(a)
        read_model(trainer.model, a.model)
        print(trainer.figures())


if __name__ == '__main__':
    main()
