// Draws plots of a campaign's numbers over time and for each op. The tables that C++ wrote have the
// same numbers.

/**
 * The unit of time for an axis up to a number of seconds, as [seconds, name]. A unit is used if the axis has at
 * least five of it.
 */
const timeUnit =
    (seconds) => [[3600, 'hours'], [60, 'minutes']].find(([unit]) => seconds >= 5 * unit) ||
    [1, 'seconds'];

const decimal = (number) => (number < 10 ? Number(number.toPrecision(2)) : Math.round(number));

/** A plot of one number of a campaign over time: `values` at `times`, in seconds. */
function curvePlot(name, times, values) {
  const [unit, unitName] = timeUnit(times.at(-1));
  const places = times.map((seconds) => seconds / unit);
  return plotFigure({
    label: `${name} over time`,
    hint: name,
    size: 'short',
    places,
    x: evenAxis(places.at(-1), unitName),
    y: evenAxis(Math.max(...values), name, 1),
    series: [{name, mark: '●', isLine: true, values}],
    say: (i) => `${grouped(Math.round(values[i]))} ${name} at ${decimal(places[i])} ${unitName}`
  });
}

function campaignCurves({samples}) {
  const {seconds = [], cases, features, findings} = samples;
  if (seconds.length < 3) return [];
  const since = (column, i) => column[i] - (i ? column[i - 1] : 0);
  const rates = seconds.map((_, i) => since(cases, i) / Math.max(since(seconds, i), 1e-3));
  const curves = [['features', features], ['cases a second', rates], ['findings', findings]];
  return curves.filter(([, values]) => Math.max(...values) > 0)
      .map(([name, values]) => curvePlot(name, seconds, values));
}

/**
 * A plot of the share of each op's tuples that was asked, and of the share that was answered. The op with the
 * largest share comes first.
 */
function coveragePlot({ops}) {
  const share = (row, part) => 100 * row[part] / Math.max(1, row.possible);
  const ranked = rowsOf(ops).sort((a, b) => share(b, 'asked') - share(a, 'asked'));
  if (ranked.length < 2) return [];
  return [plotFigure({
    label: `share of the tuples of ${grouped(ranked.length)} ops that the campaign tried`,
    hint: 'Ops from the best tried to the least; point at one, or move with the arrow keys.',
    size: 'middle',
    places: ranked.map((_, i) => i),
    x: opAxis(ranked.map(({op}) => op)),
    y: {range: [-2, 104], ticks: [0, 25, 50, 75, 100].map((value) => [value, `${value} %`])},
    series: ['asked', 'answered'].map((name, i) => ({
                                        name,
                                        mark: PLOT_MARKS[i][0],
                                        paths: markPaths(i),
                                        values: ranked.map((row) => share(row, name))
                                      })),
    say: (i) => {
      const {op, possible, asked, answered} = ranked[i];
      return `${op}: ${grouped(asked)} of ${grouped(possible)} tuples asked, ${
          grouped(answered)} answered`;
    }
  })];
}

FIND.campaigns = {
  title: 'Campaigns',
  items: () => DATA.campaigns.flatMap(({target, findings}) => findings.map(({signature, line, subject, oracle}) => ({
    op: [line.split('(')[0], line.split(/[._(]/)[0]], word: [signature, line, subject, oracle], line: [line],
    side: [target], shown: {name: line, text: signature, href: '#campaigns'}})))
};

SHOW.campaigns = ({section}) => {
  const plots = {curves: campaignCurves, coverage: coveragePlot};
  for (const slot of section.querySelectorAll('.plot-slot')) {
    const campaign = DATA.campaigns[Number(slot.dataset.campaign)];
    slot.replaceChildren(...(canPlot() ? plots[slot.dataset.plot](campaign) : []));
  }
};
