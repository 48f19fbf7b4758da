// The charts. `state` is the current selection; `curve()` the alpha that is shown.

const state = { curve: results.best_curve, setting: results.chosen, scale: 'standardized', pinned: new Set(),
  lit: null };
const curve = () => results.curves[state.curve];
const settingCount = () => curve().lambda.length;

// Coefficients of each feature that is ever active, over the settings of a curve.
function expand(one) {
  const dense = (lists) => {
    const rows = new Map();
    one.features.forEach((features, k) => features.forEach((feature, at) => {
      if (!rows.has(feature)) rows.set(feature, new Float64Array(one.lambda.length));
      rows.get(feature)[k] = lists[k][at];
    }));
    return rows;
  };
  one.standardizedRows = dense(one.standardized);
  one.valueRows = dense(one.value);
  const isFalling = one.lambda.every((value, k) => value > 0 && (k === 0 || value < one.lambda[k - 1]));
  one.byLambda = isFalling ? one.lambda.map((value) => -Math.log(value)) : one.lambda.map((value, k) => k + 1);
  one.isFalling = isFalling;
  one.lambdaLabel = isFalling ? '−log λ' : 'setting';
}
results.curves.forEach(expand);

const coefficientRows = () => (state.scale === 'value' ? curve().valueRows : curve().standardizedRows);

// The features that get a colour: those of the largest standardised coefficient at the setting,
// after those that are pinned.
function namedFeatures() {
  const rows = curve().standardizedRows;
  const size = (feature) => Math.abs((rows.get(feature) || [])[state.setting] || 0);
  const peak = (feature) => range([...rows.get(feature)].map(Math.abs))[1];
  const order = [...rows.keys()].sort((a, b) => size(b) - size(a) || peak(b) - peak(a));
  const pinned = [...state.pinned].filter((feature) => rows.has(feature));
  return [...new Set([...pinned, ...order])].slice(0, Math.max(colors, pinned.length));
}

// Labels at the right end, moved apart if they would overlap.
function labelEnds(chart, ends) {
  ends.sort((a, b) => a.y - b.y);
  const gap = 13;
  ends.forEach((end, k) => { if (k > 0) end.y = Math.max(end.y, ends[k - 1].y + gap); });
  for (let k = ends.length - 1; k >= 0; k -= 1) {
    const limit = k === ends.length - 1 ? chart.bottom : ends[k + 1].y - gap;
    ends[k].y = Math.min(ends[k].y, limit);
  }
  const texts = distinctly(ends.map(({ name }) => name), chart.width - chart.right - 8);
  ends.forEach((end, k) => { end.text = texts[k]; });
  for (const end of ends.filter(({ y }) => y >= chart.top - 4)) {
    // Letters are thinner than lines: darker on light, lighter on dark.
    const fill = `fill: color-mix(in srgb, ${end.color} 70%, var(--ink))`;
    shape('text', { x: chart.right + 5, y: end.y + 4, style: fill }, chart.svg, end.text);
  }
}

function pathChart(id, across, xLabel, label) {
  const chart = new Chart(id, { height: 360, label, top: topOf(),
    right: (width) => (width < 480 ? 76 : 104) }, () => {
    const rows = coefficientRows();
    const xs = across();
    const along = xs.map((x, k) => k).sort((a, b) => xs[a] - xs[b]);
    const named = namedFeatures();
    let extent = [0, 0];
    for (const row of rows.values()) extent = range([...extent, ...row]);
    chart.axes(padded(range(xs), 0.01), padded(extent), { x: xLabel(),
      isWholeX: xs === curve().byLambda && !curve().isFalling,
      y: state.scale === 'value' ? 'coefficient' : 'standardised coefficient' });
    markSettings(chart, xs);
    const lines = new Map();
    const order = [...rows.keys()].sort((a, b) => named.includes(a) - named.includes(b));
    const ends = [];
    for (const feature of order) {
      const place = named.indexOf(feature);
      const row = rows.get(feature);
      const points = along.map((k) => `${chart.x(xs[k]).toFixed(1)},${chart.y(row[k]).toFixed(1)}`);
      if (points.length === 1) points.push(points[0].replace(/^[^,]*/, (x) => Number(x) + 6));  // a point has no line
      const line = shape('polyline', { class: place < 0 ? 'line' : 'line named', points: points.join(' '),
        'data-feature': feature }, chart.svg);
      if (place >= 0) {
        const color = `var(--c${place % colors})`;
        line.style.stroke = color;
        line.style.strokeDasharray = dashes[place % colors];
        ends.push({ name: results.features[feature], y: chart.y(row[along[along.length - 1]]), color });
      }
      lines.set(feature, line);
    }
    labelEnds(chart, ends);
    nameChoices(chart, xs);
    chart.lines = lines;
    chart.xs = xs;
    chart.reader = shape('circle', { class: 'reader', r: 4, visibility: 'hidden' }, chart.svg);
    listen(chart);
    light(chart);
  });
  return chart;
}

// The setting that is shown, and the two choices of cross-validation.
function markSettings(chart, xs) {
  if (curve().mean) {
    chart.upright(xs[curve().min], { class: 'mark', 'stroke-dasharray': '2 3' });
    if (curve()['1se'] !== curve().min)
      chart.upright(xs[curve()['1se']], { class: 'mark', 'stroke-dasharray': '7 3' });
  }
  chart.now = shape('line', { class: 'now', x1: chart.x(xs[state.setting]), x2: chart.x(xs[state.setting]),
    y1: chart.top, y2: chart.bottom }, chart.svg);
}

// Room above the plot for the names of both choices.
const topOf = () => (curve().mean ? 24 : 14);

// 1se is never right of min: left and right of their lines the two names cannot meet.
function nameChoices(chart, xs) {
  if (!curve().mean) return;
  const { min, '1se': strong } = curve();
  const isLate = chart.x(xs[min]) > chart.right - 30;
  if (min === strong) {
    chart.markText(xs[min], 'min = 1se', chart.x(xs[min]) > chart.right - 70);
    return;
  }
  const isEarly = chart.x(xs[strong]) < chart.left + 30;
  const isNear = chart.x(xs[min]) - chart.x(xs[strong]) < 34;
  if (isNear && (isLate || isEarly)) {
    chart.markText(xs[isLate ? strong : min], '1se, min', isLate);
    return;
  }
  chart.markText(xs[min], 'min', isLate);
  chart.markText(xs[strong], '1se', !isEarly);
}

function nearest(values, wanted) {
  let best = 0;
  values.forEach((value, k) => { if (Math.abs(value - wanted) < Math.abs(values[best] - wanted)) best = k; });
  return best;
}

function describeFeature(feature, k) {
  const one = curve();
  const standardized = (one.standardizedRows.get(feature) || [])[k] || 0;
  const value = (one.valueRows.get(feature) || [])[k] || 0;
  return [results.features[feature], `coefficient ${number(value)}, standardised ${number(standardized)}`,
    `setting ${k + 1}: λ ${number(one.lambda[k])}, t ${number(one.t[k])}`];
}

function setLit(lit) {
  state.lit = lit;
  charts.filter((chart) => chart.lines).forEach(light);
}

// Highlights the feature under the pointer and dims the others.
function light(chart) {
  const { lit } = state;
  for (const [feature, line] of chart.lines) {
    const isLit = lit !== null && lit.feature === feature;
    line.classList.toggle('lit', isLit || state.pinned.has(feature));
    line.classList.toggle('lit-plain', isLit && !line.classList.contains('named'));
    line.classList.toggle('dim', !isLit && !state.pinned.has(feature) && (lit !== null || state.pinned.size > 0));
  }
  if (lit === null || !chart.lines.has(lit.feature)) {
    chart.reader.setAttribute('visibility', 'hidden');
    return;
  }
  chart.reader.setAttribute('cx', chart.x(chart.xs[lit.setting]));
  chart.reader.setAttribute('cy', chart.y(coefficientRows().get(lit.feature)[lit.setting]));
  chart.reader.setAttribute('visibility', 'visible');
}

// An image takes no keyboard input; for screen readers a chart that does is an application.
function makeReachable({ svg }) {
  svg.setAttribute('tabindex', '0');
  svg.setAttribute('role', 'application');
  svg.setAttribute('aria-roledescription', 'chart');
}

function listen(chart) {
  const { svg } = chart;
  makeReachable(chart);
  svg.addEventListener('pointermove', (event) => {
    const [x, y] = chart.place(event);
    const k = nearest(chart.xs.map(chart.x), x);
    let best = null;
    for (const [feature, row] of coefficientRows()) {
      const away = Math.abs(chart.y(row[k]) - y);
      if (row[k] !== 0 && (best === null || away < best.away)) best = { feature, away };
    }
    if (best === null || best.away > 40) {
      setLit(null);
      hideTip();
      return;
    }
    setLit({ feature: best.feature, setting: k });
    showTip(describeFeature(best.feature, k), event.clientX, event.clientY);
  });
  svg.addEventListener('pointerleave', () => { setLit(null); hideTip(); });
  svg.addEventListener('blur', () => { setLit(null); hideTip(); });
  svg.addEventListener('click', () => { if (state.lit) togglePin(state.lit.feature); });
  svg.addEventListener('keydown', (event) => walk(chart, event));
}

// Arrow keys go along a line and from line to line.
function walk(chart, event) {
  const rows = coefficientRows();
  if (rows.size === 0) return;
  let { feature, setting } = state.lit || { feature: namedFeatures()[0], setting: state.setting };
  const active = [...rows.keys()].sort((a, b) => rows.get(b)[setting] - rows.get(a)[setting]);
  const at = active.indexOf(feature);
  if (event.key === 'ArrowLeft') setting = Math.max(0, setting - 1);
  else if (event.key === 'ArrowRight') setting = Math.min(settingCount() - 1, setting + 1);
  else if (event.key === 'ArrowUp') feature = active[Math.max(0, at - 1)];
  else if (event.key === 'ArrowDown') feature = active[Math.min(active.length - 1, at + 1)];
  else if (event.key === 'Enter' || event.key === ' ') togglePin(feature);
  else if (event.key === 'Escape') { setLit(null); hideTip(); return; } else return;
  event.preventDefault();
  setLit({ feature, setting });
  const box = chart.svg.getBoundingClientRect();
  const zoom = box.width / chart.width;
  showTip(describeFeature(feature, setting), box.left + chart.x(chart.xs[setting]) * zoom,
    box.top + chart.y(rows.get(feature)[setting]) * zoom);
}

const isNumber = (value) => typeof value === 'number';

// Shows lines of text for the point nearest to the pointer, or the one reached by arrow keys; a
// click or Enter chooses it. A redrawn chart keeps its position.
function readPoints(chart, points, { find, describe, choose, first }) {
  const ring = shape('circle', { class: 'reader', r: 4, visibility: 'hidden' }, chart.svg);
  const mark = (k) => {
    chart.at = k;
    ring.setAttribute('cx', points[k][0]);
    ring.setAttribute('cy', points[k][1]);
    ring.setAttribute('visibility', 'visible');
  };
  const show = (k, left, top) => {
    mark(k);
    showTip(describe(k), left, top);
  };
  const showHere = (k) => {
    const box = chart.svg.getBoundingClientRect();
    const zoom = box.width / chart.width;
    show(k, box.left + points[k][0] * zoom, box.top + points[k][1] * zoom);
  };
  const leave = () => {
    chart.at = null;
    ring.setAttribute('visibility', 'hidden');
    hideTip();
  };
  makeReachable(chart);
  if (isNumber(chart.at)) mark(Math.min(chart.at, points.length - 1));
  chart.svg.addEventListener('pointermove', (event) => {
    const k = find(chart.place(event));
    if (k === null) leave();
    else show(k, event.clientX, event.clientY);
  });
  chart.svg.addEventListener('pointerleave', leave);
  chart.svg.addEventListener('blur', leave);
  chart.svg.addEventListener('click', () => { if (choose && isNumber(chart.at)) choose(chart.at); });
  chart.svg.addEventListener('keydown', (event) => {
    const step = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1 }[event.key];
    if (event.key === 'Escape') leave();
    else if (step) showHere(isNumber(chart.at) ? Math.min(points.length - 1, Math.max(0, chart.at + step)) : first());
    else if (choose && (event.key === 'Enter' || event.key === ' ') && isNumber(chart.at)) choose(chart.at);
    else return;
    event.preventDefault();
  });
}

function readSettings(chart, xs, ys, describe) {
  const across = xs.map(chart.x);
  readPoints(chart, xs.map((x, k) => [across[k], chart.y(ys[k])]), { describe, choose: setSetting,
    find: ([x]) => nearest(across, x), first: () => state.setting });
}

function validationChart() {
  const chart = new Chart('cv-curve', { top: topOf(),
    label: `Cross-validated ${results.measure.title} with standard errors` }, () => {
    const { mean, standard_error: error, byLambda: xs } = curve();
    const others = curve().gammas || [];  // of relaxed fits
    chart.axes(padded(range(xs), 0.02), padded(range([...mean.map((m, k) => m - error[k]),
      ...mean.map((m, k) => m + error[k]), ...others.flatMap((one) => one.mean)])), { x: curve().lambdaLabel,
      y: results.measure.title, isWholeX: !curve().isFalling });
    markSettings(chart, xs);
    for (const one of others)
      shape('polyline', { class: 'line', 'data-gamma': one.gamma,
        points: one.mean.map((m, k) => `${chart.x(xs[k]).toFixed(1)},${chart.y(m).toFixed(1)}`).join(' ') }, chart.svg);
    mean.forEach((value, k) => {
      const x = chart.x(xs[k]);
      shape('line', { class: 'whisker', x1: x, x2: x, y1: chart.y(value - error[k]), y2: chart.y(value + error[k]) },
        chart.svg);
      shape('circle', { class: 'dot', cx: x, cy: chart.y(value), r: k === state.setting ? 5 : 2.6 }, chart.svg);
    });
    nameChoices(chart, xs);
    readSettings(chart, xs, mean, (k) => [`setting ${k + 1}: λ ${number(curve().lambda[k])}`,
      `${results.measure.title} ${number(mean[k])} ± ${number(error[k])}`, `${curve().nonzero[k]} features`,
      ...others.map((one) => `γ ${number(one.gamma)}: ${number(one.mean[k])}`)]);
  });
  return chart;
}

function stepChart() {
  const chart = new Chart('nonzero', { top: topOf(), isWhole: !curve().mean,
    label: 'Number of selected features along the path' }, () => {
    const { nonzero, byLambda: xs } = curve();
    chart.axes(padded(range(xs), 0.02), padded([0, Math.max(1, range(nonzero)[1])]),
      { x: curve().lambdaLabel, y: 'features', isWholeX: !curve().isFalling, isWholeY: true, yText: count });
    markSettings(chart, xs);
    const points = [];
    nonzero.forEach((value, k) => {
      if (k > 0) points.push(`${chart.x(xs[k]).toFixed(1)},${chart.y(nonzero[k - 1]).toFixed(1)}`);
      points.push(`${chart.x(xs[k]).toFixed(1)},${chart.y(value).toFixed(1)}`);
    });
    shape('polyline', { class: 'step', points: points.join(' ') }, chart.svg);
    shape('circle', { class: 'dot', cx: chart.x(xs[state.setting]), cy: chart.y(nonzero[state.setting]), r: 5 },
      chart.svg);
    nameChoices(chart, xs);
    readSettings(chart, xs, nonzero, (k) => [`${count(nonzero[k])} features`,
      `setting ${k + 1}: λ ${number(curve().lambda[k])}, t ${number(curve().t[k])}`]);
  });
  return chart;
}

function scatterChart() {
  const { actual, predicted, rows } = results.fitted;
  const chart = new Chart('scatter', { height: 360, label: 'Predicted against actual values' }, () => {
    const extent = padded(range([...actual, ...predicted]));
    chart.axes(extent, extent, { x: `actual ${results.target || 'y'}`, y: 'predicted' });
    shape('line', { class: 'diagonal', x1: chart.x(extent[0]), y1: chart.y(extent[0]), x2: chart.x(extent[1]),
      y2: chart.y(extent[1]) }, chart.svg);
    actual.forEach((value, k) => shape('circle', { class: 'dot faint', cx: chart.x(value), cy: chart.y(predicted[k]),
      r: rows.length > 500 ? 2.2 : 3.4 }, chart.svg));
    const order = actual.map((value, k) => k).sort((a, b) => actual[a] - actual[b]);
    const points = order.map((k) => [chart.x(actual[k]), chart.y(predicted[k])]);
    const find = ([x, y]) => {
      const away = points.map(([left, top]) => Math.hypot(left - x, top - y));
      const best = nearest(away, 0);
      return away[best] > 20 ? null : best;
    };
    readPoints(chart, points, { find, first: () => 0, describe: (at) => [`row ${rows[order[at]]}`,
      `actual ${number(actual[order[at]])}`, `predicted ${number(predicted[order[at]])}`] });
  });
  return chart;
}

function gapChart() {
  const chart = new Chart('gaps', { height: 230, isWhole: true,
    label: 'Relative optimality gap of every setting' }, () => {
    const floor = -18;
    const power = (gap) => (gap > 0 ? Math.max(floor, Math.log10(gap)) : floor);
    const powers = curve().gap.map(power);
    const limit = Math.log10(results.options.tolerance);
    const xs = curve().byLambda;
    const top = Math.max(limit, ...powers) + 1;
    const yTicks = [];
    for (let value = floor; value <= top; value += 4) yTicks.push(value);
    chart.axes(padded(range(xs), 0.01), [floor - 0.5, top], { x: curve().lambdaLabel, y: 'relative gap',
      isWholeX: !curve().isFalling, yTicks, yText: (value) => (value === floor ? `≤1e${value}` : `1e${value}`) });
    shape('line', { class: 'mark', 'stroke-dasharray': '7 3', x1: chart.left, x2: chart.right, y1: chart.y(limit),
      y2: chart.y(limit) }, chart.svg);
    shape('text', { class: 'mark-text', x: chart.right - 4, y: chart.y(limit) - 5, 'text-anchor': 'end' }, chart.svg,
      `asked for: ${number(results.options.tolerance)}`);
    powers.forEach((value, k) => shape('circle', { class: 'dot', cx: chart.x(xs[k]), cy: chart.y(value),
      r: k === state.setting ? 5 : 2.6 }, chart.svg));
    readSettings(chart, xs, powers, (k) => [`setting ${k + 1}: gap ${number(curve().gap[k], 3)}`,
      `${count(curve().proven_selected[k])} proven selected, ${count(curve().proven_zero[k])} proven zero, ` +
      `${count(curve().undecided[k])} undecided` +
      (results.left_out.length ? `, ${count(results.left_out.length)} left out` : '')]);
  });
  return chart;
}

const charts = [
  pathChart('paths-lambda', () => curve().byLambda, () => curve().lambdaLabel, 'Coefficients against lambda'),
  pathChart('paths-norm', () => curve().t, () => 't = ‖β‖₁', 'Coefficients against their l1 norm'),
  stepChart(),
  scatterChart(),
  gapChart(),
];
if (curve().mean) charts.push(validationChart());
