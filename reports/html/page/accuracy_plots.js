// Draws measured errors as plots. The tables of accuracy.js say the same.

const errorText = (row) =>
    (row.misplaced ? `${grouped(row.misplaced)} misplaced` : `${ulpText(row.max)} ulp`);

/**
 * A plot of the largest error of every op, with one mark for each side. Errors of 0 and infinite ones are at the
 * ends of the axis.
 */
function errorsPlot(ops, dtype) {
  if (!canPlot() || ops.length < 2) return null;
  const [least, most] = [0.05, 1e6];
  const height = (row) => (row.misplaced ? most : Math.min(most, Math.max(least, row.max)));
  const sides = measuredSides(ops);
  const label = `largest error of ${grouped(ops.length)} ops, ${DATA.dtypes[dtype].name}`;
  return plotFigure({
    label,
    hint:
        'Ops from left to right as in the table below; point at one, or move with the arrow keys. Enter opens it.',
    size: 'tall',
    places: ops.map((_, i) => i),
    x: opAxis(ops.map(([op]) => op)),
    y: {
      range: [least / 1.6, most * 1.6],
      ticks: [
        [least, '0'], [0.5, '0.5'], [10, '10'], [100, '100'], [1000, '1,000'], [1e4, '10,000'],
        [most, 'more']
      ],
      label: 'ulp',
      isLog: true
    },
    series: sides.map((side, i) => ({
                        name: sideName(side),
                        mark: PLOT_MARKS[i % PLOT_MARKS.length][0],
                        paths: markPaths(i),
                        values: ops.map(([, rows]) => {
                          const row = rows.find((each) => each.side === side);
                          return row ? height(row) : null;
                        })
                      })),
    say: (i) => {
      const [op, rows] = ops[i];
      return `${op}: ${rows.map((row) => `${sideName(row.side)} ${errorText(row)}`).join(', ')}`;
    },
    onselect: (i) => {
      location.hash = accuracyHash(ops[i][0], dtype);
    }
  });
}

/** A plot of how many inputs have which error. The bars of the sides stand next to each other. */
function histogramPlot(measured, bins, largest) {
  return plotFigure({
    label: `inputs by error, ${measured.map((row) => sideName(row.side)).join(' and ')}`,
    hint: 'Point at an error, or move with the arrow keys.',
    size: 'middle',
    places: bins.map((_, i) => i),
    x: {
      range: [-0.6, bins.length - 0.4],
      ticks: bins.map((bin, i) => [i, bin]),
      label: 'error in ulp'
    },
    y: countAxis(largest, 'inputs'),
    series: measured.map((row, i) => ({
                           name: sideName(row.side),
                           mark: '■',
                           paths: barPaths(i, measured.length),
                           values: bins.map((_, bin) => row.histogram[bin] || null)
                         })),
    say: (i) => `${bins[i]} ulp: ${
        measured.map((row) => `${sideName(row.side)} ${counted(row.histogram[i], 'input')}`)
            .join(', ')}`
  });
}
