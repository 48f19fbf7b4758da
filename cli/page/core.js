'use strict';
// Small tools: elements, numbers, axes. Everything is drawn from the JSON within the page.

const results = JSON.parse(document.getElementById('results').textContent);
const colors = 8;  // of the palette --c0 ... in the style sheet
const dashes = ['', '7 3', '2 3', '9 3 2 3', '', '7 3', '2 3', '9 3 2 3'];

function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
}

function shape(tag, attributes, parent, text) {
  const made = document.createElementNS('http://www.w3.org/2000/svg', tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  if (text !== undefined) made.textContent = text;
  if (parent) parent.append(made);
  return made;
}

// Without trailing zeros; very large and very small numbers as powers of ten.
function number(value, digits = 6) {
  if (value === null || value === undefined) return 'none';
  if (value === 0) return '0';
  const size = Math.abs(value);
  if (size >= 1e7 || size < 1e-4) return Number(value.toPrecision(digits)).toExponential().replace('e+', 'e');
  return String(Number(value.toPrecision(digits)));
}

// Along an axis there is less room than in a table.
function tickText(value) {
  return Math.abs(value) >= 1e5 ? Number(value.toPrecision(4)).toExponential().replace('e+', 'e') : number(value, 4);
}

const pen = document.createElement('canvas').getContext('2d');
pen.font = '12px system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif';

// A name shortened in its middle to that many pixels: long names often differ at their end.
function shortened(name, room) {
  let [head, tail] = [Math.ceil(name.length / 2), Math.floor(name.length / 2)];
  let text = name;
  while (pen.measureText(text).width > room && head > 1) {
    head = Math.min(head - 1, 24);
    tail = Math.min(Math.max(tail - 1, 1), head);
    text = `${name.slice(0, head)}…${name.slice(-tail)}`;
  }
  return text;
}

// The names, each shortened to that many pixels; those that would look alike keep the part in which they differ.
function distinctly(names, room) {
  const texts = names.map((name) => shortened(name, room));
  return texts.map((text, k) => {
    const alike = names.filter((name, other) => texts[other] === text && name !== names[k]);
    if (!alike.length) return text;
    const firstApart = (other) => [...names[k]].findIndex((letter, at) => letter !== other[at]);
    const at = Math.max(0, Math.min(...alike.map(firstApart).map((place) => (place < 0 ? names[k].length - 1 : place))));
    return shortened(`…${names[k].slice(Math.max(0, at - 2))}`, room);
  });
}

const count = (value) => Number(value).toLocaleString('en-US');

// Round numbers that cover [low, high], about `wanted` of them.
function ticks(low, high, wanted) {
  if (!(high > low)) return [low];
  const rough = (high - low) / wanted;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 2.5, 5, 10].map((m) => m * power).find((s) => s >= rough);
  const list = [];
  for (let k = Math.ceil(low / step - 1e-9); k * step <= high + 1e-9 * step; k += 1) list.push(k === 0 ? 0 : k * step);
  return list;
}

function range(values) {
  let low = Infinity;
  let high = -Infinity;
  for (const value of values) {
    if (value < low) low = value;
    if (value > high) high = value;
  }
  return [low, high];
}

function padded([low, high], share = 0.04) {
  const room = (high - low || Math.abs(high) || 1) * share;
  return [low - room, high + room];
}

// A chart with axes: redrawn whenever its width changes.
class Chart {
  constructor(id, options, draw) {
    this.holder = document.getElementById(id);
    this.options = { height: 320, right: 14, top: 14, ...options };
    this.drawInside = draw;
    this.width = 0;
    new ResizeObserver(() => this.fit()).observe(this.holder);
  }

  fit() {
    this.resize(Math.max(280, Math.floor(this.holder.clientWidth)), this.options.height);
  }

  // On paper a chart takes half of an A4 page, or all of it: drawn at that size, its text has the
  // usual size.
  fitPaper() {
    if (this.options.isWhole) this.resize(690, 150);
    else this.resize(330, Math.round(0.9 * this.options.height));
  }

  resize(width, height) {
    if (width === this.width && height === this.height) return;
    this.width = width;
    this.height = height;
    this.draw();
  }

  draw() {
    if (this.width === 0) return;
    const { height } = this;
    const { label } = this.options;
    const isFocused = this.svg && document.activeElement === this.svg;
    const { at } = this;
    this.svg = shape('svg', { viewBox: `0 0 ${this.width} ${height}`, role: 'img', 'aria-label': label });
    this.left = 68;
    const right = typeof this.options.right === 'function' ? this.options.right(this.width) : this.options.right;
    this.right = this.width - right;
    this.top = this.options.top;
    this.bottom = height - 44;
    this.drawInside(this);
    this.holder.replaceChildren(this.svg);
    if (isFocused) this.svg.focus();
    this.at = at;
  }

  axes([xLow, xHigh], [yLow, yHigh], { x, y, yTicks, yText, isWholeX, isWholeY }) {
    this.x = (value) => this.left + ((value - xLow) / (xHigh - xLow || 1)) * (this.right - this.left);
    this.y = (value) => this.bottom - ((value - yLow) / (yHigh - yLow || 1)) * (this.bottom - this.top);
    for (const value of yTicks || ticks(yLow, yHigh, 5)) {
      if (isWholeY && !Number.isInteger(value)) continue;
      const at = this.y(value);
      shape('line', { class: value === 0 ? 'zero' : 'grid', x1: this.left, x2: this.right, y1: at, y2: at }, this.svg);
      shape('text', { x: this.left - 7, y: at + 4, 'text-anchor': 'end' }, this.svg,
        yText ? yText(value) : tickText(value));
    }
    const across = this.right - this.left;
    for (const value of ticks(xLow, xHigh, Math.max(2, Math.floor(across / (across > 400 ? 70 : 42))))) {
      if (isWholeX && !Number.isInteger(value)) continue;
      const text = tickText(value);
      const last = this.width - 1 - pen.measureText(text).width / 2;
      shape('text', { x: Math.min(this.x(value), last), y: this.bottom + 18, 'text-anchor': 'middle' }, this.svg, text);
      shape('line', { class: 'frame', x1: this.x(value), x2: this.x(value), y1: this.bottom, y2: this.bottom + 4 },
        this.svg);
    }
    shape('line', { class: 'frame', x1: this.left, x2: this.right, y1: this.bottom, y2: this.bottom }, this.svg);
    shape('text', { class: 'axis-label', x: (this.left + this.right) / 2, y: this.bottom + 38,
      'text-anchor': 'middle' }, this.svg, x);
    shape('text', { class: 'axis-label', transform: `translate(13 ${(this.top + this.bottom) / 2}) rotate(-90)`,
      'text-anchor': 'middle' }, this.svg, y);
  }

  upright(at, attributes) {
    shape('line', { x1: this.x(at), x2: this.x(at), y1: this.top, y2: this.bottom, ...attributes }, this.svg);
  }

  // The name of a vertical line, above the plot, to its left or right.
  markText(at, text, isLeft) {
    shape('text', { class: 'mark-text', x: this.x(at) + (isLeft ? -5 : 5), y: this.top - 5,
      'text-anchor': isLeft ? 'end' : 'start' }, this.svg, text);
  }

  // Where the pointer is, in the chart's own coordinates.
  place(event) {
    const box = this.svg.getBoundingClientRect();
    const zoom = this.width / box.width;
    return [(event.clientX - box.left) * zoom, (event.clientY - box.top) * zoom];
  }
}

const tip = document.getElementById('tip');

function showTip(lines, left, top) {
  tip.replaceChildren(...lines.map((line, k) => element(k === 0 ? 'b' : 'div', {}, line)));
  tip.hidden = false;
  const box = tip.getBoundingClientRect();
  tip.style.left = `${Math.max(4, Math.min(left + 14, window.innerWidth - box.width - 4))}px`;
  tip.style.top = `${top + box.height + 20 > window.innerHeight ? top - box.height - 10 : top + 14}px`;
}

function hideTip() { tip.hidden = true; }
