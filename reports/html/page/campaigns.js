// What a campaign's numbers look like over time and op by op; the tables that C++ wrote say the
// same.

/** [a unit's seconds, its name]: five of them or more make the time. */
const timeUnit =
    (seconds) => [[3600, 'hours'], [60, 'minutes']].find(([unit]) => seconds >= 5 * unit) ||
    [1, 'seconds'];

const decimal = (number) => (number < 10 ? Number(number.toPrecision(2)) : Math.round(number));

/** One number of a campaign over its time; `values` are as many as `times`, in seconds. */
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
  if (samples.length < 3) return [];
  const times = samples.map(([seconds]) => seconds);
  const rates = samples.map(([seconds, cases], i) => {
    const [before, casesBefore] = i ? samples[i - 1] : [0, 0];
    return (cases - casesBefore) / Math.max(seconds - before, 1e-3);
  });
  const curves = [
    ['features', samples.map(([, , features]) => features)], ['cases a second', rates],
    ['findings', samples.map(([, , , findings]) => findings)]
  ];
  return curves.filter(([, values]) => Math.max(...values) > 0)
      .map(([name, values]) => curvePlot(name, times, values));
}

/**
 * Of each op's tuples the share that was asked, and the share that was answered; the best tried
 * first.
 */
function coveragePlot({ops}) {
  if (ops.length < 2) return [];
  const share = (part, [, possible]) => 100 * part / Math.max(1, possible);
  const ranked = [...ops].sort((a, b) => share(b[2], b) - share(a[2], a));
  return [plotFigure({
    label: `share of the tuples of ${grouped(ops.length)} ops that the campaign tried`,
    hint: 'Ops from the best tried to the least; point at one, or move with the arrow keys.',
    size: 'middle',
    places: ranked.map((_, i) => i),
    x: opAxis(ranked.map(([op]) => op)),
    y: {range: [-2, 104], ticks: [0, 25, 50, 75, 100].map((value) => [value, `${value} %`])},
    series:
        [['asked', 2], ['answered', 3]].map(([name, column], i) => ({
                                              name,
                                              mark: PLOT_MARKS[i][0],
                                              paths: markPaths(i),
                                              values: ranked.map((row) => share(row[column], row))
                                            })),
    say: (i) => {
      const [op, possible, asked, answered] = ranked[i];
      return `${op}: ${grouped(asked)} of ${grouped(possible)} tuples asked, ${
          grouped(answered)} answered`;
    }
  })];
}

SHOW.campaigns = ({section}) => {
  const plots = {curves: campaignCurves, coverage: coveragePlot};
  for (const slot of section.querySelectorAll('.plot-slot')) {
    const campaign = DATA.campaigns[Number(slot.dataset.campaign)];
    slot.replaceChildren(...(canPlot() ? plots[slot.dataset.plot](campaign) : []));
  }
};
