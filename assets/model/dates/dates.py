#!/usr/bin/env python3
"""Makes headlight's second built-in model, which reads a date as people write it and writes it as 2009-05-03.

    dates.py train --out FOLDER
    dates.py figures --model FOLDER
    dates.py pairs --count 1000 >pairs.jsonl

`train` writes FOLDER in the layout of the Hugging Face hub: a small BART, in F16. `figures` prints how many held-out
dates it gets right, and which of its cross-attention heads look where the parts of the date stand. `pairs` prints
held-out dates with their alignment in Pharaoh's format: word of the source – word of the target, counted from 0; blanks
stand between words and marks. No day that is held out is among those that it is trained on.

Needs PyTorch 1.13 or later. The same seed gives the same pairs anywhere, and the same weights on the same machine.
"""
import argparse
import datetime
import json
import math
import os
import random
import re
import time

import torch
import torch.nn.functional as F
from torch import nn

LAYERS, HEADS, HIDDEN, FEED_FORWARD, POSITIONS = 2, 4, 64, 256, 32    # layers and heads of each stack
YEARS, HELD = range(1930, 2050), 10_000                               # HELD days are never trained on
BOS, PAD, EOS, UNK = 0, 1, 2, 3

MONTHS = ('January February March April May June July August September October November December').split()
SHORT = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split()
ROMAN = 'I II III IV V VI VII VIII IX X XI XII'.split()
DAYS = 'Monday Tuesday Wednesday Thursday Friday Saturday Sunday'.split()
ORDINALS = ('first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth '
            'fifteenth sixteenth seventeenth eighteenth nineteenth twentieth').split()
ENDINGS = {1: 'st', 2: 'nd', 3: 'rd'}

# ---- dates as people write them -------------------------------------------------------------------------------------

# {D} a day in any way, {O} an ordinal, {N} a number; {M} a month's name, {m} its number, {R} its Roman number; {Y} and
# {y} a year of four and of two digits; {W} the day of the week. Of numbers alone the day comes first, of those with
# slashes the month, and behind a year the month.
NAMED = ['the {O} of {M} {Y}', 'the {O} of {M}, {Y}', '{O} of {M} {Y}', '{D} {M} {Y}', '{D} {M}, {Y}', '{M} {D}, {Y}',
         '{M} {D} {Y}', '{M} the {O}, {Y}', '{W}, {D} {M} {Y}', '{W} {D} {M} {Y}', '{W}, {M} {D}, {Y}',
         '{W} the {O} of {M}, {Y}', '{W}, the {O} of {M} {Y}', '{N}-{M}-{Y}', '{N} {M} {y}', "{D} {M} '{y}",
         "{M} {D}, '{y}", '{N}-{M}-{y}', '{Y} {M} {N}', '{Y}, {M} {D}', '{Y}, the {O} of {M}',
         'in {Y}, on the {O} of {M}', 'in {M} {Y}, on the {O}', 'in the year {Y}, {M} {D}', '{M} {Y}, the {O}']
NUMBERS = ['{N}.{m}.{Y}', '{N}.{m}.{y}', '{N}. {m}. {Y}', '{N}-{m}-{Y}', '{N} {m} {Y}', '{N}.{R}.{Y}', '{m}/{N}/{Y}',
           '{m}/{N}/{y}', '{Y}/{m}/{N}', '{Y}-{m}-{N}', '{Y}.{m}.{N}']
AROUND = """she had a letter from her brother in the north and it was dated when we came to the end of the long war of that
            year nobody in the old house on the hill remembered at what hour the train left but all of them may meet
            again""".split()


def split():
    """Every day of YEARS: those to train on, and those held out."""
    first, end = datetime.date(YEARS[0], 1, 1), datetime.date(YEARS[-1] + 1, 1, 1)
    days = [first + datetime.timedelta(n) for n in range((end - first).days)]
    random.Random(0).shuffle(days)
    return days[HELD:], days[:HELD]


def ordinal(day):
    tens = {2: 'twenty-', 3: 'thirty-'}.get(day // 10, '')
    if day == 30:
        return 'thirtieth'
    return tens + ORDINALS[day % 10 - 1] if day > 20 else ORDINALS[day - 1]


def numbered(day):
    return f'{day}' + ('th' if day in (11, 12, 13) else ENDINGS.get(day % 10, 'th'))


def writings(day, choose):
    """What may stand for each letter of a form, and which part of 2009-05-03 it is: 0, 2, 4, or None."""
    zero = choose.random() < .4
    number = f'{day.day:02}' if zero else f'{day.day}'
    ordinals = choose.choice([numbered(day.day), ordinal(day.day)])
    month, short = MONTHS[day.month - 1], SHORT[day.month - 1]
    if short == 'Sep' and choose.random() < .5:
        short = 'Sept'
    if short != month and choose.random() < .3:
        short += '.'
    name = DAYS[day.weekday()]
    return {'D': (choose.choice([number, ordinals]), 4), 'O': (ordinals, 4), 'N': (number, 4),
            'M': (choose.choice([month, month, short]), 2), 'm': (f'{day.month:02}' if zero else f'{day.month}', 2),
            'R': (ROMAN[day.month - 1], 2), 'Y': (f'{day.year}', 0), 'y': (f'{day.year % 100:02}', 0),
            'W': (choose.choice([name, name[:3]]), None)}


def write(day, choose):
    """A date in some form, as a list of (text, part). Two digits of a year are those from 1930 to 2029."""
    forms = NAMED if choose.random() < .7 else NUMBERS
    form = choose.choice(forms)
    while '{y}' in form and day.year >= 2030:
        form = choose.choice(forms)
    if choose.random() < .2:
        form = ' '.join(around(choose, 12) + [form] + around(choose, 6))
    elif choose.random() < .2:
        form = 'on ' + form
    form += choose.choice('.?!') if choose.random() < .1 else ''
    letters = writings(day, choose)
    return [letters[piece[1]] if piece[:1] == '{' else (piece, None) for piece in re.split(r'(\{\w\})', form) if piece]


def around(choose, most):
    """Some words that stand beside a date, most of which are <unk> to the model."""
    count = choose.randint(0, most)
    begin = choose.randint(0, len(AROUND) - count)
    return AROUND[begin:begin + count]


# ---- the vocabulary -------------------------------------------------------------------------------------------------

def vocabulary():
    words = 'the of on in at year'.split() + [x.lower() for x in MONTHS + SHORT + ['Sept'] + ROMAN + DAYS]
    words += [day[:3].lower() for day in DAYS] + ORDINALS + ['thirtieth', 'twenty', 'thirty']
    numbers = [f'{n}' for n in range(1, 10)] + [f'{n:02}' for n in range(100)] + [f'{n}' for n in YEARS]
    endings = ['##st', '##nd', '##rd', '##th']
    return list(dict.fromkeys(['<s>', '<pad>', '</s>', '<unk>', *"-./,'", *words, *endings, *numbers]))


PIECES = vocabulary()
ID = {piece: i for i, piece in enumerate(PIECES)}


def word_pieces(word):
    """The longest piece first, or <unk>: WordPiece, of words without capitals."""
    found, at = [], 0
    while at < len(word):
        mark = '##' if at else ''
        end = next((e for e in range(len(word), at, -1) if mark + word[at:e] in ID), None)
        if end is None:
            return [UNK]
        found.append(ID[mark + word[at:end]])
        at = end
    return found


def words_of(text):
    return re.findall(r'\w+|[^\w\s]', text.lower())


def target(day):
    return [ID[f'{day.year}'], ID['-'], ID[f'{day.month:02}'], ID['-'], ID[f'{day.day:02}'], EOS]


class Pair:
    def __init__(self, day, choose):
        parts = write(day, choose)
        self.text, self.day, self.target = ''.join(text for text, _ in parts), day, target(day)
        self.words, self.source, self.word_of, self.links = [], [], [], []
        for text, part in parts:
            for word in words_of(text):
                pieces = word_pieces(word)
                if part is not None and word.isalnum():
                    self.links.append((len(self.words), part))
                self.source += pieces
                self.word_of += [len(self.words)] * len(pieces)
                self.words.append(word)
        self.source.append(EOS)

    def line(self):
        links = ' '.join(f'{i}-{j}' for i, j in self.links)
        return json.dumps({'a': ' '.join(self.words), 'b': f'{self.day.year} - {self.day.month:02} - {self.day.day:02}',
                           'alignment': links, 'text': self.text}, ensure_ascii=False)


# ---- the network ----------------------------------------------------------------------------------------------------

def tree(**parts):
    """A module of named parts, so that the parameters' names are the hub's."""
    module = nn.Module()
    for name, part in parts.items():
        setattr(module, name, part)
    return module


class Attention(nn.Module):
    def __init__(self):
        super().__init__()
        for name in ('q_proj', 'k_proj', 'v_proj', 'out_proj'):
            setattr(self, name, nn.Linear(HIDDEN, HIDDEN))

    def forward(self, x, seen, mask=None):
        """x [B,T,H] asks, seen [B,S,H] is looked at; mask [T,S] is added to the scores. Also the weights [B,A,T,S]."""
        query, key, value = (part(y).view(*y.shape[:2], HEADS, -1).transpose(1, 2)
                             for part, y in ((self.q_proj, x), (self.k_proj, seen), (self.v_proj, seen)))
        scores = query @ key.transpose(-1, -2) / math.sqrt(HIDDEN // HEADS)
        weights = torch.softmax(scores if mask is None else scores + mask, -1)
        return self.out_proj((weights @ value).transpose(1, 2).flatten(2)), weights


class Layer(nn.Module):
    """Each part is added to its input and normalised (BART's post-norm)."""

    def __init__(self, decoder):
        super().__init__()
        self.self_attn, self.self_attn_layer_norm = Attention(), nn.LayerNorm(HIDDEN)
        if decoder:
            self.encoder_attn, self.encoder_attn_layer_norm = Attention(), nn.LayerNorm(HIDDEN)
        self.fc1, self.fc2 = nn.Linear(HIDDEN, FEED_FORWARD), nn.Linear(FEED_FORWARD, HIDDEN)
        self.final_layer_norm = nn.LayerNorm(HIDDEN)

    def forward(self, x, mask, memory):
        weights = None
        x = self.self_attn_layer_norm(x + self.self_attn(x, x, mask)[0])
        if memory is not None:
            context, weights = self.encoder_attn(x, memory)
            x = self.encoder_attn_layer_norm(x + context)
        return self.final_layer_norm(x + self.fc2(F.gelu(self.fc1(x)))), weights


class Bart(nn.Module):
    def __init__(self):
        super().__init__()
        stacks = {name: tree(embed_positions=nn.Embedding(POSITIONS + 2, HIDDEN),
                             layernorm_embedding=nn.LayerNorm(HIDDEN),
                             layers=nn.ModuleList(Layer(name == 'decoder') for _ in range(LAYERS)))
                  for name in ('encoder', 'decoder')}
        self.model = tree(shared=nn.Embedding(len(PIECES), HIDDEN), **stacks)
        self.register_buffer('final_logits_bias', torch.zeros(1, len(PIECES)))
        for module in self.modules():
            if isinstance(module, (nn.Linear, nn.Embedding)):
                nn.init.normal_(module.weight, 0, .1 if isinstance(module, nn.Embedding) else HIDDEN ** -.5)
            if isinstance(module, nn.Linear):
                nn.init.zeros_(module.bias)

    def stack(self, stack, ids, mask=None, memory=None):
        """Positions begin at row 2 of their table. Also the weights of cross-attention, layer by layer."""
        x = self.model.shared(ids) + stack.embed_positions.weight[2:2 + ids.shape[1]]
        x, crosses = stack.layernorm_embedding(x), []
        for layer in stack.layers:
            x, weights = layer(x, mask, memory)
            crosses.append(weights)
        return x, crosses

    def encode(self, source):
        return self.stack(self.model.encoder, source)[0]

    def decode(self, memory, ids):
        mask = torch.full((ids.shape[1],) * 2, -math.inf).triu(1)
        x, crosses = self.stack(self.model.decoder, ids, mask, memory)
        return x @ self.model.shared.weight.T + self.final_logits_bias, crosses

    def forward(self, source, target):
        begun = F.pad(target[:, :-1], (1, 0), value=BOS)
        return self.decode(self.encode(source), begun)


# ---- files ----------------------------------------------------------------------------------------------------------

def tokenizer_json():
    """WordPiece of words without capitals; a text ends with </s>; what is generated is joined without blanks."""
    def replace(old, new):
        return {'type': 'Replace', 'pattern': {'String': old}, 'content': new}
    added = [dict(id=i, content=PIECES[i], special=True, normalized=False, single_word=False, lstrip=False,
                  rstrip=False) for i in range(4)]
    end = {'SpecialToken': {'id': '</s>', 'type_id': 0}}
    first, second = ({'Sequence': {'id': name, 'type_id': 0}} for name in 'AB')
    return dict(version='1.0', truncation=None, padding=None, added_tokens=added,
                normalizer={'type': 'Sequence',
                            'normalizers': [replace('’', "'"), replace('–', '-'), {'type': 'Lowercase'}]},
                pre_tokenizer={'type': 'BertPreTokenizer'},
                post_processor={'type': 'TemplateProcessing', 'single': [first, end], 'pair': [first, end, second, end],
                                'special_tokens': {'</s>': {'id': '</s>', 'ids': [EOS], 'tokens': ['</s>']}}},
                decoder={'type': 'Metaspace', 'replacement': '▁', 'prepend_scheme': 'never', 'split': True},
                model={'type': 'WordPiece', 'unk_token': '<unk>', 'continuing_subword_prefix': '##',
                       'max_input_chars_per_word': 100, 'vocab': ID})


def write_model(model, folder):
    """The hub's layout, with model.safetensors in F16."""
    header, blobs, offset = {'__metadata__': {'format': 'pt'}}, [], 0
    for name, tensor in model.state_dict().items():
        blob = tensor.half().contiguous().numpy().tobytes()
        header[name] = {'dtype': 'F16', 'shape': list(tensor.shape), 'data_offsets': [offset, offset + len(blob)]}
        offset += len(blob)
        blobs.append(blob)
    text = json.dumps(header, separators=(',', ':')).encode()
    text += b' ' * (-len(text) % 8)
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, 'model.safetensors'), 'wb') as file:
        file.writelines([len(text).to_bytes(8, 'little'), text, *blobs])
    ids = dict(bos_token_id=BOS, pad_token_id=PAD, eos_token_id=EOS, decoder_start_token_id=BOS)
    config = dict(architectures=['BartForConditionalGeneration'], model_type='bart', is_encoder_decoder=True,
                  vocab_size=len(PIECES), d_model=HIDDEN, max_position_embeddings=POSITIONS, activation_function='gelu',
                  encoder_layers=LAYERS, encoder_attention_heads=HEADS, encoder_ffn_dim=FEED_FORWARD,
                  decoder_layers=LAYERS, decoder_attention_heads=HEADS, decoder_ffn_dim=FEED_FORWARD,
                  num_hidden_layers=LAYERS, scale_embedding=False, tie_word_embeddings=True, dropout=0.0,
                  attention_dropout=0.0, activation_dropout=0.0, init_std=.1, torch_dtype='float16', **ids,
                  forced_eos_token_id=None)
    settings = dict(tokenizer_class='PreTrainedTokenizerFast', model_max_length=POSITIONS, bos_token='<s>',
                    pad_token='<pad>', eos_token='</s>', unk_token='<unk>', clean_up_tokenization_spaces=False)
    for name, value in (('config', config), ('generation_config', dict(**ids, max_new_tokens=8)),
                        ('tokenizer_config', settings), ('tokenizer', tokenizer_json())):
        with open(os.path.join(folder, name + '.json'), 'w', encoding='utf-8') as file:
            json.dump(value, file, indent=1, ensure_ascii=False)
            file.write('\n')


def read_model(folder):
    with open(os.path.join(folder, 'model.safetensors'), 'rb') as file:
        header = json.loads(file.read(int.from_bytes(file.read(8), 'little')))
        data = bytearray(file.read())
    model, state = Bart(), {}
    for name, entry in header.items():
        if name != '__metadata__':
            begin, end = entry['data_offsets']
            state[name] = torch.frombuffer(data[begin:end], dtype=torch.half).reshape(entry['shape']).float()
    model.load_state_dict(state)
    return model


# ---- figures --------------------------------------------------------------------------------------------------------

def batches(pairs, size):
    """Pairs whose sources have one length, so that none needs padding."""
    waiting = {}
    for pair in pairs:
        batch = waiting.setdefault(len(pair.source), [])
        batch.append(pair)
        if len(batch) == size:
            yield waiting.pop(len(pair.source))
    yield from waiting.values()


def tensors(batch):
    return torch.tensor([pair.source for pair in batch]), torch.tensor([pair.target for pair in batch])


@torch.no_grad()
def generate(model, source):
    """Greedy, as many tokens as a date has."""
    ids, memory = torch.full((len(source), 1), BOS), model.encode(source)
    for _ in range(6):
        ids = torch.cat([ids, model.decode(memory, ids)[0][:, -1].argmax(-1, keepdim=True)], 1)
    return ids[:, 1:]


def held_pairs(seed):
    choose = random.Random(f'held {seed}')
    return [Pair(day, choose) for day in split()[1]]


class Alignment:
    """Links of one head: each target word, at the step that reads it or that says it, to the source word with the
    greatest weight, that of its pieces summed; </s> is no word. Of hyphens nothing is known, so they have no links."""

    def __init__(self):
        self.right = self.found = self.known = self.weight = 0

    def count(self, weights, pair, shift):
        """weights [T,S]; row j says word j, row j + 1 reads it."""
        self.known += len(pair.links)
        for part in (0, 2, 4):
            sums = [0.0] * len(pair.words)
            for at, word in enumerate(pair.word_of):
                sums[word] += weights[part + shift][at]
            self.found += 1
            self.weight += sum(sums[word] for word, of in pair.links if of == part)
            self.right += (sums.index(max(sums)), part) in pair.links

    def row(self):
        """The error rate of Och and Ney (2003), in which all known links are sure; precision, recall; and how much of
        the weight is on the words that are known."""
        return (1 - 2 * self.right / (self.found + self.known), self.right / self.found, self.right / self.known,
                self.weight / self.found)


def answers(model, pairs):
    """Each batch with what the model makes of it."""
    for batch in batches(pairs, 500):
        source, target = tensors(batch)
        said = generate(model, source)
        yield batch, said, (said == target).all(1)


@torch.no_grad()
def without(model, layer, head, pairs):
    """The share that is right without that cross-attention head."""
    weight, size = model.model.decoder.layers[layer].encoder_attn.out_proj.weight, HIDDEN // HEADS
    kept = weight.clone()
    weight[:, head * size:(head + 1) * size] = 0
    right = sum(int(hits.sum()) for _, _, hits in answers(model, pairs))
    weight.copy_(kept)
    return right / len(pairs)


@torch.no_grad()
def figures(model, pairs):
    right, heads = 0, [(layer, head) for layer in range(LAYERS) for head in range(HEADS)]
    table = {(row, *of): Alignment() for row in ('said', 'read') for of in heads}
    for batch, said, hits in answers(model, pairs):
        right += int(hits.sum())
        for pair, ids, hit in zip(batch, said, hits):
            if not hit:
                print(f'    {pair.text} → ' + ''.join(PIECES[i] for i in ids))
        crosses = [cross.tolist() for cross in model(*tensors(batch))[1]]
        for i, pair in enumerate(batch):
            for (row, layer, head), counts in table.items():
                counts.count(crosses[layer][i][head], pair, row == 'read')
    print(f'{right} of {len(pairs)} are right\n')
    print('| row | head | error rate | precision | recall | weight | right without it |\n|---|---|---|---|---|---|---|')
    for (row, *of), counts in table.items():
        rest = f'{without(model, *of, pairs):.1%}' if row == 'said' else ''
        print('| {} | x{}.{} | {:.3f} | {:.3f} | {:.3f} | {:.3f} | {} |'.format(row, *of, *counts.row(), rest))


# ---- training -------------------------------------------------------------------------------------------------------

def stream(seed, size):
    """Batches without end: every day once in each round, in another form each time."""
    choose, days = random.Random(f'train {seed}'), split()[0]
    while True:
        choose.shuffle(days)
        round_of = list(batches((Pair(day, choose) for day in days), size))
        choose.shuffle(round_of)
        yield from round_of


def train(a):
    torch.manual_seed(a.seed)
    model, begin, told, total = Bart(), time.time(), 0, 0.0
    print(f'{sum(p.numel() for p in model.parameters())} parameters, {len(PIECES)} pieces')
    tool = torch.optim.AdamW(model.parameters(), lr=0, betas=(.9, .98), weight_decay=a.decay)
    stuff = stream(a.seed, a.batch)
    for step in range(1, a.steps + 1):
        for group in tool.param_groups:
            group['lr'] = a.lr * min(step / 200, (a.steps - step) / (a.steps - 200))
        source, target = tensors(next(stuff))
        loss = F.cross_entropy(model(source, target)[0].flatten(0, 1), target.flatten())
        tool.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1)
        tool.step()
        total += float(loss)
        if step % a.every == 0:
            print(f'step {step}, {time.time() - begin:.0f} s, loss {total / a.every:.4f}', flush=True)
            total = 0.0
    write_model(model, a.out)
    figures(read_model(a.out), held_pairs(a.seed))


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest='command', required=True)
    learn, count, pairs = (commands.add_parser(name) for name in ('train', 'figures', 'pairs'))
    for command in (learn, count, pairs):
        command.add_argument('--seed', type=int, default=1)
        command.add_argument('--threads', type=int, default=1, help='of which the last bits depend (1)')
    learn.add_argument('--out', required=True, help='folder to write')
    learn.add_argument('--steps', type=int, default=4000, help='(4000)')
    learn.add_argument('--batch', type=int, default=128, help='pairs of a step (128)')
    learn.add_argument('--lr', type=float, default=2e-3, help='highest rate; it falls in a line to zero (2e-3)')
    learn.add_argument('--decay', type=float, default=.01, help='of weights, as AdamW has it (0.01)')
    learn.add_argument('--every', type=int, default=200, help='steps between two lines of progress (200)')
    count.add_argument('--model', required=True)
    pairs.add_argument('--count', type=int, default=1000)
    return parser.parse_args()


def main():
    a = arguments()
    torch.set_num_threads(a.threads)
    if a.command == 'train':
        train(a)
    elif a.command == 'figures':
        figures(read_model(a.model), held_pairs(a.seed))
    else:
        for pair in held_pairs(a.seed)[:a.count]:
            print(pair.line())


if __name__ == '__main__':
    main()
