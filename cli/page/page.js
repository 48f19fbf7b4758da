// The page around the charts: key figures, controls, tables, summaries.

const byId = (id) => document.getElementById(id);
const sorting = { key: 'standardized', direction: -1 };
let shownRows = 25;
let searched = '';

function redraw() {
  charts.forEach((chart) => chart.draw());
  writeControls();
  writeTable();
}

function setSetting(k) {
  state.setting = k;
  redraw();
}

function setCurve(k) {
  state.curve = k;
  state.setting = curve().mean ? curve()[results.choose] : Math.min(state.setting, settingCount() - 1);
  byId('curve').value = k;
  writeSettings();
  redraw();
}

function togglePin(feature) {
  if (!state.pinned.delete(feature)) state.pinned.add(feature);
  writePins();
  redraw();
}

function writePins() {
  const buttons = [...state.pinned].map((feature) => {
    const button = element('button', { type: 'button', 'aria-label': `Let go of ${results.features[feature]}` },
      results.features[feature]);
    button.addEventListener('click', () => togglePin(feature));
    return button;
  });
  byId('pinned').replaceChildren(...(buttons.length ? [element('span', { class: 'quiet' }, 'pinned'), ...buttons] : []));
}

function writeControls() {
  const one = curve();
  byId('setting').max = settingCount() - 1;
  byId('setting').value = state.setting;
  byId('setting-text').textContent = `${state.setting + 1} of ${settingCount()}, λ ${number(one.lambda[state.setting], 4)}`;
  byId('table-where').textContent = `at λ ${number(one.lambda[state.setting])}: ${count(one.nonzero[state.setting])}`;
}

function writeChoices() {
  if (!curve().mean) return;
  const buttons = ['min', '1se'].map((key) => {
    const button = element('button', { type: 'button' }, `lambda.${key}`);
    button.addEventListener('click', () => setSetting(curve()[key]));
    return button;
  });
  byId('choices').replaceChildren(buttons[0], ' ', buttons[1]);
}

// ---- the table of features ----

function selected() {
  const one = curve();
  const proofs = one.proof ? one.proof[state.setting] : null;
  return one.features[state.setting].map((feature, at) => ({ feature, name: results.features[feature],
    value: one.value[state.setting][at], standardized: one.standardized[state.setting][at],
    proof: proofs ? proofs[at] : proofByCounts() }));
}

// Older results count what is proven at a setting; if it is all of them, it is each of them.
function proofByCounts() {
  const { proven_selected: proven, nonzero } = curve();
  return proven[state.setting] === nonzero[state.setting] ? 'selected' : 'open';
}

// Features without a coefficient: those that are undecided, and where one is looked for by name, those of other settings.
function zeros() {
  const one = curve();
  if (!one.undecided_zeros) return [];
  const undecided = new Set(one.undecided_zeros[state.setting]);
  const isListed = undecided.size < 1000;  // the results list no more
  const chosen = new Set(one.features[state.setting]);
  return results.features.map((name, feature) => ({ feature, name, value: 0, standardized: 0,
    proof: undecided.has(feature) ? 'undecided' : (isListed ? 'zero' : 'not listed') }))
    .filter(({ feature, proof }) => !chosen.has(feature) && (proof === 'undecided' || searched));
}

function compare(a, b) {
  const { key, direction } = sorting;
  if (key === 'name') return direction * a.name.localeCompare(b.name, 'en', { numeric: true });
  return direction * (Math.abs(a[key]) - Math.abs(b[key]));
}

function barOf(value, largest) {
  const width = `width: ${value === 0 ? 0 : Math.max(1, (100 * Math.abs(value)) / largest).toFixed(1)}%`;
  const side = value < 0 ? 'left' : 'right';
  const bar = element('i', { class: side, style: `${width}; background: var(${value < 0 ? '--c1' : '--c0'})` });
  const empty = element('span');
  return element('div', { class: 'half' }, ...(value < 0 ? [bar, empty] : [empty, bar]));
}

function rowOf(entry, largest) {
  const button = element('button', { type: 'button', 'aria-pressed': state.pinned.has(entry.feature),
    title: 'pin this feature' }, entry.name);
  button.addEventListener('click', () => togglePin(entry.feature));
  return element('tr', {}, element('td', {}, button), element('td', { class: 'number' }, number(entry.value)),
    element('td', { class: 'number' }, number(entry.standardized)),
    element('td', { class: 'bar' }, barOf(entry.standardized, largest)), element('td', { class: 'quiet' }, entry.proof));
}

function writeFound(entries) {
  const hidden = curve().nonzero[state.setting] - entries.filter(({ value }) => value !== 0).length;
  byId('found').textContent = searched ? `${count(entries.length)} found${hidden ? `, ${count(hidden)} others selected` : ''}` : '';
}

function writeTable() {
  const entries = [...selected(), ...zeros()].sort(compare).filter(({ name }) => name.toLowerCase().includes(searched));
  writeFound(entries);
  const largest = range(entries.map((entry) => Math.abs(entry.standardized)))[1];
  document.querySelector('#features tbody').replaceChildren(
    ...entries.slice(0, shownRows).map((entry) => rowOf(entry, largest)),
    element('tr', {}, element('td', { class: 'quiet' }, '(intercept)'),
      element('td', { class: 'number' }, number(curve().intercept[state.setting])), element('td'), element('td'),
      element('td')));
  const more = byId('more');
  more.replaceChildren();
  if (entries.length > shownRows) {
    const button = element('button', { type: 'button' }, `Show all ${count(entries.length)}`);
    button.addEventListener('click', () => { shownRows = Infinity; writeTable(); });
    more.append(button, element('span', { class: 'on-paper quiet' },
      `and ${count(entries.length - shownRows)} more`));
  }
}

document.querySelectorAll('#features th button').forEach((button) => button.addEventListener('click', () => {
  const { key } = button.dataset;
  sorting.direction = sorting.key === key ? -sorting.direction : (key === 'name' ? 1 : -1);
  sorting.key = key;
  document.querySelectorAll('#features th').forEach((th) => th.removeAttribute('aria-sort'));
  button.parentElement.setAttribute('aria-sort', sorting.direction > 0 ? 'ascending' : 'descending');
  writeTable();
}));

// ---- all settings ----

function writeSettings() {
  const one = curve();
  const columns = [['', (k) => k + 1], ['lambda', (k) => number(one.lambda[k])], ['t', (k) => number(one.t[k])],
    ['lambda1', (k) => number(one.lambda1[k])], ['lambda2', (k) => number(one.lambda2[k])],
    ['features', (k) => count(one.nonzero[k])]];
  if (one.mean) columns.push([results.measure.title, (k) => number(one.mean[k])], ['SE', (k) => number(one.standard_error[k])]);
  columns.push(['gap', (k) => number(one.gap[k], 3)], ['proven selected', (k) => count(one.proven_selected[k])],
    ['proven zero', (k) => count(one.proven_zero[k])], ['undecided', (k) => count(one.undecided[k])],
    ...(results.left_out.length ? [['left out', () => count(results.left_out.length)]] : []),
    ['steps', (k) => one.iterations[k]], ['status', (k) => one.status[k]]);
  document.querySelector('#settings thead').replaceChildren(
    element('tr', {}, ...columns.map(([name]) => element('th', { scope: 'col', class: 'number' }, name))));
  document.querySelector('#settings tbody').replaceChildren(...one.lambda.map((value, k) => element('tr', {},
    ...columns.map(([, text]) => element('td', { class: 'number' }, String(text(k)))))));
}

// ---- figures and summaries ----

const isGaussian = () => !results.options.family;

// The share of the deviance that the fit explains on its own rows; old results have the values of the rows alone.
function explained(k) {
  const { deviance, null_deviance: all } = results.curves[results.best_curve];
  if (deviance) return all[k] > 0 ? Number((1 - deviance[k] / all[k]).toFixed(12)) : null;
  const { actual, predicted } = results.fitted;
  const mean = actual.reduce((sum, y) => sum + y, 0) / actual.length;
  const total = actual.reduce((sum, y) => sum + (y - mean) ** 2, 0);
  const left = actual.reduce((sum, y, row) => sum + (y - predicted[row]) ** 2, 0);
  return total > 0 ? Number((1 - left / total).toFixed(12)) : null;
}

// The same share on the rows that the folds test; old results of squared errors have the variance alone.
function validated(error) {
  if (judged) return judged.explained;
  const variance = results.y.deviation ** 2;
  return variance > 0 && !results.options.weighted ? 1 - error / variance : null;
}

function writeFigures() {
  const one = results.curves[results.best_curve];
  const k = results.chosen;
  const figures = [];
  const add = (value, label) => figures.push(element('div', {}, element('b', {}, value), element('span', {}, label)));
  const held = results.held_out;
  if (held) {
    const rows = `${count(held.rows)} ${held.rows === 1 ? 'row' : 'rows'} ${held.which}`;
    add(held.explained === null ? 'none' : number(held.explained, 3), `${isGaussian() ? 'R²' : 'deviance explained'}, ${rows}`);
    if (held.auc !== undefined) add(held.auc === null ? 'none' : number(held.auc, 3), `area under the ROC curve, ${rows}`);
  }
  if (one.mean) {
    add(number(one.lambda[k], 4), `λ chosen (lambda.${results.choose}${results.curves.length > 1 ? `, alpha ${number(one.alpha)}` : ''})`);
    add(`${number(one.mean[k], 4)} ± ${number(one.standard_error[k], 2)}`, `cross-validated ${results.measure.title}`);
    const share = validated(one.mean[k]);
    if (share !== null) add(number(share, 3), `${isGaussian() ? 'R²' : 'deviance explained'}, cross-validated`);
    if (judged && classes) add(judged.auc === null ? 'none' : number(judged.auc, 3), 'area under the ROC curve, out of fold');
  } else {
    if (one.lambda.length > 1) add(count(one.lambda.length), 'settings');
    const ends = [one.lambda[0], one.lambda[one.lambda.length - 1]].map((value) => number(value, 3));
    add(ends[0] === ends[1] ? ends[0] : ends.join(' to '), 'λ');
  }
  if (isNumber(results.gamma)) add(number(results.gamma, 4), 'γ of the relaxed fit (0: refitted without penalties, 1: penalised)');
  add(`${count(one.nonzero[k])} of ${count(results.p)}`, one.mean || one.lambda.length === 1 ? 'features selected' : `features at setting ${k + 1}`);
  const share = explained(k);
  add(share === null ? 'none' : number(share, 3), `${isGaussian() ? 'R²' : 'deviance explained'} on the rows of the fit`);
  add(number(Math.max(...results.curves.flatMap((each) => each.gap)), 2), 'largest relative gap to the optimum');
  byId('figures').replaceChildren(...figures);
}

function writeWarnings() {
  const tolerance = number(results.options.tolerance);
  const statuses = results.curves.flatMap((each) => each.status);
  const short = statuses.filter((status) => status === 'iteration_limit').length;
  const lines = [];
  if (short) lines.push(`${count(short)} of ${count(statuses.length)} settings missed the tolerance ${tolerance} of the gap.`);
  if (results.missed) {
    lines.push(`${count(results.missed)} of ${count(results.fold_fits)} fold fits missed the tolerance ${tolerance} `
      + `(largest gap ${number(results.worst_gap, 2)}); their errors may be wrong.`);
  }
  byId('warnings').replaceChildren(...lines.map((line) => element('p', {}, line)));
  byId('warnings').hidden = !lines.length;
}

function writeList(id, entries) {
  byId(id).replaceChildren(...entries.filter(([, value]) => value !== null && value !== undefined && value !== '')
    .flatMap(([name, value]) => [element('dt', {}, name), element('dd', {}, String(value))]));
}

function foldsText() {
  const { folds, seed, fold_column: column, groups, repeats } = results;
  const parts = [repeats ? `${repeats} times ${folds / repeats}` : folds];
  if (column) parts.push(`from the column ${column}`);
  if (groups) parts.push(`whole groups of ${groups}`);
  if (results.stratified) parts.push('stratified');
  if (results.time_ordered) parts.push('each of the rows that follow its training rows');
  if (seed !== null) parts.push(`seed ${seed}`);
  return parts.join(', ');
}

function writeSummaries() {
  const { y, options } = results;
  const shown = results.fitted.rows.length;
  writeList('data-summary', [['file', results.file], ['rows', count(results.n)], ['features', count(results.p)],
    ['ever selected', count(new Set(results.curves.flatMap((one) => one.features.flat())).size)], ['kind', results.data_kind], ['target', results.target || 'unnamed'],
    ['target, mean', number(y.mean)], ['target, deviation', number(y.deviation)],
    ['target, range', `${number(y.min)} to ${number(y.max)}`],
    ['scatter', shown < results.n ? `${count(shown)} of ${count(results.n)} rows, evenly taken` : 'all rows'],
    ...results.notes.map((note) => ['note', note]),
    ['left out, constant but for rounding', results.left_out.join(', ')]]);
  const yes = (value) => (value ? 'yes' : 'no');
  writeList('run-summary', [
    ['folds', results.folds ? foldsText() : null],
    ['family', options.family || 'gaussian'], ['measure', results.measure && results.measure.title],
    ['alpha', results.curves.map((one) => (one.alpha === null ? 'none' : number(one.alpha))).join(', ')],
    ['relaxed', isNumber(results.gamma) ? `gamma ${number(results.gamma)}, in every chart` : null],
    ['settings', count(settingCount())], ['intercept', yes(options.intercept)], ['standardised', yes(options.standardize)],
    ['non-negative', yes(options.nonnegative)], ['weights', yes(options.weighted)],
    ['penalty factors', yes(options.penalty_factors)], ['tolerance of the gap', number(options.tolerance)],
    ['time', `${number(results.seconds, 3)} s`], ['sven', results.sven], ['page by', `sven ${results.page_by}`]]);
}

function start() {
  const isSingle = !results.folds && settingCount() === 1;
  const kind = results.folds ? 'Cross-validation' : (isSingle ? 'Fit' : 'Regularisation path');
  for (const id of ['paths', 'validation', 'controls']) byId(id).hidden = isSingle;
  byId('title').textContent = results.target ? `${kind} of ${results.target}` : kind;
  byId('scatter-where').textContent = `at λ ${number(results.curves[results.best_curve].lambda[results.chosen])}`;
  byId('subtitle').textContent = `${results.file}: ${count(results.n)} rows, ${count(results.p)} features`;
  if (!curve().mean) {
    byId('validation').firstElementChild.remove();
    byId('validation').classList.remove('pair');
  }
  if (results.curves.length > 1) {
    byId('curve-control').hidden = false;
    byId('curve').replaceChildren(...results.curves.map((one, k) => element('option', { value: k }, number(one.alpha))));
    byId('curve').value = state.curve;
    byId('curve').addEventListener('change', (event) => setCurve(Number(event.target.value)));
    byId('all-alphas').hidden = !results.folds;
  }
  byId('setting').addEventListener('input', (event) => setSetting(Number(event.target.value)));
  byId('search').addEventListener('input', (event) => {
    searched = event.target.value.trim().toLowerCase();
    writeTable();
  });
  byId('scale').addEventListener('change', (event) => { state.scale = event.target.value; redraw(); });
  byId('theme').addEventListener('click', () => {
    const isDark = getComputedStyle(document.documentElement).getPropertyValue('--paper').trim() !== '#ffffff';
    document.documentElement.dataset.theme = isDark ? 'light' : 'dark';
  });
  window.addEventListener('beforeprint', () => charts.forEach((chart) => chart.fitPaper()));
  window.addEventListener('afterprint', () => charts.forEach((chart) => chart.fit()));
  writeWarnings();
  writeFigures();
  writeSummaries();
  writeSettings();
  writeChoices();
  writePins();
  offerFiles();
  redraw();
  charts.forEach((chart) => chart.fit());
}

start();
