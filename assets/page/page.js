'use strict';
/* The page that headlight writes with --html: the head view, the model view, the matrix of a head,
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

/* For the pointer, and for those who listen. */
const entitle = (button, title) => Object.assign(button, { title, ariaLabel: title });

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
const data = JSON.parse($('headlight').textContent), { survey } = data;

/* The file has (2^bits − 1)·√w, so that small weights keep their digits. */
function readWeights({ weights, bits }) {
  const bytes = atob(weights), size = bits / 8, largest = 2 ** bits - 1;
  const read = new Float32Array(bytes.length / size);
  for (let k = 0; k < read.length; k++) {
    const low = bytes.charCodeAt(size * k), high = size === 2 ? bytes.charCodeAt(2 * k + 1) : 0;
    read[k] = ((low + 256 * high) / largest) ** 2;
  }
  return read;
}

/* One attention of a text: the only one, or one of an encoder–decoder's three. Layers and heads go by
 * their place in the file; their names are their numbers in the model. A row of a decoder reads a
 * token and says the next one. */
function readSite(source) {
  const { tokens, columns = tokens, said, segments, special, layers, heads } = source;
  const crossed = columns !== tokens, none = tokens.map(() => 0);
  return { ...source, crossed, columns, special: [special, source.special_columns || special],
    rows: said ? tokens.map((name, i) => `${name} ▸ ${said[i]}`) : tokens,
    segments: crossed ? none : segments, weights: readWeights(source), edges: [],
    layerNames: source.layer_numbers || range(layers),
    headNames: source.head_numbers || range(heads) };
}

function readText(source) {
  const sites = source.sites.map(readSite);
  const sentence = sentenceOf(source, sites.at(-1));
  return { source, sentence, name: source.title || sentence, sites };
}

const sentenceOf = ({ texts }, { tokens }) =>
  texts.length ? texts.map(text => `“${text}”`).join(' · ') : tokens.join(' ');

const texts = data.shown.map(readText);
let text = null;                               // the one that is shown, and its attention

const weight = (l, h, i, j) =>
  text.weights[((l * text.heads + h) * text.rows.length + i) * text.columns.length + j];
const labelsOf = side => side ? text.columns : text.rows;
const tokensOf = side => side ? text.columns : text.tokens;
const does = (l, h) => text.does?.[l]?.[h] ?? '';
const sees = (l, i, j) => (!text.past || j <= i) && Math.abs(i - j) <= (text.reach?.[l] ?? Infinity);
const touches = () => text.site === 'contacts';   // of letters of a protein, by all heads
const named = (l, h) => touches() ? 'All heads'
  : `Head ${{ cross: 'x', decoder: 'd' }[text.site] ?? ''}${text.layerNames[l]}.${text.headNames[h]}`;
const described = (l, h) => named(l, h) + (does(l, h) && `: ${does(l, h)}`);
const isPair = () => text.segments.includes(1);

/* ---- The state ---- */
const state = {
  view: 'head', text: 0, site: 0, layer: 0, head: 0, on: [], pair: 'all', special: true, figure: 0,
};
let pin = null;                                // a token that was clicked: {side, i}
let point = null;                              // under the pointer: {side, i}, {h, i, j}, {head}
let peek = null;                               // the cell of a head under the pointer: {l, h}

const isLine = at => at !== null && 'j' in at;
const focus = () => point !== null && 'side' in point ? point : pin;
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
const DARK = matchMedia('(prefers-color-scheme: dark)');
let theme = 'light', printing = false;         // on paper the ground is white

const hue = h => '#' + HUES[theme][h % 16];
const parts = colour => [1, 3, 5].map(k => parseInt(colour.slice(k, k + 2), 16));
const mix = (colour, share) =>
  colour.map((c, k) => Math.round(GROUND[theme][k] + (c - GROUND[theme][k]) * share));
const LEVELS = 255;
const levelOf = w => Math.round(LEVELS * Math.sqrt(Math.min(1, w)));

/* A colour from nothing to 1, made once: [r, g, b] at each level of √w; weak weights are seen. */
const ramps = {};
const ramp = colour => ramps[theme + colour] ??=
  range(LEVELS + 1).map(q => mix(parts(colour), .03 + .97 * (q / LEVELS) ** 1.2));

/* Black or white, whichever can be read on it. */
const light = ([r, g, b]) => .2126 * r ** 2.2 + .7152 * g ** 2.2 + .0722 * b ** 2.2;
const inkOn = colour => light(colour) > .18 * 255 ** 2.2 ? '#111' : '#fff';

/* ---- Which lines ---- */
const isAllowed = (i, j) => (state.special || !text.special[LEFT][i] && !text.special[RIGHT][j]) &&
  (state.pair === 'all' || 'ab'[text.segments[i]] + 'ab'[text.segments[j]] === state.pair);

/* The connections of a layer, the strongest first; those of a layer seen are kept. */
const edgesOf = l => text.edges[l] ??= connections(l);

function connections(l) {
  const found = [];
  const look = (h, i, j, w) => { if (w >= .01) found.push({ h, i, j, w }); };
  for (const h of range(text.heads))
    text.rows.forEach((_, i) => text.columns.forEach((_, j) => look(h, i, j, weight(l, h, i, j))));
  return found.sort((a, b) => b.w - a.w);
}

const edgesShown = () =>
  edgesOf(state.layer).filter(e => state.on[e.h] && isAllowed(e.i, e.j));

/* As many lines as can be told apart: the strongest, and of each head at least a few, for one
 * that looks everywhere has none among them. */
function strongest() {
  const n = text.rows.length, heads = headsOn().length, seen = Array(text.heads).fill(0);
  const most = Math.round(n * (1.5 + 2.5 * heads / text.heads)), few = Math.ceil(n / 6);
  return edgesShown().filter((e, k) => seen[e.h]++ < few || k < most && e.w >= .05);
}

/* What one token looks at, or what looks at it. */
const linesOf = ({ side, i }) => edgesShown().filter(e => (side ? e.j : e.i) === i && e.w >= .02);

/* ---- The geometry of lines ---- */
/* Where tokens and lines stand in a picture of this width. */
function geometry(width, height) {
  const narrow = width < 560, pair = isPair(), n = Math.max(text.rows.length, text.columns.length);
  const top = 22, row = clamp((height - top - 10) / (n + .5 * pair), 14, 44);
  const font = Math.min(row * .74, 16), bar = narrow ? 34 / text.heads - 1 : 4;
  pen.font = `${font}px ${FONT}`;
  const labels = [LEFT, RIGHT].map(side =>
    labelsOf(side).map(name => cut(name, width * (narrow ? .24 : .18) * (text.said ? 1.5 : 1))));
  const words = Math.max(...labels.flat().map(widthOf));
  const x0 = words + 22 + text.heads * (bar + 1);
  const y = k => top + row * (k + .5) + (pair && text.segments[k] ? row * .5 : 0);
  return { width, height: y(n - 1) + row * .5 + 6, narrow, pair, row, font, labels, words, x0,
    x1: width - x0, y, bar, stub: (width - 2 * x0) * .05 };
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
  const path = shape('path', {
    d: `M${x0},${a}h${stub}C${middle},${a} ${middle},${b} ${x1 - stub},${b}H${x1}`,
    stroke: hue(e.h), 'stroke-width': (e.thick * Math.max(.45, e.fit)).toFixed(2),
    opacity: opacity.toFixed(2) });
  return Object.assign(path, { line: { h: e.h, i: e.i, j: e.j } });
}

/* Weak lines lie under strong ones. */
const strokes = (lines, place, alone) => lines.toReversed().map(e => stroke(e, place, alone));

/* ---- The head view ---- */
/* What is drawn: its place, the lines that can be pointed at, and the groups that change. */
let drawn = { lines: [], base: [] };

function drawLines() {
  const svg = $('lines'), below = $('answers').offsetHeight, narrow = innerWidth <= 1000;
  const top = svg.getBoundingClientRect().top + scrollY + (narrow ? 0 : below);
  const place = geometry(svg.clientWidth || 300, innerHeight - top - 46);
  const base = inLanes(strongest(), place);
  drawn = { place, base, lines: base, labels: labels(place),
    strokes: shape('g'), fan: shape('g'), single: shape('g') };
  drawn.strokes.append(...strokes(base, place));
  svg.setAttribute('viewBox', `0 0 ${place.width} ${place.height}`);
  svg.setAttribute('height', place.height);
  svg.setAttribute('font-size', place.font);
  svg.replaceChildren(...headings(place), drawn.strokes, drawn.fan, drawn.single,
    ...drawn.labels.flat());
}

const headings = ({ x0, x1, narrow }) => [
  shape('text', { x: x0 - 12, y: 13, class: 'note', 'text-anchor': 'end' },
    text.said ? 'reads ▸ says' : touches() ? 'this' : narrow ? 'from' : 'this token looks'),
  shape('text', { x: x1 + 12, y: 13, class: 'note' },
    touches() ? 'touches' : narrow ? 'to' : 'at these')];

function labels({ labels, x0, x1, y, font }) {
  return labels.map((side, s) => side.map((label, k) => {
    const made = shape('text', { x: s ? x1 + 12 : x0 - 12, y: (y(k) + font * .35).toFixed(1),
      'text-anchor': s ? 'start' : 'end' }, label);
    if (label !== labelsOf(s)[k]) made.append(shape('title', {}, labelsOf(s)[k]));
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

/* A token's own lines, and the bars of its heads beside the tokens on the other side. */
const fanOf = at => [...strokes(drawn.lines, drawn.place, true),
  ...bars(drawn.place, 1 - at.side, (h, k) => toOther(at, h, k))];

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
    const row = element('button', { textContent: name, tabIndex: -1, ariaLabel: `layer ${name}`,
      onclick: () => { state.layer = l; update(); } });
    grid.append(row);
    headNames.forEach((_, h) => {
      const button = element('button', { className: 'head-cell', onclick: () => choose(l, h),
        onmouseenter: () => look({ l, h }), onmouseleave: () => look(null),
        onfocus: () => { if (button.matches(':focus-visible')) look({ l, h }); },
        onblur: () => look(null) }, ...cell(l, h));
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
    cell.button.classList.toggle('chosen', here);
    cell.button.tabIndex = here ? 0 : -1;
    cell.row.classList.toggle('row', cell.l === l);
  }
}

/* ---- The model view ---- */
let thumbs = [], painted = '';

function buildThumbs() {
  painted = '';
  thumbs = buildGrid($('grid'), text.layerNames, text.headNames, {
    cell: (l, h) => [element('canvas'),
      element('small', { className: 'does', textContent: does(l, h) })],
    choose: (l, h) => { state.layer = l; state.view = 'head'; peek = null; alone(h); },
    look: at => { peek = at; hover(); } });
  for (const { l, h, button } of thumbs) entitle(button, described(l, h));
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
  const pixels = new ImageData(wide, tall);
  most.forEach((w, k) => pixels.data.set([...colours[levelOf(w)], 255], 4 * k));
  Object.assign(canvas, { width: wide, height: tall });
  canvas.getContext('2d').putImageData(pixels, 0, 0);
}

/* In the model view the whole grid is on one screen, with what heads do where there is room. */
function fitGrid() {
  const high = (innerHeight - $('grid').offsetTop - 30) / text.layers - 5;
  const said = high >= 66, cell = clamp(said ? high - 15 : high, 26, 130);
  const width = state.view === 'model' && innerWidth > 1000 ? (cell + 5) * text.heads + 27 : 0;
  $('grid').classList.toggle('said', state.view === 'model' && said);
  $('grid').style.width = width ? `${width}px` : '';
}

function drawThumbs() {
  fitGrid();
  markGrid(thumbs, state.layer, state.head);
  const size = Math.round((thumbs[0].button.clientWidth || 24) * devicePixelRatio);
  const now = [theme, state.text, size].join();
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
  Object.assign(canvas, { width: w * scale, height: h * scale });
  Object.assign(canvas.style, { width: `${w}px`, height: `${h}px` });
  const g = canvas.getContext('2d'), colours = ramp(colour);
  g.scale(scale, scale);
  g.font = `${clamp(size * .48, 7, 11)}px ${FONT}`;
  g.textAlign = 'center';
  g.textBaseline = 'middle';
  g.strokeStyle = `rgb(${mix(GROUND[theme].map(c => 255 - c), .3).join()})`;
  rows.forEach((_, i) => columns.forEach((_, j) =>
    heatCell(g, words + j * size, words + i * size, size, value(i, j), colours, least)));
  heatNames(g, rows, columns, words, size);
  return { words, size, width: w, height: h };
}

/* What can't be seen, null, is hatched. */
function heatCell(g, x, y, size, w, colours, least) {
  if (w === null) return hatch(g, x, y, size);
  const ground = colours[levelOf(w)], gap = size > 6 ? 1 : 0;
  g.fillStyle = `rgb(${ground.join()})`;
  g.fillRect(x, y, size - gap, size - gap);
  if (size < 15 || w < least) return;
  g.fillStyle = inkOn(ground);
  g.fillText(w > .995 ? '1' : w.toFixed(2).slice(1), x + size / 2 - .5, y + size / 2);
}

function hatch(g, x, y, size) {
  const lines = Math.max(1, Math.round(size / 7)), step = size / lines;
  g.beginPath();
  for (let k = 1; k < 2 * lines; k++) {
    const [from, to] = [Math.min(k * step, size), Math.max(k * step - size, 0)];
    g.moveTo(x + to, y + from);
    g.lineTo(x + from, y + to);
  }
  g.stroke();
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
    value: (i, j) => sees(l, i, j) ? weight(l, h, i, j) : null, colour: hue(h), least: large ? .005 : .095,
    cell: large ? 22 : 0 });
  sheet = { ...place, l, h };
  $('which').textContent = described(l, h);
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
  const number = at => sees(l, at.i, at.j) ? digits(weight(l, h, at.i, at.j)) : 'can’t be seen';
  const masked = text.past || text.reach?.[l] != null ? ', hatched can’t be seen' : '';
  $('cell').textContent = isLine(at) && !peek
    ? `${text.rows[at.i]} → ${text.columns[at.j]}: ${number(at)}`
    : `Rows ${touches() ? 'touch' : 'look at'} columns; ` +
      `${theme === 'dark' ? 'brighter' : 'darker'} is more${masked}.`;
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
  const allowed = k => at.side ? isAllowed(k, at.i) : isAllowed(at.i, k), on = headsOn();
  const mean = k => sum(on.map(h => toOther(at, h, k))) / on.length;
  const others = tokensOf(1 - at.side)
    .map((name, k) => ({ name, mean: allowed(k) ? mean(k) : 0 }))
    .filter(({ mean }) => mean >= .01).sort((a, b) => b.mean - a.mean).slice(0, 3);
  return others.map(({ name, mean }) => `“${name}” ${digits(mean)}`).join(', ') || 'nothing';
}

const saysNext = i => text.said ? `, about to say “${text.said[i]}”` : '';

function lineSaid({ h, i, j }) {
  const a = `“${text.tokens[i]}”`, b = `“${text.columns[j]}”`, w = digits(weight(state.layer, h, i, j));
  if (touches()) return `The probability of ${a} touching ${b} is ${w}.`;
  if (!sees(state.layer, i, j)) return `${named(state.layer, h)}: ${a} can’t see ${b}.`;
  return `${named(state.layer, h)}: ${a} gives ${b} ${w} of its attention${saysNext(i)}.`;
}

function tokenSaid(at) {
  const name = tokensOf(at.side)[at.i];
  const looks = touches() ? 'touches most' : at.side ? 'is looked at most by' : 'looks most at';
  const mean = headsOn().length > 1 ? ' (mean of the heads)' : '';
  return `${headsSaid()}: “${name}” ${looks} ${strongestOthers(at)}${mean}` +
    `${at.side ? '' : saysNext(at.i)}.`;
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
  const lines = state.view === 'head' ? drawn.lines : strongest();
  $('rows').replaceChildren(...lines.toSorted((a, b) => b.w - a.w).slice(0, 40).map(e => tableRow(
    [text.rows[e.i], text.columns[e.j], text.layerNames[state.layer], text.headNames[e.h],
      digits(e.w)])));
}

const tableRow = values =>
  element('tr', {}, ...values.map(textContent => element('td', { textContent })));

/* A name with its share as a bar; with what it was before something was changed. */
function chip({ text: name, share, value, before }) {
  const number = share ?? value, bar = element('i');
  const made = element('span', { className: 'chip' }, name ?? '', ' ',
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

const answerRow = says => element('span', { className: 'says' },
  ...says[0].of ? [element('b', { textContent: says[0].of })] : [], ...says.map(chip));

/* What is said of one token stands in one row. */
const byToken = rows => [...new Set(rows.map(row => row.token))]
  .map(token => rows.filter(row => row.token === token));

function buildAnswers() {
  const answers = text.source.answers || [];
  $('answers').replaceChildren(...answers.map(({ title, rows }) => element('div', {},
    element('h2', { textContent: title }),
    element('div', { className: 'list' }, ...byToken(rows).map(answerRow)))));
  $('answers').hidden = !answers.length;
}

/* ---- The survey ---- */
let figureCells = [];

function buildSurvey() {
  $('survey-title').textContent = `What the heads do: ${survey.name}, ` +
    `${several(survey.texts, 'text')}, ${several(survey.tokens, 'token')}`;
  $('figure').append(...survey.figures.map((figure, k) =>
    element('option', { value: k, textContent: figure.title || figure.name })));
  $('figure').onchange = () => { state.figure = +$('figure').value; update(); };
  figureCells = buildGrid($('figures'), range(survey.layers), range(survey.heads), {
    cell: () => [], look: at => { peek = at; drawCard(); },
    choose: (l, h) => { state.layer = l; state.head = h; update(); } });
}

/* From nothing to the largest there is; what is below nothing has the other colour. */
function drawSurvey() {
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
    entitle(button, `head ${survey.mark}${l}.${h}: ${said}${between}`);
  }
  markGrid(figureCells, state.layer, state.head);
  drawCard();
}

function drawCard() {
  const { l, h } = peek || { l: state.layer, h: state.head };
  const k = l * survey.heads + h, card = survey.cards[k];
  $('figure-is').textContent = `Layers down, heads across; ${figureCells[k].button.title}.`;
  const made = CARD.filter(([name]) => card[name]?.length !== 0 && card[name])
    .flatMap(([name, title, make]) => [element('h3', { textContent: title }), make(card[name])]);
  $('cardview').replaceChildren(element('h2', { textContent: `Head ${survey.mark}${l}.${h}` }), ...made);
}

const cardChips = said => element('div', { className: 'says' }, ...said.map(chip));
const cardPieces = pieces => cardChips(pieces.map(([text, value]) => ({ text, value })));

const CARD = [
  ['does', 'What it does', cardChips],
  ['reach', 'How far it looks, in tokens', cardReach],
  ['relations', 'Relations', cardRelations],
  ['pos', 'Weight between parts of speech: rows look at columns', cardPos],
  ['from', 'Word pieces it looks from most', cardPieces],
  ['at', 'Word pieces it looks at most', cardPieces],
  ['examples', 'Where it is strongest', cardExamples],
];

function cardReach(shares) {
  const most = Math.max(...shares);
  return element('div', { className: 'reach' }, ...shares.map((share, k) => {
    const bar = element('i'), at = survey.distances[k].replace('-', '−');
    bar.style.height = `${42 * share / most}px`;
    return element('span', { title: `${at}: ${digits(share)}` }, bar, at);
  }));
}

function cardRelations(relations) {
  const row = ({ name, share, low, high, n, offset, offset_share: fixed }) =>
    tableRow([name, `${digits(share)} (${digits(low)}–${digits(high)})`, n,
      `${digits(fixed)} at ${offset}`]);
  return element('table', {}, tableRow(['', 'found', 'of', 'best fixed offset']),
    ...relations.map(row));
}

function cardPos(shares) {
  const canvas = element('canvas');
  heat(canvas, { width: $('cardview').clientWidth - 34, rows: survey.pos, columns: survey.pos,
    value: (i, j) => shares[i][j], colour: hue(0), least: .095 });
  return canvas;
}

function cardExamples(examples) {
  return element('div', {}, ...examples.map(({ words, from, to, weight }) => {
    const made = element('p', { className: 'example' });
    words.forEach((word, k) => made.append(k === from || k === to
      ? element('b', { className: k === to ? 'to' : 'from', textContent: word })
      : word, ' '));
    made.append(element('small', { textContent: digits(weight) }));
    return made;
  }));
}

/* ---- Everything, once a frame ---- */
/* A view is what stands on the left and what on the right of it. */
const VIEWS = {
  survey: [['surveyview'], ['cardview']],
  head: [['headview', 'answers'], ['modelview', 'matrixview']],
  model: [['modelview'], ['matrixview']],
  matrix: [['matrixview'], ['modelview']],
};
const available = () => Object.keys(VIEWS).filter(view => view === 'survey' ? survey : text);

let standing = '';
function arrange() {
  const focused = document.activeElement;      // a node that moves would lose it
  for (const view of Object.keys(VIEWS)) $('go-' + view).ariaPressed = view === state.view;
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
  for (const button of $('pairs').children) button.ariaPressed = button.value === state.pair;
  $('special').ariaPressed = state.special;
  [...$('heads').children].forEach(drawBox);
}

function drawBox(box, h) {
  const on = state.on[h], name = does(state.layer, h);
  box.style.borderColor = hue(h);
  box.style.background = on ? hue(h) : 'transparent';
  box.style.color = on ? inkOn(parts(hue(h))) : 'inherit';
  box.lastChild.textContent = name;
  box.ariaPressed = on;
  box.ariaLabel = `head ${text.headNames[h]}${name ? ': ' + name : ''}`;
}

function draw() {
  theme = DARK.matches && !printing ? 'dark' : 'light';
  arrange();
  if (state.view === 'survey') return drawSurvey();
  drawControls();
  if (state.view === 'head') drawLines();
  drawThumbs();
  drawMatrix();
  drawHover();
}

function onceAFrame(act) {
  let due = 0;
  return () => { due ||= requestAnimationFrame(() => { due = 0; act(); }); };
}
const update = onceAFrame(draw), hover = onceAFrame(drawHover);

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

/* The token or line of the head view at the pointer, or the line close to it. */
function under({ clientX, clientY }) {
  const box = $('lines').getBoundingClientRect(), { x0, x1, y, row, labels } = drawn.place;
  const x = clientX - box.left, side = x < x0 + 2 ? LEFT : x > x1 - 2 ? RIGHT : null;
  if (side === null) return [0, -2, 2, -4, 4]
    .map(far => document.elementFromPoint(clientX, clientY + far)?.line).find(Boolean) || null;
  const i = labels[side].findIndex((_, k) => Math.abs(clientY - box.top - y(k)) <= row / 2);
  return i < 0 ? null : { side, i };
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

const stepLayer = by => { state.layer = clamp(state.layer + by, 0, text.layers - 1); };

function stepToken(by) {
  const side = pin ? pin.side : LEFT, n = tokensOf(side).length;
  pin = { side, i: pin ? (pin.i + by + n) % n : by > 0 ? 0 : n - 1 };
}

function otherSide() {
  if (pin && !text.crossed) pin = { side: 1 - pin.side, i: pin.i };
}

/* All heads, or none if they are on already. */
function allHeads() {
  const all = headsOn().length < text.headNames.length;
  state.on = text.headNames.map(() => all);
}

function nextSite() {
  const { sites } = texts[state.text];
  if (sites.length > 1) attend((state.site + 1) % sites.length);
}

/* What the program's keys of the same names do. */
const KEYS = {
  ArrowLeft: () => stepLayer(-1), ArrowRight: () => stepLayer(1),
  ArrowUp: () => stepToken(-1), ArrowDown: () => stepToken(1),
  x: otherSide, Escape: () => { pin = null; }, a: allHeads, A: nextSite,
};

/* What a slider, a list or a button does with a key is its own. */
function takesKey({ target, key }) {
  if (target.tagName === 'SELECT' || target.type === 'range') return key !== 'Escape';
  return key === 'Enter' && ['BUTTON', 'SUMMARY'].includes(target.tagName);
}

function press(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || takesKey(event)) return;
  const head = text ? text.headNames.findIndex(name => String(name) === event.key) : -1;
  const act = head < 0 ? KEYS[event.key] : () => alone(head);
  if (!act || !text) return;
  act();
  point = peek = null;
  update();
  event.preventDefault();
}

/* ---- Beginning ---- */
function buildHeads() {
  $('heads').replaceChildren(...text.headNames.map((name, h) => element('button', {
    onclick: () => toggle(h), ondblclick: () => alone(h),
    onmouseenter: () => put(state.on[h] ? { head: h } : null), onmouseleave: () => put(null),
  }, String(name), element('small'))));
}

function buildSites() {
  const { sites } = texts[state.text];
  $('sites').hidden = $('key-sites').hidden = sites.length < 2;
  $('sites').replaceChildren(...sites.map(({ site, attention: title }, k) => element('button', {
    title, ariaPressed: k === state.site, onclick: () => attend(k) }, site ?? 'attention')));
}

/* Which lines can be left out depends on the text's tokens. */
function buildFilters() {
  const names = [...new Set([LEFT, RIGHT].flatMap(side =>
    tokensOf(side).filter((_, k) => text.special[side][k])))].slice(0, 2);
  const pairs = isPair() ? { all: 'all', aa: 'A→A', ab: 'A→B', ba: 'B→A', bb: 'B→B' } : {};
  $('special').hidden = !names.length;
  $('special').textContent = `with ${names.join(' ')}`;
  $('pairs').replaceChildren(...Object.entries(pairs).map(([value, textContent]) =>
    element('button', { value, textContent, onclick: () => { state.pair = value; update(); } })));
}

/* What a lesson says of the step. */
function buildLesson() {
  const { lesson } = text.source, parts = { text: '', look: 'Look', learnt: 'Learnt' };
  const run = said => typeof said === 'string' ? said
    : element(Object.keys(said)[0], {}, element('bdi', {}, Object.values(said)[0]));
  const part = ([name, title]) => lesson[name].length ? [element('div',
    { title, className: title && 'advice' },
    ...lesson[name].map(runs => element('p', { dir: 'auto' }, ...runs.map(run))))] : [];
  $('lesson').hidden = !lesson;
  $('lesson').replaceChildren(...lesson ? [
    element('h2', { textContent: `${state.text + 1} of ${texts.length}: ${text.name}` }),
    ...Object.entries(parts).flatMap(part),
    element('p', { className: 'dim', textContent: lesson.note })] : []);
}

/* A text of the list. Layer, head and filters stay as they are, unless its own data say where they
 * begin; the first view is a matter of the page. */
function choose(k) {
  const { source: { start = {} }, sites } = texts[k];
  state.text = k;
  attend(Math.max(0, sites.findIndex(({ site }) => site === start.site)), start);
}

/* One of the text's attentions, which may have other layers and heads. */
function attend(site, { layer, head, heads, token } = {}) {
  state.site = site;
  text = { ...texts[state.text], ...texts[state.text].sites[site] };
  pin = token === undefined ? null : { side: LEFT, i: token };
  point = peek = null;
  const { layerNames, headNames } = text;
  state.layer = clamp(layer === undefined ? state.layer : layerNames.indexOf(layer), 0, text.layers - 1);
  state.head = clamp(head === undefined ? state.head : headNames.indexOf(head), 0, text.heads - 1);
  if (heads || state.on.length !== text.heads)
    state.on = headNames.map(name => !heads || heads.includes(name));
  buildSites();
  buildFilters();
  buildHeads();
  buildThumbs();
  buildAnswers();
  buildLesson();
  tellText();
  update();
}

function tellText() {
  const { sentence, tokens, columns, source, crossed } = text;
  const size = crossed ? `${tokens.length} × ${several(columns.length, 'token')}`
    : several(tokens.length, 'token');
  const { changes } = source; // a recording's are a text
  const changed = typeof changes === 'string' ? changes : Object.entries(changes ?? {})
    .filter(([, value]) => value).map(([name, value]) => value === true ? name : `${name} ${value}`).join(', ');
  $('title').textContent = $('title').title = sentence;
  document.title = `${sentence} – headlight`;
  $('about').textContent = `${text.attention ?? 'Attention'} of ${data.model}: ` +
    `${several(text.layers, 'layer')} × ${several(text.heads, 'head')}, ${size}${changed && ` · changed: ${changed}`}`;
  $('layer').max = text.layers - 1;
  $('texts').value = state.text;
  $('back').disabled = state.text === 0;
  $('forth').disabled = state.text === texts.length - 1;
}

function listenToControls() {
  $('layer').oninput = event => { state.layer = +event.target.value; update(); };
  $('special').onclick = () => { state.special = !state.special; update(); };
  $('texts').onchange = event => choose(+event.target.value);
  $('back').onclick = () => choose(state.text - 1);
  $('forth').onclick = () => choose(state.text + 1);
  $('table').ontoggle = drawHover;
  for (const view of Object.keys(VIEWS)) {
    $('go-' + view).onclick = () => { state.view = view; update(); };
    $('go-' + view).hidden = !available().includes(view);
  }
}

function listenToWindow() {
  addEventListener('keydown', press);
  addEventListener('resize', update);
  DARK.addEventListener('change', update);
  for (const kind of ['beforeprint', 'afterprint'])
    addEventListener(kind, () => { printing = kind === 'beforeprint'; draw(); });
}

function start() {
  $('texts').append(...texts.map(({ name }, value) =>
    element('option', { value, textContent: name })));
  state.view = survey ? 'survey' : texts[0].source.start?.view || 'head';
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
