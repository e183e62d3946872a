'use strict';
/* The page that headlight writes with --page: the head view, the model view, the matrix of a head,
 * the answers, and what a survey found. The data stand in the element "headlight" as JSON; all
 * that is foreign in them (tokens, texts, names) reaches the document as text, never as markup.
 *
 * `state` and `point` are plain values. Whoever changes the state calls update(), which draws
 * everything from it, once a frame. What lies under the pointer changes `point` alone and calls
 * hover(), which only draws what lies above the picture: pointing must not wait for a long text.
 *
 * l is a layer, h a head, i the token that looks, j the token looked at, w the weight, all by
 * their number in the data; LEFT and RIGHT are the two columns of tokens. */

/* ---- Small things ---- */
const $ = id => document.getElementById(id);
const LEFT = 0, RIGHT = 1;
const range = n => [...Array(n).keys()];
const clamp = (x, least, most) => Math.max(least, Math.min(most, x));
const sum = values => values.reduce((all, x) => all + x, 0);
const digits = w => w.toFixed(Math.abs(w) < .0995 ? 3 : 2);
const several = (n, thing) => `${n} ${thing}${n === 1 ? '' : 's'}`;

/* What cannot be seen, or would turn the text around it, is shown by its number. */
const UNSEEN = /[\u0000-\u001f\u007f-\u00a0\u200b\u200e\u200f\u2028-\u202f\u2060-\u206f\ufeff]/g;
const visible = text => String(text).replace(UNSEEN, c => `\\u{${c.codePointAt(0).toString(16)}}`);

function element(name, attributes = {}, ...children) {
  const made = Object.assign(document.createElement(name), attributes);
  made.append(...children);
  return made;
}

function shape(name, attributes, text) {
  const made = document.createElementNS(document.querySelector('svg').namespaceURI, name);
  for (const key in attributes) made.setAttribute(key, attributes[key]);
  if (text !== undefined) made.textContent = text;
  return made;
}

const FONT = 'system-ui, "Segoe UI", Roboto, "Noto Sans", sans-serif';
const pen = document.createElement('canvas').getContext('2d');
const widthOf = text => pen.measureText(text).width;

/* The text, cut with an ellipsis to what the pen's font has room for. */
function cut(text, most) {
  if (widthOf(text) <= most) return text;
  const letters = [...text];
  while (letters.length > 1 && widthOf(letters.join('') + '…') > most) letters.pop();
  return letters.join('') + '…';
}

/* ---- The data ---- */
/* The file has (2^bits − 1)·√w, so that small weights keep their digits. */
function readWeights({ weights = '' }, bits = 8) {
  const bytes = atob(weights), size = bits / 8, largest = 2 ** bits - 1;
  const read = new Float32Array(bytes.length / size);
  for (let k = 0; k < read.length; k++) {
    const low = bytes.charCodeAt(size * k), high = size === 2 ? bytes.charCodeAt(2 * k + 1) : 0;
    read[k] = ((low + 256 * high) / largest) ** 2;
  }
  return read;
}

function readText(source, whole) {
  const rows = source.tokens.map(visible), none = rows.map(() => 0);
  const { layers, heads } = source.layers ? source : whole;
  return {
    source, rows, layers, heads,
    columns: source.columns ? source.columns.map(visible) : rows,
    segments: source.columns ? none : source.segments || none,
    special: source.columns ? none : source.special || none,
    layerNames: source.layer_numbers || range(layers),
    headNames: source.head_numbers || range(heads),
    sentence: sentenceOf(source), name: visible(source.title || '') || sentenceOf(source),
    weights: readWeights(source, whole.bits), edges: [],
  };
}

const sentenceOf = ({ texts = [], tokens }) => texts.length
  ? texts.map(text => `“${visible(text)}”`).join(' · ') : visible(tokens.join(' '));

/* Neighbours of the same word are one group, special tokens each one of their own. */
function wordGroups({ source: { words }, segments }) {
  const groups = [];
  words.forEach((word, k) => {
    const joins = k && word !== null && word === words[k - 1] && segments[k] === segments[k - 1];
    if (joins) groups.at(-1).push(k); else groups.push([k]);
  });
  return groups;
}

const hasPieces = text => !text.source.columns && !!text.source.words &&
  wordGroups(text).length < text.rows.length;

/* To a word goes the sum of what its pieces get; from a word, the mean of what they give. */
function mergeWords(text) {
  const groups = wordGroups(text), n = groups.length, T = text.rows.length, group = [];
  const weights = new Float32Array(text.layers * text.heads * n * n);
  groups.forEach((members, g) => members.forEach(k => { group[k] = g; }));
  text.weights.forEach((w, k) => {
    const map = Math.floor(k / (T * T)), i = group[Math.floor(k / T) % T], j = group[k % T];
    weights[(map * n + i) * n + j] += w / groups[i].length;
  });
  const first = values => groups.map(([k]) => values[k]);
  const rows = groups.map(members => members.map((k, at) =>
    at ? text.rows[k].replace(/^##/, '') : text.rows[k]).join(''));
  return { ...text, rows, columns: rows, weights, edges: [],
    segments: first(text.segments), special: first(text.special) };
}

const data = JSON.parse($('headlight').textContent);
const survey = data.survey;
const texts = [...data.tokens.length ? [data] : [], ...data.more || []]
  .map(source => readText(source, data));
let text = null;                               // what is shown: a text, or the same in words

const weight = (l, h, i, j) =>
  text.weights[((l * text.heads + h) * text.rows.length + i) * text.columns.length + j];
const does = (l, h) => visible(text.source.does?.[l]?.[h] ?? '');
const named = (l, h) => `Layer ${text.layerNames[l]}, head ${text.headNames[h]}`;
const isPair = () => text.segments.includes(1);

/* ---- The state ---- */
const state = {
  view: 'head', text: 0, layer: 0, head: 0, on: [], pair: 'all', special: true, words: false,
  least: null,                                 // lines from this weight up; null: chosen for it
  own: false, theme: '', figure: 0,
};
let pin = null;                                // a token that was clicked: {side, i}
let point = null;                              // under the pointer: {side, i}, {h, i, j}, {head}
let peek = null;                               // the cell of a head under the pointer: {l, h}

const isLine = at => at !== null && 'j' in at;
const isToken = at => at !== null && 'side' in at;
const focus = () => isToken(point) ? point : pin;
const headsOn = () => range(text.heads).filter(h => state.on[h]);
const inHand = () => peek || { l: state.layer, h: isLine(point) ? point.h : state.head };

/* ---- Colours ---- */
/* The program's own hues (draw/theme.c): eight, and eight more of another lightness, all told
 * apart by colour-blind eyes as far as sixteen can be. */
const HUES = {
  dark: ['7a96ff', 'e88002', '6caf8e', 'd87ab1', 'cd72eb', 'af9f4a', '08b1cc', 'fb6479',
    'b8cae3', 'fdb963', '61ea7d', 'ffb2d4', 'dac0fc', 'd5d41d', '15dfff', 'e6beb8'],
  light: ['3852f8', '995700', '2e7a5d', 'a4458b', '8f40b6', '736a46', '057a9b', 'bc3a3e',
    '2031b3', '773003', '0a5743', '712c58', '523081', '444a1b', '2f485f', '871536'],
};
const GROUND = { dark: [25, 25, 28], light: [255, 255, 255] };
let theme = 'light';                           // looked up once for each draw: it is slow

const hue = h => '#' + HUES[theme][h % 16];
const parts = colour => [1, 3, 5].map(k => parseInt(colour.slice(k, k + 2), 16));
const mix = (colour, share) =>
  colour.map((c, k) => Math.round(GROUND[theme][k] + (c - GROUND[theme][k]) * share));
const shade = w => w ** .6;                    // weak weights are seen, too
const LEVELS = 255;
const levelOf = w => Math.round(LEVELS * Math.sqrt(Math.min(1, w)));

/* A colour from nothing to 1, made once: [r, g, b] at each level of √w. */
const ramps = {};
const ramp = colour => ramps[theme + colour] ??=
  range(LEVELS + 1).map(q => mix(parts(colour), .03 + .97 * shade((q / LEVELS) ** 2)));

/* Black or white, whichever can be read on it. */
const light = ([r, g, b]) => .2126 * r ** 2.2 + .7152 * g ** 2.2 + .0722 * b ** 2.2;
const inkOn = colour => light(colour) > .18 * 255 ** 2.2 ? '#111' : '#fff';

/* ---- Which lines ---- */
const LINES_MOST = 2500;                       // more than can be told apart, or drawn at once

const isAllowed = (i, j) => (state.special || !text.special[i] && !text.special[j]) &&
  (state.pair === 'all' || 'ab'[text.segments[i]] + 'ab'[text.segments[j]] === state.pair);

/* Connections from a weight up, the strongest first. */
function connections(l, heads, rows, columns, least) {
  const found = [];
  for (const h of heads)
    for (const i of rows)
      for (const j of columns) {
        const w = weight(l, h, i, j);
        if (w >= least) found.push({ h, i, j, w });
      }
  return found.sort((a, b) => b.w - a.w);
}

/* All of a layer, sorted once. */
const edgesOf = l => text.edges[l] ??= connections(l, range(text.heads),
  range(text.rows.length), range(text.columns.length), .01);

/* As many lines as can be told apart: the strongest, and of each head at least a few, for one
 * that looks everywhere has none among them. */
function strongest(l, on) {
  const n = text.rows.length, heads = on.filter(Boolean).length, seen = Array(on.length).fill(0);
  const most = Math.round(n * (1.5 + 2.5 * heads / text.heads)), few = Math.ceil(n / 6);
  const allowed = edgesOf(l).filter(e => on[e.h] && isAllowed(e.i, e.j));
  if (state.least !== null) return allowed.filter(e => e.w >= state.least).slice(0, LINES_MOST);
  return allowed.filter((e, k) => seen[e.h]++ < few || k < most && e.w >= .05);
}

/* What one token looks at, or what looks at it. */
const linesOf = ({ side, i }) => connections(state.layer, headsOn(),
  side ? range(text.rows.length) : [i], side ? [i] : range(text.columns.length), .02)
  .filter(e => isAllowed(e.i, e.j));

/* ---- The geometry of lines ---- */
/* Where tokens and lines stand in a picture of this width. bars: room for a bar of each head. */
function geometry(width, height, bars) {
  const narrow = width < 560, pair = isPair(), n = Math.max(text.rows.length, text.columns.length);
  const top = bars ? 22 : 6, row = clamp((height - top - 10) / (n + .5 * pair), bars ? 14 : 5, 44);
  const font = clamp(row * .74, 5, bars ? 16 : 13), bar = narrow ? 2 : text.heads > 12 ? 3 : 5;
  pen.font = `${font}px ${FONT}`;
  const labels = [text.rows, text.columns].map(names =>
    names.map(name => cut(name, width * (narrow ? .24 : .18))));
  const words = Math.max(...labels.flat().map(widthOf)), barred = bars ? text.heads * (bar + 1) : 0;
  const number = bars && !narrow ? 40 : 0;     // a narrow picture has bars or numbers, not both
  const x0 = (narrow ? Math.min(barred, 34) : barred) + number + words + (bars ? 22 : 14);
  const y = k => top + row * (k + .5) + (pair && text.segments[k] ? row * .5 : 0);
  return { width, height: y(n - 1) + row * .5 + 6, narrow, pair, row, font, labels, words, x0,
    x1: width - x0, y, bar: narrow ? Math.min(2, 34 / text.heads - 1) : bar,
    stub: (width - 2 * x0) * .05 };
}

/* Every line has a lane of its own at both ends, sorted by the token at its other end, so that few
 * cross: copies with a and b, the heights of the ends, and `thick`. fan: the side whose token's
 * lines may spread over its neighbours, for in one row the strong ones would become hairs. */
function inLanes(lines, place, fan) {
  const { row } = place, alone = fan !== undefined;
  const laid = lines.map(e => ({ ...e, gap: alone ? .4 : .9, fit: 1,
    thick: Math.min(row * .3, alone ? .5 + 6 * e.w : .8 + 4.2 * e.w) }));
  laneEnds(laid, place, 'i', 'j', 'a', fan === LEFT ? 1.6 : .8);
  laneEnds(laid, place, 'j', 'i', 'b', fan === RIGHT ? 1.6 : .8);
  return laid;
}

function laneEnds(lines, { row, y }, end, other, height, room) {
  const groups = [];
  for (const e of lines) (groups[e[end]] ??= []).push(e);
  for (const group of groups.filter(Boolean)) {
    group.sort((a, b) => a[other] - b[other] || a.h - b.h);
    const tall = sum(group.map(e => e.thick + e.gap)), fit = Math.min(1, row * room / tall);
    let top = y(group[0][end]) - tall * fit / 2;
    for (const e of group) {
      const lane = (e.thick + e.gap) * fit;
      e[height] = top + lane / 2;
      e.fit = Math.min(e.fit, fit);
      top += lane;
    }
  }
}

function stroke(e, { x0, x1, stub }, alone) {
  const a = e.a.toFixed(1), b = e.b.toFixed(1), middle = (x0 + x1) / 2;
  const opacity = .35 + .65 * (alone ? Math.sqrt(e.w) : e.w);
  return shape('path', {
    d: `M${x0},${a}h${stub}C${middle},${a} ${middle},${b} ${x1 - stub},${b}H${x1}`,
    stroke: hue(e.h), 'stroke-width': (e.thick * Math.max(.45, e.fit)).toFixed(2),
    opacity: opacity.toFixed(2) });
}

/* Weak lines lie under strong ones. */
const strokes = (lines, place, alone) => lines.toReversed().map(e => stroke(e, place, alone));

/* How far along its height a line is at x: the same for all lines, so the one under the pointer is
 * found with a multiplication each. The curve's x is inverted by halving. */
function along(x, { x0, x1, stub }) {
  const middle = (x1 - x0) / 2, at = clamp(x - x0, stub, x1 - x0 - stub);
  let low = 0, high = 1;
  for (let k = 0; k < 20; k++) {
    const t = (low + high) / 2, u = 1 - t;
    const here = u ** 3 * stub + 3 * u * t * middle + t ** 3 * (x1 - x0 - stub);
    if (here < at) low = t; else high = t;
  }
  return low * low * (3 - 2 * low);
}

/* ---- The head view ---- */
/* What is drawn: its place, the lines that can be pointed at, and the groups that change. */
let drawn = { lines: [], base: [] };

function drawLines() {
  const svg = $('lines'), below = $('answers').offsetHeight, narrow = innerWidth <= 1000;
  const top = svg.getBoundingClientRect().top + scrollY + (narrow ? 0 : below);
  const place = geometry(svg.clientWidth || 300, innerHeight - top - 46, true);
  const base = inLanes(strongest(state.layer, state.on), place);
  drawn = { place, base, lines: base, labels: labels(place),
    strokes: shape('g'), fan: shape('g'), single: shape('g') };
  drawn.strokes.append(...strokes(base, place));
  picture(svg, place, ...headings(place), ...sides(place), drawn.strokes, drawn.fan,
    drawn.single, ...drawn.labels.flat());
}

function picture(svg, { width, height, font }, ...shapes) {
  svg.setAttribute('viewBox', `0 0 ${width} ${height}`);
  svg.setAttribute('height', height);
  svg.setAttribute('font-size', font);
  svg.replaceChildren(...shapes);
}

const headings = ({ x0, x1, narrow }) => [
  shape('text', { x: x0 - 12, y: 13, class: 'note', 'text-anchor': 'end' },
    narrow ? 'from' : 'this token looks'),
  shape('text', { x: x1 + 12, y: 13, class: 'note' }, narrow ? 'to' : 'at these')];

/* A stroke beside the tokens of each of two sentences. */
function sides({ x0, x1, y, row, pair }) {
  if (!pair) return [];
  const first = text.segments.indexOf(1), last = text.segments.length - 1;
  return [[0, first - 1], [first, last]].flatMap(([from, to]) => [x0 - 3, x1 + 2].map(x =>
    shape('rect', { class: 'side', x, y: y(from) - row * .4, width: 1.5,
      height: y(to) - y(from) + row * .8 })));
}

function labels({ labels, x0, x1, y, font }) {
  const names = [text.rows, text.columns];
  return labels.map((side, s) => side.map((label, k) => {
    const made = shape('text', { x: s ? x1 + 12 : x0 - 12, y: (y(k) + font * .35).toFixed(1),
      'text-anchor': s ? 'start' : 'end' }, label);
    if (label !== names[s][k]) made.append(shape('title', {}, names[s][k]));
    return made;
  }));
}

/* A little bar for each head beside each token; valueOf(h, k) up to 1. A path for each head. */
function bars(place, side, valueOf) {
  const { row, y, bar, width } = place, tall = Math.min(row * .8, 30);
  const left = side ? width - text.heads * (bar + 1) : 0;
  return headsOn().map(h => {
    const d = range(place.labels[side].length).map(k => {
      const high = tall * valueOf(h, k);
      const x = (left + h * (bar + 1)).toFixed(1), foot = (y(k) + row * .4).toFixed(1);
      return high < .4 ? '' : `M${x},${foot}v-${high.toFixed(1)}h${bar}v${high.toFixed(1)}z`;
    });
    return shape('path', { class: 'bar', fill: hue(h), d: d.join('') });
  });
}

/* ---- What lies above the head view: the token, line or head pointed at ---- */
const toOther = (at, h, k) =>
  at.side ? weight(state.layer, h, k, at.i) : weight(state.layer, h, at.i, k);

const meanToOther = (at, k) =>
  sum(headsOn().map(h => toOther(at, h, k))) / (headsOn().length || 1);

/* A token's own lines, the bars and the mean of its heads beside the tokens on the other side. */
function fanOf(at) {
  const { place } = drawn, other = 1 - at.side, out = other ? 1 : -1;
  const made = strokes(drawn.lines, place, true);
  if (!place.narrow) made.push(...bars(place, other, (h, k) => toOther(at, h, k)));
  const x = place.narrow ? other * place.width
    : (other ? place.x1 : place.x0) + out * (place.words + 22);
  place.labels[other].forEach((_, k) => {
    const mean = meanToOther(at, k);
    if (mean >= .01) made.push(shape('text', {
      x, y: (place.y(k) + place.font * .35).toFixed(1), 'font-size': Math.min(13, place.font),
      'text-anchor': place.narrow === !!other ? 'end' : 'start',
      class: mean > .2 ? 'strong' : mean < .05 ? 'fade' : '' }, digits(mean)));
  });
  return made;
}

/* The ground of a token that is meant. */
function pill(side, k) {
  const { x0, x1, y, row, words } = drawn.place;
  return shape('rect', { class: 'pill', x: side ? x1 + 5 : x0 - 19 - words, y: y(k) - row * .46,
    width: words + 14, height: row * .92, rx: 6 });
}

const isMeant = (at, side, k) => isLine(point) && (side ? point.j : point.i) === k ||
  at !== null && at.side === side && at.i === k;

function labelClass(at, side, k) {
  if (isMeant(at, side, k)) return 'strong';
  const looked = !at || at.side !== side && headsOn().some(h => toOther(at, h, k) >= .05);
  return looked ? '' : 'fade';
}

function drawFan() {
  const at = focus(), { place } = drawn;
  drawn.lines = at ? inLanes(linesOf(at), place, at.side) : drawn.base;
  const meant = [LEFT, RIGHT].flatMap(side => range(place.labels[side].length)
    .filter(k => isMeant(at, side, k)).map(k => pill(side, k)));
  drawn.fan.replaceChildren(...meant, ...at ? fanOf(at) : []);
  drawn.labels.forEach((side, s) => side.forEach((label, k) =>
    label.setAttribute('class', labelClass(at, s, k))));
}

/* One line, or those of one head, before the others, which fade. */
function drawSingle() {
  const at = focus(), line = isLine(point), head = point !== null && 'head' in point;
  const mine = drawn.lines.filter(e => line
    ? e.h === point.h && e.i === point.i && e.j === point.j : head && e.h === point.head);
  drawn.single.replaceChildren(...strokes(mine, drawn.place, true));
  drawn.single.setAttribute('class', line ? 'line' : '');
  drawn.strokes.setAttribute('class', at ? 'away' : line || head ? 'dim' : '');
}

function drawHover() {
  if (!text) return;
  if (state.view === 'head') {
    drawFan();
    drawSingle();
    $('say').textContent = sentence();
  }
  const { l, h } = inHand();
  if (l !== sheet.l || h !== sheet.h) drawMatrix();
  markMatrix();
  if ($('table').open) drawTable();
}

/* ---- Grids of heads: the thumbnails, and a survey's figures ---- */
/* Names across and down, and a button for each head, one of them in the order of Tab. */
function buildGrid(grid, layerNames, headNames, { cell, choose, look }) {
  grid.style.gridTemplateColumns = `22px repeat(${headNames.length}, minmax(0, 1fr))`;
  grid.replaceChildren(element('span'));
  for (const name of headNames) grid.append(element('small', { textContent: name }));
  const cells = [];
  layerNames.forEach((name, l) => {
    const row = element('button', { textContent: name, tabIndex: -1,
      onclick: () => { state.layer = l; update(); } });
    row.setAttribute('aria-label', `layer ${name}`);
    grid.append(row);
    headNames.forEach((_, h) => {
      const button = element('button', { className: 'head-cell', onclick: () => choose(l, h),
        onmouseenter: () => look({ l, h }), onmouseleave: () => look(null) }, ...cell(l, h));
      cells.push({ l, h, button, row });
      grid.append(button);
    });
  });
  grid.onkeydown = event => walkGrid(event, cells, headNames.length);
  return cells;
}

/* Arrows go from head to head inside a grid. */
function walkGrid(event, cells, across) {
  const step = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -across, ArrowDown: across }[event.key];
  const at = cells.findIndex(cell => cell.button === document.activeElement);
  if (!step || at < 0 || event.ctrlKey || event.altKey || event.metaKey) return;
  event.preventDefault();
  event.stopPropagation();
  cells[clamp(at + step, 0, cells.length - 1)].button.focus();
}

function markGrid(cells, l, h) {
  for (const cell of cells) {
    const here = cell.l === l && cell.h === h;
    cell.button.classList.toggle('layer', cell.l === l);
    cell.button.classList.toggle('chosen', here);
    cell.button.tabIndex = here ? 0 : -1;
    cell.row.classList.toggle('row', cell.l === l);
  }
}

/* ---- The model view ---- */
let thumbs = [], painted = '';

function buildThumbs() {
  const look = at => { peek = at; hover(); };
  painted = '';
  thumbs = buildGrid($('grid'), text.layerNames, text.headNames, {
    cell: (l, h) => [element('canvas'),
      element('small', { className: 'does', textContent: does(l, h) })],
    choose: (l, h) => { state.layer = l; state.view = 'head'; peek = null; alone(h); },
    look });
  for (const { l, h, button } of thumbs) {
    const name = `${named(l, h)}${does(l, h) ? ': ' + does(l, h) : ''}`;
    button.setAttribute('aria-label', button.title = name);
    button.onfocus = () => { if (button.matches(':focus-visible')) look({ l, h }); };
    button.onblur = () => look(null);
  }
}

/* A pixel shows the largest weight under it: of a long text the mean would be a grey. */
function paintThumb(canvas, l, h, size) {
  const m = text.rows.length, n = text.columns.length, across = Math.min(size, Math.max(m, n));
  const [tall, wide] = [Math.min(across, m), Math.min(across, n)];
  const most = new Float32Array(tall * wide), colours = ramp(hue(h));
  for (let i = 0; i < m; i++)
    for (let j = 0; j < n; j++) {
      const k = Math.floor(i * tall / m) * wide + Math.floor(j * wide / n);
      most[k] = Math.max(most[k], weight(l, h, i, j));
    }
  const scale = state.own ? 1 / Math.max(.001, ...most) : 1, pixels = new ImageData(wide, tall);
  most.forEach((w, k) => pixels.data.set([...colours[levelOf(w * scale)], 255], 4 * k));
  canvas.width = wide;
  canvas.height = tall;
  canvas.getContext('2d').putImageData(pixels, 0, 0);
}

/* In the model view the whole grid is on one screen, with what heads do where there is room. */
function fitGrid() {
  const { layers, heads } = text, high = (innerHeight - $('grid').offsetTop - 30) / layers - 5;
  const said = high >= 66, cell = clamp(said ? high - 15 : high, 26, 130);
  const width = state.view === 'model' && innerWidth > 1000 ? (cell + 5) * heads + 27 : 0;
  $('grid').classList.toggle('said', state.view === 'model' && said);
  $('grid').style.width = width ? `${width}px` : '';
}

function drawThumbs() {
  fitGrid();
  markGrid(thumbs, state.layer, state.head);
  const size = Math.round((thumbs[0].button.clientWidth || 24) * devicePixelRatio);
  const now = [theme, state.own, state.words, state.text, size].join();
  if (now !== painted)
    for (const { l, h, button } of thumbs) paintThumb(button.firstChild, l, h, Math.max(8, size));
  painted = now;
}

/* ---- Matrices ---- */
/* Where a matrix has its cells: on the screen, and which head it shows. */
let sheet = {};

/* Draws names and cells; answers where the cells begin and how large they are. */
function heat(canvas, { width, rows, columns, value, colour, least, cell }) {
  pen.font = `12px ${FONT}`;
  const words = Math.min(width * (columns.length > 33 ? .2 : .3),
    Math.max(...rows.map(widthOf), ...columns.map(widthOf)) + 8);
  const size = Math.max(cell || 0, Math.min(44, (width - words) / columns.length));
  const [w, h] = [words + size * columns.length, words + size * rows.length];
  const scale = clamp(4096 / Math.max(w, h), 1, Math.max(devicePixelRatio, 2));
  canvas.width = w * scale;
  canvas.height = h * scale;
  canvas.style.width = `${w}px`;
  canvas.style.height = `${h}px`;
  const g = canvas.getContext('2d'), colours = ramp(colour);
  g.scale(scale, scale);
  g.font = `${clamp(size * .48, 7, 11)}px ${FONT}`;
  g.textAlign = 'center';
  g.textBaseline = 'middle';
  rows.forEach((_, i) => columns.forEach((_, j) =>
    heatCell(g, words + j * size, words + i * size, size, value(i, j), colours, least)));
  heatNames(g, rows, columns, words, size);
  return { words, size, width: w, height: h };
}

function heatCell(g, x, y, size, w, colours, least) {
  const ground = colours[levelOf(w)], gap = size > 6 ? 1 : 0;
  g.fillStyle = `rgb(${ground.join()})`;
  g.fillRect(x, y, size - gap, size - gap);
  if (size < 15 || w < least) return;
  g.fillStyle = inkOn(ground);
  g.fillText(w > .995 ? '1' : w.toFixed(2).slice(1), x + size / 2 - .5, y + size / 2);
}

function heatNames(g, rows, columns, words, size) {
  const font = Math.min(12, size * .95), at = k => words + (k + .5) * size;
  if (font < 6.5) return;
  pen.font = g.font = `${font}px ${FONT}`;
  g.fillStyle = getComputedStyle(document.documentElement).getPropertyValue('--dim');
  g.textAlign = 'right';
  rows.forEach((name, k) => g.fillText(cut(name, words - 8), words - 5, at(k)));
  g.textAlign = 'left';
  g.rotate(-Math.PI / 2);
  columns.forEach((name, k) => g.fillText(cut(name, words - 8), 5 - words, at(k)));
}

function drawMatrix() {
  const { l, h } = inHand(), large = state.view === 'matrix';
  const place = heat($('matrix'), {
    width: $('sheet').clientWidth || 360, rows: text.rows, columns: text.columns,
    value: (i, j) => weight(l, h, i, j), colour: hue(h), least: large ? .005 : .095,
    cell: large ? 22 : 0 });
  sheet = { ...place, l, h };
  $('which').textContent = named(l, h) + (does(l, h) ? `: ${does(l, h)}` : '');
  if (state.view === 'model' || state.view === 'matrix') drawOne(l, h);
}

/* The lines of the head in hand, under its matrix or beside it. */
function drawOne(l, h) {
  const svg = $('one'), on = range(text.heads).map(k => k === h);
  const room = innerHeight - svg.getBoundingClientRect().top - scrollY - 34;
  const place = geometry(svg.clientWidth || 360, clamp(room, 220, 420), false);
  const lines = inLanes(strongest(l, on), place), names = place.font < 7 ? [] : labels(place);
  picture(svg, place, ...sides(place), ...strokes(lines, place), ...names.flat());
}

/* A frame around the cell, row or column that is meant. */
function markMatrix() {
  const at = isLine(point) ? point : focus(), { words, size, l, h, width, height } = sheet;
  const [i, j] = !at ? [] : isLine(at) ? [at.i, at.j] : at.side ? [undefined, at.i] : [at.i];
  const span = (k, all) => k === undefined ? [words, all - words] : [words + k * size, size];
  const [[x, across], [y, down]] = [span(j, width), span(i, height)];
  $('mark').setAttribute('viewBox', `0 0 ${width} ${height}`);
  $('mark').style.width = `${width}px`;
  $('mark').replaceChildren(...at ? [shape('rect', { x, y, width: across, height: down })] : []);
  $('cell').textContent = isLine(at) && !peek
    ? `${text.rows[at.i]} → ${text.columns[at.j]}: ${digits(weight(l, h, at.i, at.j))}`
    : `Rows look at columns; ${theme === 'dark' ? 'brighter' : 'darker'} is more.`;
}

/* ---- A sentence about what is on the screen; the table; the answers ---- */
function headsSaid() {
  const on = headsOn();
  if (on.length === 1) return named(state.layer, on[0]);
  const all = on.length === text.heads ? 'all ' : '';
  return `Layer ${text.layerNames[state.layer]}, ${all}${on.length} heads`;
}

/* Of a token: the three it looks at most, or that look at it most. */
function strongestOthers(at) {
  const allowed = k => at.side ? isAllowed(k, at.i) : isAllowed(at.i, k);
  const others = (at.side ? text.rows : text.columns)
    .map((name, k) => ({ name, mean: allowed(k) ? meanToOther(at, k) : 0 }))
    .filter(({ mean }) => mean >= .01).sort((a, b) => b.mean - a.mean).slice(0, 3);
  return others.map(({ name, mean }) => `“${name}” ${digits(mean)}`).join(', ') || 'nothing';
}

const lineSaid = ({ h, i, j }) => `${named(state.layer, h)}: “${text.rows[i]}” gives ` +
  `“${text.columns[j]}” ${digits(weight(state.layer, h, i, j))} of its attention.`;

function tokenSaid(at) {
  const name = (at.side ? text.columns : text.rows)[at.i];
  const looks = at.side ? 'is looked at most by' : 'looks most at';
  const mean = headsOn().length > 1 ? ' (mean of the heads)' : '';
  return `${headsSaid()}: “${name}” ${looks} ${strongestOthers(at)}${mean}.`;
}

function sentence() {
  const at = focus(), { base } = drawn;
  if (isLine(point)) return lineSaid(point);
  if (!headsOn().length) return 'No head is on: click one of the boxes.';
  if (at) return tokenSaid(at);
  const from = base.length ? ` from ${digits(base.at(-1).w)} to ${digits(base[0].w)}` : '';
  return `${headsSaid()}: ${several(base.length, 'line')}${from}. Point at a token or a line, ` +
    'or tap one.';
}

function drawTable() {
  const lines = state.view === 'head' ? drawn.lines : strongest(state.layer, state.on);
  $('rows').replaceChildren(...lines.toSorted((a, b) => b.w - a.w).slice(0, 40).map(e => tableRow(
    [text.rows[e.i], text.columns[e.j], text.layerNames[state.layer], text.headNames[e.h],
      digits(e.w)])));
}

const tableRow = values =>
  element('tr', {}, ...values.map(textContent => element('td', { textContent })));

/* A name with its share as a bar; with what it was before something was changed. */
function chip({ text: name, share, value, before }) {
  const number = share ?? value, bar = element('i');
  const made = element('span', { className: 'chip' }, visible(name ?? ''), ' ',
    number === undefined ? '' : digits(number));
  if (before !== undefined) made.append(element('span', {
    className: before < number ? 'more' : before > number ? 'less' : '',
    textContent: ` ← ${digits(before)}` }));
  if (share !== undefined) {
    bar.style.width = `${76 * clamp(share, 0, 1)}px`;
    made.append(bar);
  }
  return made;
}

const answerRow = ({ name, says }) => element('span', { className: 'says' },
  ...name ? [element('b', { textContent: visible(name) })] : [], ...says.map(chip));

function buildAnswers() {
  const answers = text.source.answers || [];
  $('answers').replaceChildren(...answers.map(({ title, rows }) => element('div', {},
    element('h2', { textContent: visible(title) }),
    element('div', { className: 'list' }, ...rows.map(answerRow)))));
  $('answers').hidden = !answers.length;
}

/* ---- The survey ---- */
let figureCells = [];

function buildSurvey() {
  $('survey-title').textContent = `What the heads do: ${visible(survey.name)}, ` +
    `${several(survey.texts, 'text')}, ${several(survey.tokens, 'token')}`;
  $('figure').append(...survey.figures.map((figure, k) =>
    element('option', { value: k, textContent: visible(figure.title || figure.name) })));
  $('figure').onchange = () => { state.figure = +$('figure').value; update(); };
  const names = [survey.layer_numbers || range(survey.layers),
    survey.head_numbers || range(survey.heads)];
  figureCells = buildGrid($('figures'), ...names, {
    cell: () => [], look: at => { peek = at; drawCard(); },
    choose: (l, h) => { state.layer = l; state.head = h; update(); } });
}

/* From nothing to the largest there is; what is below nothing has the other colour. */
function drawFigure() {
  const { mean, half } = survey.figures[state.figure];
  const most = Math.max(1e-9, ...mean.map(Math.abs)), style = getComputedStyle(document.body);
  for (const { l, h, button } of figureCells) {
    const k = l * survey.heads + h, value = mean[k], said = digits(value);
    const colour = style.getPropertyValue(value < 0 ? '--less' : '--more').trim();
    const ground = mix(parts(colour), .04 + .9 * Math.abs(value) / most);
    const between = half?.[k] ? ` ± ${digits(half[k])} (95 %)` : '';
    button.style.background = `rgb(${ground.join()})`;
    button.style.color = inkOn(ground);
    button.textContent = said;
    button.title = `layer ${l}, head ${h}: ${said}${between}`;
    button.setAttribute('aria-label', button.title);
  }
  markGrid(figureCells, state.layer, state.head);
}

function drawCard() {
  const { l, h } = peek || { l: state.layer, h: state.head };
  const card = survey.cards?.[l * survey.heads + h], at = figureCells[l * survey.heads + h];
  $('figure-is').textContent = `Layers down, heads across; ${at.button.title}.`;
  const made = card && CARD.filter(([name]) => card[name]?.length !== 0 && card[name])
    .map(([name, title, make]) => [element('h3', { textContent: title }), make(card[name])]);
  $('cardview').replaceChildren(element('h2', { textContent: `Layer ${l}, head ${h}` }),
    ...made?.flat() || ['Nothing more is known of it.']);
}

const cardChips = said => element('div', { className: 'says' }, ...said.map(chip));
const cardPieces = pieces => cardChips(pieces.map(([text, value]) => ({ text, value })));

const CARD = [
  ['does', 'What it does', cardChips],
  ['reach', 'How far it looks, in tokens', cardReach],
  ['relations', 'Relations', cardRelations],
  ['pos', 'From part of speech (down) to part of speech', cardPos],
  ['from', 'Pieces it looks from', cardPieces],
  ['at', 'Pieces it looks at', cardPieces],
  ['examples', 'Where it is strongest', cardExamples],
];

function cardReach({ from, names, shares }) {
  const most = Math.max(...shares), name = k => names ? names[k] : from + k;
  return element('div', { className: 'reach' }, ...shares.map((share, k) => {
    const bar = element('i'), at = String(name(k)).replace('-', '−');
    bar.style.height = `${42 * share / most}px`;
    return element('span', { title: `${at}: ${digits(share)}` }, bar, at);
  }));
}

function cardRelations(relations) {
  const row = ({ name, share, low, high, n, offset, offset_share: fixed }) =>
    tableRow([visible(name), `${digits(share)} (${digits(low)}–${digits(high)})`, n,
      `${digits(fixed)} at ${offset}`]);
  return element('table', {}, tableRow(['', 'found', 'of', 'by place alone']),
    ...relations.map(row));
}

function cardPos({ names, shares }) {
  const canvas = element('canvas'), seen = names.map(visible);
  heat(canvas, { width: $('cardview').clientWidth - 34, rows: seen, columns: seen,
    value: (i, j) => shares[i][j], colour: hue(0), least: .095 });
  return canvas;
}

function cardExamples(examples) {
  return element('div', {}, ...examples.map(({ words, from, to, weight }) => {
    const made = element('p', { className: 'example' });
    words.forEach((word, k) => made.append(k === from || k === to
      ? element('b', { className: k === to ? 'to' : 'from', textContent: visible(word) })
      : visible(word), ' '));
    made.append(element('small', { textContent: digits(weight) }));
    return made;
  }));
}

/* ---- Everything, once a frame ---- */
/* A view is what stands on the left and what on the right of it. */
const VIEWS = {
  survey: [['surveyview'], ['cardview']],
  head: [['headview', 'answers'], ['modelview', 'matrixview']],
  model: [['modelview'], ['matrixview', 'oneview']],
  matrix: [['matrixview'], ['modelview', 'oneview']],
};
const available = () => Object.keys(VIEWS).filter(view => view === 'survey' ? survey : text);

let standing = '';
function arrange() {
  const focused = document.activeElement;      // a node that moves would lose it
  for (const view of Object.keys(VIEWS))
    $('go-' + view).setAttribute('aria-pressed', view === state.view);
  if (standing === state.view) return;
  standing = document.body.className = state.view;
  $('rest').append(...$('left').children, ...$('right').children);
  $('left').append(...VIEWS[state.view][0].map($));
  $('right').append(...VIEWS[state.view][1].map($));
  focused?.focus?.({ preventScroll: true });
}

function drawControls() {
  const wide = innerWidth > 600, most = Math.min(text.heads, wide ? 16 : text.heads % 6 ? 4 : 6);
  $('heads').style.gridTemplateColumns = `repeat(${most}, minmax(0, 1fr))`;
  if (wide) $('filters').open = true;          // there, nothing is shown to open them with
  $('layer').value = state.layer;
  $('layer-is').textContent = `${text.layerNames[state.layer]} / ${text.layerNames.at(-1)}`;
  for (const button of $('pairs').children)
    button.setAttribute('aria-pressed', button.value === state.pair);
  $('auto').setAttribute('aria-pressed', state.least === null);
  for (const name of ['special', 'words', 'own']) $(name).setAttribute('aria-pressed', state[name]);
  [...$('heads').children].forEach(drawBox);
}

function drawBox(box, h) {
  const on = state.on[h], name = does(state.layer, h);
  box.style.borderColor = hue(h);
  box.style.background = on ? hue(h) : 'transparent';
  box.style.color = on ? inkOn(parts(hue(h))) : 'inherit';
  box.lastChild.textContent = name;
  box.setAttribute('aria-pressed', on);
  box.setAttribute('aria-label', `head ${text.headNames[h]}${name ? ': ' + name : ''}`);
}

function drawText() {
  drawControls();
  if (state.view === 'head') {
    drawLines();
    const least = state.least ?? drawn.base.at(-1)?.w ?? 0;
    $('least').value = Math.sqrt(least);
    $('least-is').textContent = digits(least);
  }
  drawThumbs();
  drawMatrix();
}

function draw() {
  const system = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
  theme = state.theme || system;
  document.documentElement.className = state.theme;
  arrange();
  if (state.view === 'survey') {
    drawFigure();
    drawCard();
  } else {
    drawText();
    drawHover();
  }
}

let due = 0, hovering = 0;
function update() {
  due ||= requestAnimationFrame(() => { due = 0; draw(); });
}

function hover() {
  hovering ||= requestAnimationFrame(() => { hovering = 0; if (!due) drawHover(); });
}

/* ---- What readers do ---- */
/* One head alone; once more, and all are back. */
function alone(h) {
  const was = state.head === h && state.on[h] && headsOn().length === 1;
  state.on = state.on.map((_, k) => was || k === h);
  state.head = h;
  point = null;
  update();
}

function toggle(h) {
  state.on[h] = !state.on[h];
  if (state.on[h]) state.head = h;
  update();
}

function put(next) {
  if (JSON.stringify(next) === JSON.stringify(point)) return;
  point = next;
  hover();
}

/* The token or line of the head view at the pointer. */
function under(event) {
  const box = $('lines').getBoundingClientRect(), { place } = drawn;
  const x = event.clientX - box.left, y = event.clientY - box.top;
  const side = x < place.x0 + 2 ? LEFT : x > place.x1 - 2 ? RIGHT : null;
  if (side !== null) {
    const i = range(place.labels[side].length).find(k => Math.abs(y - place.y(k)) <= place.row / 2);
    return i === undefined ? null : { side, i };
  }
  const share = along(x, place), far = e => Math.abs(e.a + (e.b - e.a) * share - y);
  const best = drawn.lines.reduce((best, e) => far(e) < (best ? far(best) : 6) ? e : best, null);
  return best && { h: best.h, i: best.i, j: best.j };
}

function clickLines(event) {
  const at = under(event);
  if (isLine(at)) {
    state.head = at.h;
    put(at);
  } else {
    pin = at && pin && at.side === pin.side && at.i === pin.i ? null : at;
    point = null;
  }
  update();
}

/* The cell of the matrix at the pointer. */
function pointAtCell({ clientX, clientY }) {
  const { x, y } = $('matrix').getBoundingClientRect();
  const cell = from => Math.floor((from - sheet.words) / sheet.size);
  const i = cell(clientY - y), j = cell(clientX - x);
  put(i in text.rows && j in text.columns ? { h: sheet.h, i, j } : null);
}

function listenToPointer() {
  const mouse = act => event => { if (event.pointerType === 'mouse') act(event); };
  $('lines').addEventListener('pointermove', mouse(event => put(under(event))));
  $('lines').addEventListener('pointerleave', mouse(() => put(null)));
  $('lines').addEventListener('click', clickLines);
  for (const kind of ['pointermove', 'click']) $('matrix').addEventListener(kind, pointAtCell);
  $('matrix').addEventListener('pointerleave', () => put(null));
}

function stepLayer(by) {
  state.layer = clamp(state.layer + by, 0, text.layers - 1);
}

function stepToken(by) {
  const side = pin ? pin.side : LEFT, n = text[side ? 'columns' : 'rows'].length;
  pin = { side, i: pin ? (pin.i + by + n) % n : by > 0 ? 0 : n - 1 };
}

function otherSide() {
  if (pin && text.rows.length === text.columns.length) pin = { side: 1 - pin.side, i: pin.i };
}

function reset() {
  Object.assign(state, { on: text.headNames.map(() => true), pair: 'all', special: true,
    least: null });
  pin = null;
}

function nextView() {
  const views = available();
  state.view = views[(views.indexOf(state.view) + 1) % views.length];
}

const KEYS = {
  ArrowLeft: () => stepLayer(-1), ArrowRight: () => stepLayer(1),
  ArrowUp: () => stepToken(-1), ArrowDown: () => stepToken(1),
  Enter: otherSide, Escape: reset, m: nextView,
  t: () => { state.theme = theme === 'dark' ? 'light' : 'dark'; },
};

/* Digits name a head: two of them, typed quickly, one from ten up. */
let typed = '', typedAt = 0;
function typeHead(digit, now) {
  const both = typed + digit, quick = now - typedAt < 700 && text.headNames.includes(+both);
  [typed, typedAt] = [quick ? both : digit, now];
  const h = text.headNames.indexOf(+typed);
  if (h >= 0) alone(h);
}

/* What a slider, a list or a button does with a key is its own. */
function takesKey({ target, key }) {
  if (target.tagName === 'SELECT' || target.type === 'range') return key !== 'Escape';
  return key === 'Enter' && ['BUTTON', 'SUMMARY'].includes(target.tagName);
}

function press(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || takesKey(event)) return;
  if (text && /^\d$/.test(event.key)) return typeHead(event.key, event.timeStamp);
  if (!KEYS[event.key] || !text && event.key !== 't') return;
  KEYS[event.key]();
  point = peek = null;
  update();
  event.preventDefault();
}

/* ---- Beginning ---- */
function buildPairs() {
  const all = { all: 'all', aa: 'A→A', ab: 'A→B', ba: 'B→A', bb: 'B→B' };
  $('pairs').replaceChildren(...Object.entries(isPair() ? all : {}).map(([value, textContent]) =>
    element('button', { value, textContent, onclick: () => { state.pair = value; update(); } })));
}

function buildHeads() {
  $('heads').replaceChildren(...text.headNames.map((name, h) => element('button', {
    onclick: () => toggle(h), ondblclick: () => alone(h),
    onmouseenter: () => put(state.on[h] ? { head: h } : null), onmouseleave: () => put(null),
  }, String(name), element('small'))));
}

/* The text, or the same merged into words, and all that depends on its tokens. */
function showTokens() {
  const whole = texts[state.text];
  text = state.words ? whole.merged ??= mergeWords(whole) : whole;
  pin = point = peek = null;
  const names = [...new Set(text.rows.filter((_, i) => text.special[i]))].slice(0, 2);
  $('special').hidden = !names.length;
  $('special').textContent = `with ${names.join(' ')}`;
  buildPairs();
  painted = '';
}

/* A text of the list. Layer, head and filters stay where the next one has them, too. */
function choose(k) {
  const before = text;
  state.text = k;
  state.words &&= hasPieces(texts[k]);
  showTokens();
  if (!before || before.heads !== text.heads || before.layers !== text.layers) state.on = [];
  begin(text.source.start);
  buildHeads();
  buildThumbs();
  buildAnswers();
  tellText();
  update();
}

/* Where the text's own data begin; the first view is a matter of the page. */
function begin({ layer, head, heads, token } = {}) {
  state.layer = clamp(layer ?? state.layer, 0, text.layers - 1);
  state.head = clamp(head ?? state.head, 0, text.heads - 1);
  if (heads || !state.on.length) state.on = range(text.heads).map(h => !heads || heads.includes(h));
  if (token !== undefined) pin = { side: LEFT, i: token };
}

function tellText() {
  const { sentence, rows, columns, layers, heads, source } = text;
  const size = rows === columns ? several(rows.length, 'token')
    : `${rows.length} × ${several(columns.length, 'token')}`;
  const changed = (source.changes || []).map(visible).join(', ');
  $('title').textContent = $('title').title = sentence;
  document.title = `${sentence} – headlight`;
  $('about').textContent = `Attention of ${visible(data.model)}: ${several(layers, 'layer')} × ` +
    `${several(heads, 'head')}, ${size}${changed && ` · changed: ${changed}`}`;
  $('words').hidden = !hasPieces(texts[state.text]);
  $('layer').max = layers - 1;
  $('texts').value = state.text;
  $('back').disabled = state.text === 0;
  $('forth').disabled = state.text === texts.length - 1;
}

function listenToControls() {
  const flip = name => { state[name] = !state[name]; update(); };
  $('layer').oninput = event => { state.layer = +event.target.value; update(); };
  $('least').oninput = event => { state.least = event.target.value ** 2; update(); };
  $('auto').onclick = () => { state.least = null; update(); };
  $('special').onclick = () => flip('special');
  $('own').onclick = () => flip('own');
  $('words').onclick = () => { flip('words'); showTokens(); };
  $('theme').onclick = () => { KEYS.t(); update(); };
  $('texts').onchange = event => choose(+event.target.value);
  $('back').onclick = () => choose(state.text - 1);
  $('forth').onclick = () => choose(state.text + 1);
  $('table').ontoggle = drawHover;
  for (const view of Object.keys(VIEWS)) {
    $('go-' + view).onclick = () => { state.view = view; update(); };
    $('go-' + view).hidden = !available().includes(view);
  }
}

/* On paper the ground is white. */
function listenToWindow() {
  let before = '';
  addEventListener('keydown', press);
  addEventListener('resize', update);
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', update);
  addEventListener('beforeprint', () => { before = state.theme; state.theme = 'light'; draw(); });
  addEventListener('afterprint', () => { state.theme = before; draw(); });
}

function start() {
  $('texts').append(...texts.map(({ name }, value) =>
    element('option', { value, textContent: name })));
  state.view = survey ? 'survey' : data.start?.view || 'head';
  $('list').hidden = texts.length < 2;
  if (survey) buildSurvey();
  if (texts.length) choose(0);
  listenToControls();
  if (texts.length) listenToPointer();
  listenToWindow();
  for (const part of document.querySelectorAll('main, footer, #views')) part.hidden = false;
  draw();
}

start();
