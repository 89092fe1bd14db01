// Runs of so many cases that the page lists a few only (reports/run_data.h): what it says of all others.

/** How many cases are not listed, as a sentence; '' if all are. */
const unlistedWords = (run) =>
    (run.summed ? `${counted(run.summed, 'case is', 'cases are')} summed, not listed.` : '');

/** How many cases of a row may match a query, but are not listed. */
function mayMatch(run, row, plan) {
  if (plan.line) {
    const places = row.places ? plan.line.all(run, row) : [];
    return places.length - listedAt(row, places).length;
  }
  const asksOthers = plan.records.some(({key}) => key === 'only') && runs.some(({summed}) => summed);
  if (asksOthers) return row.bad + row.known;
  const meant = plan.columns.verdict;
  return sumOf(row.sums.filter(({verdict}) => !meant || meant[verdict]), ({n}) => n);
}

/** Says that a search has looked at listed cases only; null if no other case may match. */
const unlistedNote = ({unlisted}) => (unlisted ?
    h('p', {class: 'note'},
      `${counted(unlisted, 'more case that may match is', 'more cases that may match are')} summed, not listed.`) :
    null);

/** The counts of all cases of a row whose columns are loaded, by verdict: [[verdict, n]], the most severe first. */
function rowCounts(row) {
  const counts = new Map(row.sums.map(({verdict, n}) => [verdict, n]));
  for (const verdict of row.loaded.verdict) counts.set(verdict, (counts.get(verdict) || 0) + 1);
  return [...counts].sort((a, b) => severity(b[0]) - severity(a[0]));
}

const SUMS_SHOWN = 500;

/** The dtypes of a row's operands, an entry for each: "float16, float32". */
const operandDtypes = (run, row) => row.axes.map((axis) => {
  const names = new Set(run.axes[axis].flatMap(tokenDtypes).map((code) => DATA.dtypes[code].name));
  return [...names].join(', ') || counted(run.axes[axis].length, 'value');
});

/** The sums of an op's rows. Their columns are loaded. */
function sumsView(run, op) {
  const shown = op.rows.slice(0, SUMS_SHOWN);
  const left = op.rows.length - shown.length;
  return h(
      'section', {class: 'sums'}, h('p', {class: 'note'}, unlistedWords(run)),
      tableOf(
          'Sums of each row', ['call', 'dtypes of its operands', 'default dtype', 'cases#', 'by verdict'],
          shown.map(
              (row) => h(
                  'tr', {}, h('th', {scope: 'row'}, h('code', {}, row.form === 'cases' ? 'case lines' : row.tpl)),
                  h('td', {}, operandDtypes(run, row).join('; ')), h('td', {}, row.def),
                  h('td', {class: 'num'}, grouped(row.count)),
                  h('td', {}, ...rowCounts(row).flatMap(([verdict, n]) => [chip(verdict), ` ${grouped(n)} `]))))),
      left > 0 ? h('p', {class: 'more'}, `and ${counted(left, 'more row')}`) : null);
}

/** The page of a case that is not listed: its line and its commands, but no verdict. */
function unlistedCase(run, index, {op, row, place}) {
  const line = lineAt(run, row, place);
  return [
    h('h1', {}, 'This case is not listed'),
    h('p', {class: 'lead'},
      `Case ${grouped(index)} of ${op.name} is summed, and the report does not hold its verdict. Its line is:`),
    h('p', {}, h('code', {}, line)), commands(run, line, false, null)
  ];
}
