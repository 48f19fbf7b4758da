// Charts of the residuals and of all alphas; files to save from the page.

// ---- residuals ----

const residuals = () => results.fitted.actual.map((value, k) => value - results.fitted.predicted[k]);

// The quantile of the normal distribution, by Acklam's rational approximation (1e-9).
function normalQuantile(share) {
  const a = [-39.69683028665376, 220.9460984245205, -275.9285104469687, 138.357751867269, -30.66479806614716,
    2.506628277459239];
  const b = [-54.47609879822406, 161.5858368580409, -155.6989798598866, 66.80131188771972, -13.28068155288572];
  const c = [-0.007784894002430293, -0.3223964580411365, -2.400758277161838, -2.549732539343734, 4.374664141464968,
    2.938163982698783];
  const d = [0.007784695709041462, 0.3224671290700398, 2.445134137142996, 3.754408661907416];
  const at = (list, x) => list.reduce((sum, each) => sum * x + each, 0);
  const tail = (q) => at(c, q) / at([...d, 1], q);
  if (share < 0.02425) return tail(Math.sqrt(-2 * Math.log(share)));
  if (share > 1 - 0.02425) return -tail(Math.sqrt(-2 * Math.log(1 - share)));
  const q = share - 0.5;
  return (at(a, q * q) * q) / at([...b, 1], q * q);
}

// Dots that are read by pointer and keyboard from left to right.
function dotChart(id, label, { x, y, points, describe, decorate }) {
  const chart = new Chart(id, { height: 320, label }, () => {
    const [xs, ys] = points();
    chart.axes(padded(range(xs)), padded(range([...ys, 0])), { x, y });
    decorate(chart, xs, ys);
    xs.forEach((value, k) => shape('circle', { class: 'dot faint', cx: chart.x(value), cy: chart.y(ys[k]),
      r: xs.length > 500 ? 2.2 : 3.4 }, chart.svg));
    const order = xs.map((value, k) => k).sort((one, other) => xs[one] - xs[other]);
    const places = order.map((k) => [chart.x(xs[k]), chart.y(ys[k])]);
    const find = ([left, top]) => {
      const away = places.map(([px, py]) => Math.hypot(px - left, py - top));
      const best = nearest(away, 0);
      return away[best] > 20 ? null : best;
    };
    readPoints(chart, places, { find, first: () => 0, describe: (at) => describe(order[at]) });
  });
  return chart;
}

function residualChart() {
  const { predicted, rows } = results.fitted;
  return dotChart('residuals', 'Residuals against fitted values', {
    x: 'fitted', y: 'residual', points: () => [predicted, residuals()], decorate: () => {},
    describe: (k) => [`row ${rows[k]}`, `fitted ${number(predicted[k])}`, `residual ${number(residuals()[k])}`] });
}

// Against a normal distribution with the deviation of the residuals: a straight line.
function quantileChart() {
  const { rows } = results.fitted;
  const values = residuals();
  const order = values.map((value, k) => k).sort((a, b) => values[a] - values[b]);
  const expected = order.map((row, k) => normalQuantile((k + 0.5) / order.length));
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const deviation = Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length);
  return dotChart('quantiles', 'Quantiles of the residuals against those of a normal distribution', {
    x: 'normal quantile', y: 'residual', points: () => [expected, order.map((k) => values[k])],
    decorate: (chart) => {
      const [low, high] = range(expected);
      shape('line', { class: 'diagonal', x1: chart.x(low), y1: chart.y(mean + low * deviation), x2: chart.x(high),
        y2: chart.y(mean + high * deviation) }, chart.svg);
    },
    describe: (k) => [`row ${rows[order[k]]}`, `residual ${number(values[order[k]])}`,
      `normal quantile ${number(expected[k], 3)}`] });
}

// ---- all alphas ----

function alphaChart() {
  const chart = new Chart('alphas', { height: 300, isWhole: true, right: 92,
    label: `Cross-validated ${results.measure.title} of every alpha` }, () => {
    const all = results.curves;
    chart.axes(padded(range(all.flatMap((one) => one.byLambda)), 0.02), padded(range(all.flatMap((one) => one.mean))),
      { x: curve().lambdaLabel, y: results.measure.title });
    const ends = [];
    all.forEach((one, k) => {
      const color = `var(--c${k % colors})`;
      const points = one.byLambda.map((x, at) => `${chart.x(x).toFixed(1)},${chart.y(one.mean[at]).toFixed(1)}`);
      const line = shape('polyline', { class: 'line named', points: points.join(' '), 'data-curve': k }, chart.svg);
      line.style.stroke = color;
      line.style.strokeDasharray = dashes[k % colors];
      line.classList.toggle('lit', k === state.curve);
      const last = one.mean.length - 1;
      ends.push({ name: `alpha ${number(one.alpha)}`, y: chart.y(one.mean[last]), color });
      shape('circle', { class: 'dot', cx: chart.x(one.byLambda[one.min]), cy: chart.y(one.mean[one.min]), r: 4,
        style: `fill: ${color}` }, chart.svg);
    });
    labelEnds(chart, ends);
    const least = all.map((one) => [chart.x(one.byLambda[one.min]), chart.y(one.mean[one.min])]);
    readPoints(chart, least, { first: () => state.curve, choose: setCurve,
      find: ([x, y]) => nearest(least.map(([px, py]) => Math.hypot(px - x, py - y)), 0),
      describe: (k) => [`alpha ${number(all[k].alpha)}`, `${results.measure.best} ${number(all[k].mean[all[k].min])}`,
        `at λ ${number(all[k].lambda[all[k].min])}, ${count(all[k].nonzero[all[k].min])} features`] });
  });
  return chart;
}

// Residuals of classes are 0 or 1 less a probability: they are judged otherwise.
const hasResiduals = results.options.family !== 'binomial';
document.getElementById('residual-charts').hidden = !hasResiduals;
if (hasResiduals) charts.push(residualChart(), quantileChart());
if (results.folds && results.curves.length > 1) charts.push(alphaChart());

// ---- files to save ----

function save(name, kind, text) {
  const link = element('a', { download: name, href: URL.createObjectURL(new Blob([text], { type: kind })) });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

// A picture that needs no style sheet: what the page shows is written into every element.
function standalone(svg) {
  const copy = svg.cloneNode(true);
  const originals = [svg, ...svg.querySelectorAll('*')];
  [copy, ...copy.querySelectorAll('*')].forEach((made, k) => {
    const shown = getComputedStyle(originals[k]);
    const names = ['fill', 'stroke', 'stroke-width', 'stroke-dasharray', 'opacity', 'visibility',
      ...(made.tagName === 'text' ? ['font-size', 'font-family'] : [])];
    made.setAttribute('style', names.map((name) => `${name}: ${shown.getPropertyValue(name)}`).join('; '));
  });
  const { width, height } = svg.viewBox.baseVal;
  copy.setAttribute('width', width);
  copy.setAttribute('height', height);
  copy.prepend(shape('rect', { width, height,
    style: `fill: ${getComputedStyle(document.body).backgroundColor}; stroke: none` }));
  return `<?xml version="1.0" encoding="UTF-8"?>\n${new XMLSerializer().serializeToString(copy)}`;
}

function csvField(value) {
  const text = String(value);
  return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

const csvText = (rows) => rows.map((row) => row.map(csvField).join(',')).join('\n').concat('\n');

function featureRows() {
  return [['feature', 'coefficient', 'standardized', 'proof'], ['(intercept)', curve().intercept[state.setting], '', ''],
    ...selected().sort(compare).map((entry) => [entry.name, entry.value, entry.standardized, entry.proof])];
}

function settingRows() {
  const keys = ['lambda', 't', 'lambda1', 'lambda2', 'nonzero', 'mean', 'standard_error', 'gap', 'proven_selected',
    'proven_zero', 'undecided', 'status'].filter((key) => curve()[key]);
  return [['setting', ...keys], ...curve().lambda.map((value, k) => [k + 1, ...keys.map((key) => curve()[key][k])])];
}

function fittedRows() {
  const { rows, actual, predicted } = results.fitted;
  return [['row', 'actual', 'predicted'], ...rows.map((row, k) => [row, actual[k], predicted[k]])];
}

function offer(holder, label, action) {
  const button = element('button', { type: 'button', class: 'save on-screen' }, label);
  button.addEventListener('click', action);
  holder.after(button);
}

function offerFiles() {
  for (const chart of charts)
    offer(chart.holder, 'Save as SVG', () => save(`${chart.holder.id}.svg`, 'image/svg+xml', standalone(chart.svg)));
  const table = (id, name, rows) => offer(document.getElementById(id), 'Save as CSV', () => save(name, 'text/csv', csvText(rows())));
  table('more', 'features.csv', featureRows);
  table('settings-holder', 'settings.csv', settingRows);
  table('scatter', 'fitted.csv', fittedRows);
  if (judged) table(classes ? 'confusion-holder' : 'folds-scatter', 'out-of-fold.csv', foldTable);
}
