// The accuracy view: how far our results are from the truth, next to LibTorch's, over every input
// or a sample.

let measurements = [];

const accuracyReady = inflateJson(DATA.accuracy.rows).then((rows) => {
  measurements =
      rows.map((row) => ({...row, max: row.max ?? Infinity, mean: row.mean ?? Infinity}));
});

const SIDE_NAMES = {
  'impl:cpu': 'ours',
  'libtorch:cpu': 'LibTorch, scalar paths',
  'libtorch:cpu?capability=native': 'LibTorch, vector paths',
};
const sideName = (side) => SIDE_NAMES[side] || side;

const accuracyHash = (op, dtype) =>
    `#accuracy${op ? `/${encodeURIComponent(op)}` : ''}?dtype=${DATA.dtypes[dtype].name}`;

FIND.accuracy = {
  title: 'Accuracy',
  items: () => measurements.map((row) => ({
    op: [row.op], dtype: [row.dtype], side: [row.side], ulp: [row.max], word: [row.op, row.side],
    shown: {name: `${row.op}(${DATA.dtypes[row.dtype].name})`, text: `${row.side}: at most ${row.max} ulp`,
            href: accuracyHash(row.op, row.dtype)}}))
};

/** An error in ulp as text, with the digits that matter: "0.50006", "255", "1.2e+7". */
function ulpText(ulp) {
  if (!Number.isFinite(ulp)) return '∞';
  if (ulp >= 1e5) return ulp.toExponential(1);
  return String(Number(ulp.toPrecision(5)));
}

const percentText = (share) =>
    (share === 1 ? '100 %' : `${(Math.floor(share * 1e6) / 1e4).toFixed(4)} %`);

const ULP_STEPS = [0.5, 0.51, 1, 4, 64];

/** How bad an error is, from 0 to 5, for the tint of its cell. */
function ulpStep({max, misplaced}) {
  const step = misplaced ? -1 : ULP_STEPS.findIndex((limit) => max <= limit);
  return step < 0 ? ULP_STEPS.length : step;
}

/** The number with these bits, which are hex text. Nothing for a dtype that a browser cannot read. */
function bitsValue(text, dtype) {
  const {name, bytes} = DATA.dtypes[dtype];
  if (!/^0x[0-9a-f]+$/i.test(text)) return '';
  const view = new DataView(new ArrayBuffer(8));
  const bits = BigInt(text);
  if (name === 'float64') {
    view.setBigUint64(0, bits);
    return String(view.getFloat64(0));
  }
  if (name === 'float32' || name === 'bfloat16') {
    view.setUint32(0, Number(name === 'float32' ? bits : bits << 16n));
    return String(Number(view.getFloat32(0).toPrecision(9)));
  }
  if (name !== 'float16')
    return bytes <= 2 ? String(BigInt.asIntN(name.startsWith('u') ? 64 : bytes * 8, bits)) : '';
  const [sign, exponent, fraction] =
      [Number(bits >> 15n), Number(bits >> 10n & 31n), Number(bits & 1023n)];
  if (exponent === 31) return fraction ? 'nan' : sign ? '-inf' : 'inf';
  const size = exponent ? (1 + fraction / 1024) * 2 ** (exponent - 15) : fraction * 2 ** -24;
  return String(sign ? -size : size);
}

function accuracyCell(op, side, row) {
  if (!row)
    return h('td', {
      class: 'cell t-none',
      role: 'gridcell',
      tabindex: '-1',
      'aria-label': `${op}, ${sideName(side)}: not measured`
    });
  const sentence = `${row.op}(${DATA.dtypes[row.dtype].name}), ${sideName(row.side)}: at most ${
      ulpText(row.max)} ulp, ${percentText(row.rounded)} correctly rounded${
      row.misplaced ? `, ${counted(row.misplaced, 'special value')} out of place` : ''}`;
  return h(
      'td', {
        class: `cell ulp u${ulpStep(row)}`,
        role: 'gridcell',
        tabindex: '-1',
        'aria-label': sentence,
        'data-op': row.op,
        'data-dtype': row.dtype
      },
      ulpText(row.max),
      row.misplaced ? h('small', {}, `${grouped(row.misplaced)} misplaced`) : null);
}

const worstOf = (rows) =>
    Math.max(...rows.map((row) => (row.misplaced ? 1e9 : 0) + Math.min(row.max, 1e8)));

/** The measurements of a dtype, as a list of [op, its measurements] in the order that the user chose. */
function measuredOps(dtype, order) {
  const byOp = new Map();
  for (const row of measurements.filter((row) => row.dtype === dtype)) {
    if (!byOp.has(row.op)) byOp.set(row.op, []);
    byOp.get(row.op).push(row);
  }
  const ops = [...byOp];
  if (order === 'largest error') ops.sort((a, b) => worstOf(b[1]) - worstOf(a[1]));
  return ops;
}

const measuredSides = (ops) => DATA.accuracy.sides.filter(
    (side) => ops.some(([, rows]) => rows.some((row) => row.side === side)));

function accuracyTable(ops, dtype) {
  const shown = measuredSides(ops);
  return h(
      'table', {class: 'grid accuracy', role: 'grid'},
      captionOf(`Largest errors, ${DATA.dtypes[dtype].name}`),
      h('thead', {},
        h('tr', {}, h('th', {class: 'corner', scope: 'col'}, 'op ↓\nside →'),
          ...shown.map((side) => h('th', {scope: 'col'}, sideName(side))),
          h('th', {scope: 'col'}, 'our bound'), h('th', {scope: 'col'}, 'inputs'))),
      h('tbody', {}, ...ops.map(([op, rows]) => {
        const bound = rows.find((row) => row.bound !== null)?.bound;
        return h(
            'tr', {}, h('th', {scope: 'row'}, h('a', {href: accuracyHash(op, dtype)}, op)),
            ...shown.map((side) => accuracyCell(op, side, rows.find((row) => row.side === side))),
            h('td', {class: 'sum'}, bound === undefined ? '–' : ulpText(bound)),
            h('td', {class: 'sum'}, rows[0].isExhaustive ? 'all' : grouped(rows[0].inputs)));
      })));
}

/**
 * How many inputs have which error: a table with a column for each side. If there is no plot, bars in the table are
 * as long as the logarithm of the count.
 */
function histogramSection(rows) {
  const measured = rows.filter((row) => row.histogram.length);
  if (!measured.length) return null;
  const {edges} = measured[0];
  const names = measured[0].histogram.map(
      (_, i) => (i < edges.length ? `≤ ${ulpText(edges[i])}` : `> ${ulpText(edges.at(-1))}`));
  const isUsed = names.map((_, i) => measured.some((row) => row.histogram[i]));
  const bins = names.slice(0, Math.max(isUsed.lastIndexOf(true), 1) + 1);
  const largest = Math.max(...measured.flatMap((row) => row.histogram));
  const longest = Math.log10(1 + largest);
  const bar = (count) =>
      h('td', {class: 'bin'},
        canPlot() ?
            null :
            h('meter', {min: 0, max: longest, value: Math.log10(1 + count), 'aria-hidden': 'true'}),
        h('span', {}, count ? grouped(count) : '·'));
  return h(
      'section', {}, h('h2', {}, 'Inputs by error'),
      h('p', {class: 'lead'},
        'In ulp, up to the next line. Bars are as long as the logarithm of the count; inputs without a finite result are not counted.'),
      canPlot() ? histogramPlot(measured, bins, largest) : null,
      tableOf(
          'Inputs by error, in ulp', ['error', ...measured.map((row) => sideName(row.side))],
          bins.map(
              (bin, i) =>
                  h('tr', {}, h('th', {scope: 'row'}, bin),
                    ...measured.map((row) => bar(row.histogram[i])))),
          {class: 'list histogram'}));
}

function sidesTable(rows) {
  return tableOf(
      `${rows[0].op}(${DATA.dtypes[rows[0].dtype].name}), side by side`,
      [
        'side', 'largest error#', 'mean#', 'correctly rounded#', 'misplaced#', 'undecided#',
        'inputs#', 'our bound#', 'worst inputs'
      ],
      rows.map(
          (row) => h(
              'tr', {},
              h('th', {scope: 'row'}, sideName(row.side),
                h('small', {}, [row.side, row.version, row.date, row.attributes].filter(Boolean).join(' '))),
              h('td', {class: 'num'}, `${ulpText(row.max)} ulp`),
              h('td', {class: 'num'}, row.mean.toFixed(4)),
              h('td', {class: 'num'}, percentText(row.rounded)),
              h('td', {class: 'num'}, grouped(row.misplaced)),
              h('td', {class: 'num'}, grouped(row.undecided)),
              h('td', {class: 'num'}, `${row.isExhaustive ? 'all ' : ''}${grouped(row.inputs)}`),
              h('td', {class: 'num'}, row.bound === null ? '–' : `${ulpText(row.bound)} ulp`),
              h('td', {},
                h('ol', {class: 'elements'},
                  ...row.worst.slice(0, 5).map(
                      ({input, ulp}) =>
                          h('li', {},
                            ...input.split(/\s+/).flatMap(
                                (bits) =>
                                    [valueText({value: bitsValue(bits, row.dtype) || bits, bits}), ' ']),
                            h('small', {}, `${ulpText(ulp ?? Infinity)} ulp`))))))));
}

function accuracyOp(op, dtype, section) {
  const mine = measurements.filter((row) => row.op === op);
  const dtypes =
      [...new Set(mine.map((row) => row.dtype))].sort((a, b) => dtypeRank(a) - dtypeRank(b));
  const chosen = dtypes.includes(dtype) ? dtype : dtypes[0];
  const rows = mine.filter((row) => row.dtype === chosen);
  const {name} = DATA.dtypes[chosen];
  const command = `upcast sweep ${op} --dtype ${name}`;
  section.replaceChildren(
      ...[h('p', {class: 'eyebrow'}, h('a', {href: accuracyHash('', chosen)}, 'Accuracy')),
          h('h1', {}, `${op}(${name})`),
          segmented(
              'dtype', dtypes.map((code) => [code, DATA.dtypes[code].name]), chosen,
              (code) => {
                location.hash = accuracyHash(op, code);
              }),
          sidesTable(rows),
          histogramSection(rows),
          h('p', {class: 'more'}, 'measure it: ', h('code', {}, command), copyButton(command)),
  ].filter(Boolean));
}

SHOW.accuracy = async ({name, query, section}) => {
  await accuracyReady;
  if (!measurements.length) {
    section.replaceChildren(
        h('h1', {}, 'Accuracy'), h('p', {class: 'lead'}, 'These sides have no measurements.'));
    return;
  }
  const dtypes = [...new Set(measurements.map((row) => row.dtype))].sort(
      (a, b) => dtypeRank(a) - dtypeRank(b));
  const asked = dtypeNamed(query.get('dtype'));
  const usual = dtypes.find((code) => DATA.dtypes[code].name === 'float32') ?? dtypes[0];
  const dtype = dtypes.includes(asked) ? asked : usual;
  if (measurements.some((row) => row.op === name)) {
    accuracyOp(name, dtype, section);
    return;
  }
  const order = query.get('sort') === 'name' ? 'name' : 'largest error';
  const readout = h(
      'p', {class: 'readout'}, 'Point at a cell, or move with the arrow keys; Enter opens the op.');
  const ops = measuredOps(dtype, order);
  const table = accuracyTable(ops, dtype);
  makeInteractive(table, readout, {
    selected: null,
    onselect: () => {
      const {op} = table.querySelector('.selected').dataset;
      if (op) location.hash = accuracyHash(op, dtype);
    }
  });
  section.replaceChildren(
      h('h1', {}, 'Accuracy'),
      h('p', {class: 'lead'},
        'The largest error of each op, against the exact result. Errors are in ulp: the distance of neighbouring ' +
            'values of the dtype at the exact value. 0.5 is correctly rounded. Misplaced: a NaN, an infinity or the sign of a zero that differs from the truth.'),
      h('div', {class: 'controls'},
        segmented(
            'dtype', dtypes.map((code) => [code, DATA.dtypes[code].name]), dtype,
            (code) => {
              location.hash =
                  `#accuracy?${new URLSearchParams({dtype: DATA.dtypes[code].name, sort: order})}`;
            }),
        segmented(
            'sort by', [['largest error', 'largest error'], ['name', 'name']], order,
            (sort) => {
              location.hash =
                  `#accuracy?${new URLSearchParams({dtype: DATA.dtypes[dtype].name, sort})}`;
            })),
      h('div', {}, errorsPlot(ops, dtype)), readout, h('div', {class: 'grid-scroll'}, table),
      h('ul', {class: 'legend'},
        ...['≤ 0.5 ulp: correctly rounded', '≤ 0.51', '≤ 1', '≤ 4', '≤ 64', 'more, or misplaced']
            .map(
                (text, i) =>
                    h('li', {}, h('span', {class: `cell swatch ulp u${i}`, 'aria-hidden': 'true'}),
                      text))));
};
