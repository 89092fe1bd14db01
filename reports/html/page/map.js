// The promotion map of one op: choices at the top, the table below them, and the cases of the chosen cell at its side.

/**
 * The hash of a map view. Choices that are left out are the usual ones. `q`: a query; the pane lists the cases of
 * the op that it finds. If no call is named, the map is shown at the first of these cases.
 */
function mapHash({run = 0, op, call, picks, kinds, mode, cell, q}) {
  const query = new URLSearchParams();
  if (run) query.set('run', run);
  if (q) query.set('q', q);
  if (call || (q && call !== undefined)) query.set('call', call);
  if (kinds) query.set('kinds', kinds.join());
  if (mode && mode !== 'subject') query.set('view', mode);
  for (const [axis, pick] of Object.entries(picks || {})) query.set(`a${axis}`, pick);
  if (cell) query.set('cell', cell.join());
  const text = query.toString();
  return `#map/${encodeURIComponent(op)}${text ? `?${text}` : ''}`;
}

/**
 * The state of a map view, from the hash's query and for the call that the query names. Parts that cannot be read
 * get their defaults.
 */
function readMapState(run, op, query) {
  const callNumber = Math.min(op.calls.length - 1, Math.max(0, Number(query.get('call')) || 0));
  const call = op.calls[callNumber];
  const grid = new Grid(run, call);
  const picks = {};
  for (const axis of grid.others()) {
    const text = query.get(`a${axis}`);
    const item = Number(text);
    picks[axis] = text === 'any'                     ? 'any' :
        text !== null && grid.axes[axis].items[item] ? item :
                                                       grid.defaultPick(axis);
  }
  const usual = [grid.y, grid.x].map((axis) => (grid.axes[axis].kinds.includes(0) ? 0 : 'all'));
  const kinds =
      (query.get('kinds') || '').split(',').map((text) => (text === 'all' ? 'all' : Number(text)));
  const areKinds = query.has('kinds') && kinds.length === 2;
  const cell = (query.get('cell') || '').split(',').map(Number);
  const isCell =
      query.has('cell') && grid.axes[grid.y].items[cell[0]] && grid.axes[grid.x].items[cell[1]];
  const view = query.get('view');
  const book = bookOfMode(view, call);
  const mode = book || ['oracle', 'difference'].includes(view) ? view : 'subject';
  return {
    run: run.number,
    op: op.name,
    call: callNumber,
    grid,
    picks,
    kinds: areKinds ? kinds : usual,
    mode,
    book,
    cell: isCell ? cell : null,
    q: query.get('q')
  };
}

/** The label of a call: its form if no other call of the op has it, else its schema, else the whole template. */
function callLabel(op, call) {
  const isAlone = (key) => op.calls.filter((other) => other[key] === call[key]).length === 1;
  if (!isAlone('form')) return isAlone('schema') ? call.schema : call.template;
  return {functional: 'functional', in_place: 'in-place', out: 'out='}[call.form] || call.form;
}

/** Buttons for each pair of operand kinds, each a thumbnail of its part of the map. */
function kindPicker(state, cells, go) {
  const {grid} = state;
  const [rows, columns] = [grid.axes[grid.y], grid.axes[grid.x]];
  const rowKinds = rows.role === 'default' ? ['all'] : rows.kinds;
  if (rowKinds.length * columns.kinds.length < 2) return null;
  const palette = new Palette();
  const button = (kindY, kindX, label) => {
    const canvas = h('canvas', {'aria-hidden': 'true'});
    paint(canvas, cells, shownItems(rows, kindY), shownItems(columns, kindX), palette, 2);
    const pressed =
        String(state.kinds[0]) === String(kindY) && String(state.kinds[1]) === String(kindX);
    return h(
        'button', {
          type: 'button',
          class: 'kind',
          'aria-pressed': String(pressed),
          'aria-label': label,
          title: label,
          onclick: () => go({kinds: [kindY, kindX], cell: null})
        },
        canvas);
  };
  const name = (kind) => KIND_NAMES[kind] || '';
  const pair = (kindY, kindX) => button(kindY, kindX, [kindY, kindX].map(name).join(' × '));
  const table =
      h('table', {class: 'kinds'}, captionOf('Operand kinds, rows by columns'),
        h('thead', {},
          h('tr', {}, h('td', {}, button('all', 'all', 'all kinds')),
            ...columns.kinds.map((kind) => h('th', {scope: 'col'}, name(kind))))),
        h('tbody', {},
          ...rowKinds.map(
              (kindY) =>
                  h('tr', {}, h('th', {scope: 'row'}, name(kindY) || rows.name),
                    ...columns.kinds.map((kindX) => h('td', {}, pair(kindY, kindX)))))));
  palette.close();
  return h('div', {class: 'field'}, h('span', {class: 'label'}, 'operand kinds'), table);
}

function mapControls(run, op, state, go) {
  const {grid} = state;
  const books = booksOf(grid.call);
  const calls = op.calls.map((call, i) => [i, callLabel(op, call), ...countMarks({bad: call.bad, worst: call.worst})]);
  const axes = grid.others().map((axis) => {
    const {name, items, role} = grid.axes[axis];
    const choose = (value) =>
        go({picks: {...state.picks, [axis]: value === 'any' ? 'any' : Number(value)}, cell: null});
    const bad = grid.badByItem(axis);
    const all = bad.reduce((a, b) => ({bad: a.bad + b.bad, worst: worse(a.worst, b.worst)}));
    const options =
        items.map((item, i) => [i, role === 'default' ? itemLabel(item) : item.text, bad[i]]);
    if (items.length > 1)
      options.unshift(['any', role === 'default' ? 'any' : `any of ${items.length}`, all]);
    if (items.length <= 5) {
      return segmented(
          name, options.map(([value, text, counts]) => [value, text, ...countMarks(counts)]),
          state.picks[axis], choose);
    }
    return dropdown(
        name, options.map(([value, text, {bad: count, worst}]) => [
          value, count ? `${text}   ${glyph(worst)} ${grouped(count)}` : text
        ]),
        state.picks[axis], choose);
  });
  return h(
      'div', {class: 'controls'},
      calls.length > 1 && calls.length < 7 ?
          segmented(
              'form', calls, state.call, (call) => go({call, picks: {}, kinds: null, cell: null})) :
          calls.length > 1 ?
          dropdown(
              'form', calls, state.call, (call) => go({call, picks: {}, kinds: null, cell: null})) :
          null,
      ...axes,
      segmented(
          'show',
          [
            ['subject', run.names.subject], ['oracle', run.names.oracle], ['difference', 'difference'],
            ...books.slice(0, 1).map(() => ['book', 'rule books'])
          ],
          state.book ? 'book' : state.mode,
          (mode) => go({mode: mode === 'book' ? `book:${(state.book || books[0]).name}` : mode})),
      bookPicker(state, (mode) => go({mode})));
}

/** In words, which side a witness agrees with. The keys are names of oracle/verdict.h. */
const VOTE_WORDS = {
  silent: 'says nothing about it',
  subject: 'with the subject',
  oracle: 'with the oracle',
  both: 'with both',
  neither: 'with neither',
};

/**
 * A card with all about a case: its line, its verdict, who is wrong, the answers of both sides and of witnesses,
 * and why.
 */
function caseCard(run, row, at) {
  const {verdict, known, subject, oracle} = row.loaded;
  const index = caseNumber(row, at);
  const line = caseLine(run, row, at);
  const record = run.records.get(index);
  const entry = entryOf(run, known[at]);
  const answers = record ? [record.subject, record.oracle] : answersOfBytes(verdict[at], subject[at], oracle[at]);
  const side = (name, answer) =>
      h('div', {}, h('dt', {}, `${name} `, h('small', {}, `(${run.names[name]})`)), h('dd', {}, h('code', {}, answer)));
  return h(
      'article', {class: 'case'},
      h('p', {class: 'line'}, h('code', {}, line), copyButton(runCommand(run, line))),
      h('p', {class: 'meta'}, chip(verdict[at]), entry ? classBadge(entry) : null,
        h('a', {class: 'quiet', href: caseHash(run, index)}, `case ${grouped(index)}`)),
      blameLine(run, row, at),
      h('dl', {}, side('subject', answers[0]), side('oracle', answers[1]),
        ...(record?.verdict.witnesses || []).map(
            (witness) =>
                h('div', {}, h('dt', {}, 'witness ', h('small', {}, `(${witness.side})`)),
                  h('dd', {}, h('code', {}, witness.answer), ` ${VOTE_WORDS[witness.with]}`)))),
      record?.told && verdict[at] !== VERDICT.expectation ?
          h('p', {class: 'detail'}, record.told) :
          null,
      entry ?
          h('p', {class: 'detail'}, h('b', {},
            h('span', {class: `mark m-${verdictClass(VERDICT.known)}`}, glyph(VERDICT.known)),
            h('a', {href: knownHash(run, entry.name)}, entry.name)),
            ': ', entry.reason,
            ...entry.links.flatMap(
                ({text, address}) => [' ', h('a', {href: address, rel: 'noreferrer'}, text)])) :
          null);
}

const knownHash = (run, name) =>
    `#known/${encodeURIComponent(name)}${run.number ? `?run=${run.number}` : ''}`;

function caseHash(run, index) {
  return `#case/${index}${run.number ? `?run=${run.number}` : ''}`;
}

/** The address of a case on the map. The argument is a place, as Run.locate gives it. */
function caseMapHash(run, {op, call, row, at}) {
  const grid = new Grid(run, call);
  const number = op.calls.indexOf(call);
  if (grid.isList) return mapHash({run: run.number, op: op.name, call: number});
  const {picks, y, x} = grid.place(row, at);
  const kinds = [[grid.y, y], [grid.x, x]].map(
      ([axis, item]) =>
          (grid.axes[axis].role === 'default' ? 'all' : grid.axes[axis].items[item].kind));
  return mapHash({run: run.number, op: op.name, call: number, picks, kinds, cell: [y, x]});
}

const CASES_SHOWN = 60;

function casePanel(run, state, cells, onclose) {
  const {grid} = state;
  const [y, x] = state.cell;
  const cases = grid.cases(state.picks, y, x);
  const cell = cells[y][x];
  const count = cases.length === 1 ?
      'one case' :
      `${grouped(cases.length)} cases, ${grouped(cell.bad)} unexplained, ${
          grouped(cell.known)} known`;
  const more = cases.length > CASES_SHOWN ?
      h('p', {class: 'more'},
        `and ${
            grouped(
                cases.length -
                CASES_SHOWN)} more; choose a third operand, out= or default dtype to narrow down`) :
      null;
  return h(
      'aside', {class: 'panel', 'aria-label': 'Cases of the cell'},
      h('header', {},
        h('h3', {}, h('code', {}, grid.axes[grid.y].items[y].text), ' × ',
          h('code', {}, grid.axes[grid.x].items[x].text)),
        closeButton(onclose)),
      h('p', {class: 'quiet'}, count),
      state.book ? bookNote(run, state, cell, caseLine(run, cases[0].row, cases[0].at)) : null,
      ...cases.slice(0, CASES_SHOWN).map(({row, at}) => caseCard(run, row, at)), more);
}

/** The listed cases of rows, without a table of operands: one after the other, failures first. */
function listView(run, rows) {
  const rank = ({row, at}) => severity(row.loaded.verdict[at]);
  const order = rows.flatMap((row) => [...row.loaded.verdict.keys()].map((at) => ({row, at})))
                    .sort((a, b) => rank(b) - rank(a));
  const more = order.length > 500 ?
      h('p', {class: 'more'}, `and ${grouped(order.length - 500)} more`) :
      null;
  return h(
      'div', {class: 'case-list'}, ...order.slice(0, 500).map(({row, at}) => caseCard(run, row, at)),
      more);
}

function opList(run, current) {
  const filter =
      h('input', {type: 'search', placeholder: 'Find an op', 'aria-label': 'Find an op'});
  const only = h('input', {type: 'checkbox'});
  const links = run.ops.map((op) => ({
                              op,
                              link: h('a', {
                                href: opHash(run, op),
                                'aria-current': op.name === current ? 'page' : null
                              },
                                      h('span', {class: 'name'}, op.name), ...countMarks(op))
                            }));
  const others = otherOps(run, links.filter(({op}) => !isAnswered(op)).map(({link}) => link));
  const apply = () => {
    for (const {op, link} of links) {
      link.hidden = !op.name.toLowerCase().includes(filter.value.toLowerCase()) ||
          (only.checked && !op.bad && !op.known);
    }
    if (others) others.open ||= filter.value !== '';
  };
  filter.addEventListener('input', apply);
  only.addEventListener('change', apply);
  const list = h('div', {class: 'ops-scroll'}, ...links.filter(({op}) => isAnswered(op)).map(({link}) => link), others);
  makeOneStop(list);
  return h(
      'nav', {class: 'ops', 'aria-label': 'Ops'}, filter,
      h('label', {class: 'check'}, only, 'only those that differ'), list);
}

/** The op that the map shows if none is named: the first one that differs, else the first one. */
function firstOp(run) {
  return run.ops.find((op) => op.bad) || run.ops.find((op) => op.known) ||
      run.ops.find(isAnswered) || run.ops[0];
}

/** Draws the map view of an op. Its controls call `go(change)` to move to another state. */
SHOW.map = async ({run, name, query, section, isNew}) => {
  if (!run.ops.length) return;
  const op = run.findOp(name) || firstOp(run);
  await run.ready;
  const found = await queriedCases(run, op, query.get('q'));
  const first = query.has('call') ? null : found?.first()[0];
  const state = readMapState(run, op, first ? queryAt(run, op, first, query) : query);
  const go = (change) => {
    const next = {...state, ...change};
    location.hash = mapHash({...next, picks: chosenPicks(next)});
  };
  const body = h('div', {class: 'map-body'});
  if (state.grid.isList) {
    const rows = run.summed ? op.rows : state.grid.call.rows;
    await Promise.all(rows.map((row) => run.rowColumns(row)));
    if (run.summed) body.append(sumsView(run, op));
    if (found) body.append(foundPanel(run, op, state.q, found, () => go({q: null})));
    else body.append(listView(run, rows));
  } else {
    const cells = await state.grid.fold(state.picks);
    if (state.book) await foldBook(state.book, state.grid, state.picks, cells);
    const holder = h('div', {class: 'panel-holder'});
    const panel = (cell) => {
      if (cell) return casePanel(run, {...state, cell}, cells, () => select(null));
      return found ? foundPanel(run, op, state.q, found, () => go({q: null})) : emptyPanel(run, op);
    };
    const fill = (cell) => holder.replaceChildren(panel(cell));
    const select = (cell) => {
      const hash = mapHash({...state, picks: chosenPicks(state), cell});
      if (hash !== location.hash) pushEntry(hash);
      state.cell = cell;
      fill(cell);
    };
    fill(state.cell);
    const table = gridTable({
      run,
      grid: state.grid,
      cells,
      mode: state.mode,
      book: state.book,
      kinds: state.kinds,
      selected: state.cell,
      onselect: (y, x) => select([y, x])
    });
    if (found) markFound(table, state, found);
    const isWide = shownItems(state.grid.axes[state.grid.x], state.kinds[1]).length > 30;
    body.append(
        mapControls(run, op, state, go), ...(state.book ? [bookSummary(run, state, cells)] : []),
        h('div', {class: `map-split${isWide ? ' is-wide' : ''}`},
          h('div', {class: 'map-table'}, table, state.book ? bookLegend(run) : legend()),
          h('div', {class: 'map-side'}, kindPicker(state, cells, go), holder)));
  }
  const list = opList(run, op.name);
  section.replaceChildren(
      h('div', {class: 'map-page'}, list,
        h('div', {class: 'map-main'},
          h('header', {class: 'map-head'}, h('h1', {}, op.name),
            h('span', {class: 'quiet'}, `${op.family} · ${state.grid.call.template}`),
            ...countMarks(op)),
          body)));
  const current = list.querySelector('[aria-current]');
  if (current)
    current.parentElement.scrollTop = current.offsetTop - current.parentElement.clientHeight / 2;
  // On a narrow screen the pane is below the table, so the page scrolls to it.
  const pane = section.querySelector('.panel.found');
  if (isNew && pane?.getBoundingClientRect().top > innerHeight / 2) pane.scrollIntoView();
};

/** The picks that differ from the defaults, for the hash. */
function chosenPicks({grid, picks}) {
  return Object.fromEntries(
      Object.entries(picks).filter(([axis, pick]) => pick !== grid.defaultPick(Number(axis))));
}
