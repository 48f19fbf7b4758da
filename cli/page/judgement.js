// How good the predictions are on rows that were not fitted: by the folds of a cross-validation where there is one.

const kept = results.out_of_fold;
const judged = kept && kept.assessment;
const classes = judged && judged.classes;

// Rows that some fold tests.
function foldRows() {
  const { rows, actual, predicted } = kept;
  const tested = rows.map((row, k) => k).filter((k) => predicted[k] !== null);
  return { rows: tested.map((k) => rows[k]), actual: tested.map((k) => actual[k]),
    predicted: tested.map((k) => predicted[k]) };
}

function rocChart() {
  const { false_positive: across, true_positive: up } = judged.roc;
  const chart = new Chart('roc', { height: 320, label: `ROC curve of ${classes[1]}, out of fold` }, () => {
    chart.axes([-0.02, 1.02], [-0.02, 1.04], { x: 'false positive rate', y: `true positive rate (${classes[1]})` });
    shape('line', { class: 'diagonal', x1: chart.x(0), y1: chart.y(0), x2: chart.x(1), y2: chart.y(1) }, chart.svg);
    const points = across.map((value, k) => [chart.x(value), chart.y(up[k])]);
    shape('polyline', { class: 'step', points: points.map(([x, y]) => `${x.toFixed(1)},${y.toFixed(1)}`).join(' ') },
      chart.svg);
    shape('text', { class: 'mark-text', x: chart.right - 8, y: chart.bottom - 12, 'text-anchor': 'end' }, chart.svg,
      `area ${number(judged.auc, 4)}`);
    readPoints(chart, points, { first: () => 0,
      find: ([x, y]) => nearest(points.map(([px, py]) => Math.hypot(px - x, py - y)), 0),
      describe: (k) => [`true positives ${number(100 * up[k], 3)} %`,
        `false positives ${number(100 * across[k], 3)} %`] });
  });
  return chart;
}

// A dot for each tenth of the probabilities; its area is the weight of the rows.
function calibrationChart() {
  const bins = judged.calibration;
  const chart = new Chart('calibration', { height: 320, label: 'Observed shares against predicted probabilities' }, () => {
    chart.axes([-0.02, 1.02], [-0.02, 1.04], { x: `predicted probability of ${classes[1]}`, y: 'observed share' });
    shape('line', { class: 'diagonal', x1: chart.x(0), y1: chart.y(0), x2: chart.x(1), y2: chart.y(1) }, chart.svg);
    const points = bins.map((bin) => [chart.x(bin.predicted), chart.y(bin.observed)]);
    shape('polyline', { class: 'step', points: points.map(([x, y]) => `${x.toFixed(1)},${y.toFixed(1)}`).join(' ') },
      chart.svg);
    const largest = range(bins.map((bin) => bin.weight))[1];
    points.forEach(([x, y], k) => shape('circle', { class: 'dot', cx: x, cy: y,
      r: 3 + 6 * Math.sqrt(bins[k].weight / largest) }, chart.svg));
    readPoints(chart, points, { first: () => 0,
      find: ([x, y]) => nearest(points.map(([px, py]) => Math.hypot(px - x, py - y)), 0),
      describe: (k) => [`probability ${bins[k].from} to ${bins[k].to}`, `observed share ${number(bins[k].observed, 4)}`,
        `mean probability ${number(bins[k].predicted, 4)}, rows ${number(bins[k].weight, 5)}`] });
  });
  return chart;
}

function writeConfusion() {
  const [none, all] = judged.confusion;
  const head = element('tr', {}, element('th', { scope: 'col' }, 'actual'),
    ...classes.map((name) => element('th', { scope: 'col', class: 'number' }, `predicted ${name}`)),
    element('th', { scope: 'col', class: 'number' }, 'correct'));
  const rows = [none, all].map((counts, k) => element('tr', {}, element('th', { scope: 'row' }, classes[k]),
    ...counts.map((value) => element('td', { class: 'number' }, number(value))),
    element('td', { class: 'number' }, `${number((100 * counts[k]) / (counts[0] + counts[1] || 1), 3)} %`)));
  document.querySelector('#confusion').replaceChildren(element('thead', {}, head), element('tbody', {}, ...rows));
}

function foldChart() {
  const { rows, actual, predicted } = foldRows();
  const chart = dotChart('folds-scatter', 'Observed values against out-of-fold predictions', {
    x: 'predicted out of fold', y: `observed ${results.target || 'y'}`, points: () => [predicted, actual],
    decorate: (holder) => {
      const [low, high] = range([...actual, ...predicted]);
      const clip = (value, [from, to]) => Math.min(Math.max(value, from), to);
      const ends = [low, high].map((value) => clip(value, range(predicted)));
      shape('line', { class: 'diagonal', x1: holder.x(ends[0]), y1: holder.y(ends[0]), x2: holder.x(ends[1]),
        y2: holder.y(ends[1]) }, holder.svg);
    },
    describe: (k) => [`row ${rows[k]}`, `observed ${number(actual[k])}`, `predicted ${number(predicted[k])}`] });
  return chart;
}

function foldTable() {
  const { rows, actual, predicted } = foldRows();
  return [['row', 'actual', 'prediction'], ...rows.map((row, k) => [row, actual[k], predicted[k]])];
}

if (judged && classes) {
  document.querySelectorAll('.judged-classes').forEach((part) => { part.hidden = false; });
  writeConfusion();
  document.getElementById('roc-section').hidden = judged.auc === null;
  if (judged.auc !== null) charts.push(rocChart());
  charts.push(calibrationChart());
} else if (judged) {
  document.getElementById('judged-numbers').hidden = false;
  charts.push(foldChart());
}
