// Compares the report's runs: where each subject differs from its oracle, and which side the truth
// agrees with.

const sumOf = (list, of) => list.reduce((sum, item) => sum + of(item), 0);

/** How often the truth agrees with each side, over all ops. */
const truthOf = (ops) => Object.fromEntries(
    ['subject', 'oracle', 'neither', 'undecided'].map((whom) => [whom, sumOf(ops, (op) => op.truth[whom])]));

/**
 * Sums up a run for one op, or for one dtype: its counts of cases, and how often the truth agrees with each side.
 */
function tallyOf(run, by, key) {
  const ops = by === 'op' ? run.ops.filter((op) => op.name === key) : run.ops;
  const sum = {cases: 0, bad: 0, known: 0, worst: VERDICT.agree, truth: truthOf(by === 'op' ? ops : [])};
  for (const op of ops) {
    if (by === 'op') {
      sum.cases += op.ran;
      sum.bad += op.bad;
      sum.known += op.known;
      sum.worst = worse(sum.worst, op.worst);
    }
    for (const {dtype, cases, known, bad, worst} of by === 'dtype' ? op.dtypes : []) {
      if (dtype !== key) continue;
      sum.cases += cases;
      sum.bad += bad;
      sum.known += known;
      sum.worst = worse(sum.worst, worst);
    }
  }
  return sum;
}

/**
 * How often the truth agrees with the subject: "truth with it 3, against it 1". Nothing if the truth was not asked.
 */
function truthText({subject, oracle, neither, undecided}) {
  return [
    subject && `with it ${grouped(subject)}`, oracle && `against it ${grouped(oracle)}`,
    neither && `with neither ${grouped(neither)}`, undecided && `undecided ${grouped(undecided)}`
  ].filter(Boolean)
      .join(', ');
}

function shareText(percent) {
  if (percent === 0) return 'none';
  return percent < 0.01 ? '< 0.01 %' : `${percent.toFixed(2)} %`;
}

function compareCell(run, by, key, label) {
  const {cases, bad, known, worst: said, truth} = tallyOf(run, by, key);
  if (!cases)
    return h('td', {
      class: 'cell t-none',
      role: 'gridcell',
      tabindex: '-1',
      'aria-label': `${label}: ${run.title} has no case`
    });
  const worst = bad || known ? said : VERDICT.agree;
  const told = truthText(truth);
  const sentence = `${label}, ${run.title}: ${counted(cases, 'case')}, ${grouped(bad)} unexplained, ${
      grouped(known)} known${told ? `; truth: ${told}` : ''}`;
  const share = 100 * (bad + known) / cases;
  return h(
      'td', {
        class: `cell${verdictClasses(worst, bad || known, cases)}`,
        role: 'gridcell',
        tabindex: '-1',
        'aria-label': sentence,
        'data-query':
            `${by}:${key === label ? key : label} subject:"${run.subject}" verdict:failed,known`
      },
      bad || known ? h('span', {}, `${glyph(worst)} ${grouped(bad + known)}`) : glyph(VERDICT.agree),
      bad || known ? h('small', {}, shareText(share)) : null,
      told ? h('small', {class: 'truth'}, `truth ${told}`) : null);
}

/** The ops (or the dtypes) that at least one run has, as [key, label]. */
function compareKeys(by) {
  if (by === 'op')
    return [...new Set(runs.flatMap((run) => run.ops.map((op) => op.name)))].map(
        (name) => [name, name]);
  const codes =
      new Set(runs.flatMap((run) => run.ops.flatMap((op) => op.dtypes.map(({dtype}) => dtype))));
  return [...codes]
      .sort((a, b) => dtypeRank(a) - dtypeRank(b))
      .map((code) => [code, DATA.dtypes[code].name]);
}

function compareTotals() {
  return tableOf(
      'Runs side by side',
      ['run', 'cases#', 'unexplained#', 'known#', 'truth, in recorded differences in value'],
      runs.map((run) => {
        return h(
            'tr', {}, h('th', {scope: 'row'}, run.title, h('small', {}, run.source)),
            h('td', {class: 'num'}, grouped(run.ran)),
            h('td', {class: 'num'}, grouped(sumOf(run.ops, (op) => op.bad))),
            h('td', {class: 'num'}, grouped(sumOf(run.ops, (op) => op.known))),
            h('td', {}, truthText(truthOf(run.ops)) || '–'));
      }));
}

/** A plot of the share of cases in which each run's subject differs from its oracle, on a logarithmic scale. */
function comparePlot(keys, by) {
  if (!canPlot() || keys.length < 2) return null;
  const least = 1e-3;
  const shares = runs.map((run) => keys.map(([key]) => {
    const {cases, bad, known} = tallyOf(run, by, key);
    return cases ? 100 * (bad + known) / cases : null;
  }));
  return plotFigure({
    label: `share of cases that leave the oracle, by ${by}, ${
        runs.map((run) => run.title).join(' and ')}`,
    hint: 'From left to right as in the table below; point at one, or move with the arrow keys.',
    size: 'middle',
    places: keys.map((_, i) => i),
    x: opAxis(keys.map(([, label]) => label)),
    y: {
      range: [least / 1.6, 160],
      ticks: [
        [least, 'less'], [0.01, '0.01 %'], [0.1, '0.1 %'], [1, '1 %'], [10, '10 %'], [100, '100 %']
      ],
      isLog: true
    },
    series: runs.map((run, i) => ({
                       name: run.title,
                       mark: PLOT_MARKS[i % PLOT_MARKS.length][0],
                       paths: markPaths(i),
                       values: shares[i].map((share) => (share ? Math.max(least, share) : null))
                     })),
    say: (i) => `${keys[i][1]}: ${
        runs.map((run, number) => [run.names.subject, shares[number][i]])
            .filter(([, share]) => share !== null)
            .map(([subject, share]) => `${subject} ${shareText(share)}`)
            .join(', ')}`,
    onselect: (i) => {
      location.hash = searchHash(`${by}:${keys[i][1]} verdict:failed,known`);
    }
  });
}

SHOW.compare = async ({query, section}) => {
  await Promise.all(runs.map((run) => run.ready));
  const by = query.get('by') === 'dtype' ? 'dtype' : 'op';
  const isFiltered = query.get('only') !== '0';
  const go = (change) => {
    location.hash = `#compare?${new URLSearchParams({by, only: isFiltered ? 1 : 0, ...change})}`;
  };
  const leaving = (key) => sumOf(runs, (run) => {
    const {bad, known} = tallyOf(run, by, key);
    return bad + known;
  });
  const keys = compareKeys(by)
                   .map(([key, label]) => [key, label, leaving(key)])
                   .filter(([, , count]) => !isFiltered || count);
  if (by === 'op') keys.sort((a, b) => b[2] - a[2]);
  const table =
      h('table', {class: 'grid compare', role: 'grid'},
        captionOf(`Cases that differ from the oracle, ${by} by run`),
        h('thead', {},
          h('tr', {}, h('th', {class: 'corner', scope: 'col'}, `${by} ↓\nrun →`),
            ...runs.map(
                (run) => h(
                    'th', {scope: 'col'}, run.names.subject, h('small', {}, `against ${run.names.oracle}`))))),
        h('tbody', {},
          ...keys.map(
              ([key, label]) =>
                  h('tr', {}, h('th', {scope: 'row'}, h('code', {}, label)),
                    ...runs.map((run) => compareCell(run, by, key, label))))));
  const readout = h(
      'p', {class: 'readout'},
      'A cell counts the cases in which the run\'s subject differs from its oracle; Enter lists them.');
  makeInteractive(table, readout, {
    selected: null,
    onselect: () => {
      const {query: text} = table.querySelector('.selected').dataset;
      if (text) location.hash = searchHash(text);
    }
  });
  section.replaceChildren(
      h('h1', {}, 'Side by side'), compareTotals(),
      h('div', {class: 'controls'},
        segmented('rows', [['op', 'ops'], ['dtype', 'dtypes']], by, (value) => go({by: value})),
        segmented(
            'show', [[true, 'only those that differ'], [false, 'all']], isFiltered,
            (only) => go({only: only ? 1 : 0}))),
      ...(keys.length ?
              [
                h('div', {}, comparePlot(keys, by)), readout,
                h('div', {class: 'grid-scroll'}, table)
              ] :
              [h('p', {class: 'lead'}, 'No run differs from its oracle.')]));
};
