// The matrix of ops and dtypes. A cell has the answer of the op if all its operands have the dtype,
// and the worst verdict of any case with such an operand.

const MATRIX_ORDERS = {
  family: () => 0,
  'most unexplained': (a, b) => b.bad - a.bad || b.known - a.known,
  name: (a, b) => (a.name < b.name ? -1 : 1),
};

function matrixCell(run, op, code, entry) {
  if (!entry)
    return h('td', {
      class: 'cell t-none',
      role: 'gridcell',
      tabindex: '-1',
      'aria-label': `${op.name}(${DATA.dtypes[code].name}): no case`
    });
  const {dtype, subject, oracle, cases, known, bad, unjudged} = entry;
  const isQuiet = entry.worst === VERDICT.notJudged && unjudged < cases;
  const worst = isQuiet ? VERDICT.agree : entry.worst;
  const answers = new Answers();
  answers.add(subject);
  const text = answerShort(answers);
  const sentence = `${op.name}(${DATA.dtypes[dtype].name}) → ${answerName(subject)}` +
      (subject === oracle ? '' : `, ${run.names.oracle}: ${answerName(oracle)}`) +
      ` · ${counted(cases, 'case')} with it: ${grouped(bad)} unexplained, ${grouped(known)} known, ${
                       grouped(unjudged)} not judged`;
  const verdict = verdictClasses(worst, bad || known || unjudged, cases);
  const mark = verdictClass(worst) === 'agree' ?
      null :
      h('span', {class: 'glyph', 'aria-hidden': 'true'}, glyph(worst));
  return h(
      'td', {
        class: `cell ${tint(subject)}${verdict}${longClass(text)}`,
        role: 'gridcell',
        tabindex: '-1',
        'aria-label': sentence,
        'data-dtype': dtype,
        'data-op': op.name
      },
      text, mark);
}

/**
 * The address to which a cell leads: the pane with its failures, else the map where all operands have the dtype.
 */
function matrixTarget(run, op, dtype) {
  if (op.dtypes.find((entry) => entry.dtype === dtype)?.bad)
    return mapHash({run: run.number, op: op.name, q: `verdict:failed dtype:${DATA.dtypes[dtype].name}`});
  const grid = new Grid(run, mainCall(op));
  const find = (axis) => Math.max(
      0, grid.axes[axis].items.findIndex((item) => item.kind === 0 && item.dtype === dtype));
  const y = grid.axes[grid.y].role === 'default' ? grid.defaultPick(grid.y) : find(grid.y);
  return mapHash({
    run: run.number,
    op: op.name,
    call: op.calls.indexOf(mainCall(op)),
    cell: [y, find(grid.x)]
  });
}

SHOW.matrix = async ({run, query, section}) => {
  await run.ready;
  const order = MATRIX_ORDERS[query.get('sort')] ? query.get('sort') : 'family';
  const isFiltered = query.get('only') === '1';
  const go = (change) => {
    const next = {run: run.number, sort: order, only: isFiltered ? 1 : 0, ...change};
    location.hash = `#matrix?${new URLSearchParams(next)}`;
  };
  const columns = [];
  for (const axis of run.axes) {
    for (const item of axis)
      if (item.kind < 2 && !columns.includes(item.dtype)) columns.push(item.dtype);
  }
  columns.sort((a, b) => dtypeRank(a) - dtypeRank(b));
  const withDtypes = run.ops.filter((op) => op.dtypes.length);
  const ops = withDtypes.filter((op) => isAnswered(op) && (!isFiltered || op.bad || op.known))
                  .sort(MATRIX_ORDERS[order]);
  let family = null;
  const body = ops.map((op) => {
    const cells = new Map(op.dtypes.map((entry) => [entry.dtype, entry]));
    const isBand = order === 'family' && family !== null && family !== op.family;
    family = op.family;
    return h(
        'tr', {class: isBand ? 'band' : ''},
        h('th', {scope: 'row'}, h('a', {href: opHash(run, op)}, op.name)),
        ...columns.map((dtype) => matrixCell(run, op, dtype, cells.get(dtype))),
        h('td', {class: 'sum'}, h('a', {href: opHash(run, op), tabindex: '-1'}, ...countMarks(op))));
  });
  const table =
      h('table', {class: 'grid matrix', role: 'grid'}, captionOf('Op by dtype'),
        h('thead', {},
          h('tr', {}, h('th', {class: 'corner', scope: 'col'}, 'op ↓\ndtype →'),
            ...columns.map((dtype) => h('th', {scope: 'col'}, h('span', {}, dtypeShort(dtype)))),
            h('th', {scope: 'col', class: 'sum'}, 'cases'))),
        h('tbody', {}, ...body));
  const readout =
      h('p', {class: 'readout'},
        'A cell shows what the op answers if all operands have the dtype. ' +
            'Its mark is the worst of all cases with an operand of the dtype.');
  makeInteractive(table, readout, {
    selected: null,
    onselect: () => {
      const {op, dtype} = table.querySelector('.selected').dataset;
      if (op) location.hash = matrixTarget(run, run.findOp(op), Number(dtype));
    }
  });
  section.replaceChildren(
      h('h1', {}, 'Op × dtype'),
      h('div', {class: 'controls'},
        segmented(
            'sort by', Object.keys(MATRIX_ORDERS).map((name) => [name, name]), order,
            (sort) => go({sort})),
        segmented(
            'show', [[false, 'all ops'], [true, 'only those that differ']], isFiltered,
            (only) => go({only: only ? 1 : 0}))),
      readout, h('div', {class: 'grid-scroll'}, table),
      ...[otherOps(run, withDtypes.filter((op) => !isAnswered(op)).map((op) => plainOpLink(run, op)))].filter(Boolean),
      legend());
};
