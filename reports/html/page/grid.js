// A table of dtypes by dtypes: sticky headers, arrow keys, and a text that describes the focused
// cell.

const CATEGORIES = ['bool', 'integral', 'floating', 'complex'];

/** The rank of a dtype in the order of tables: by category and size, float8 last. */
function dtypeRank(dtype) {
  const {name, category, bytes} = DATA.dtypes[dtype];
  const group = name.startsWith('float8') ? CATEGORIES.length : CATEGORIES.indexOf(category);
  return group * 10000 + bytes * 100 + dtype;
}

/** The items of an axis that are shown, of one kind or of all kinds, in the order of tables. */
function shownItems(axis, kind) {
  const chosen = kind === 'all' ? [] : itemsOfKind(axis, kind);
  const items = chosen.length ? chosen : axis.items.map((_, i) => i);
  if (!['operand', 'out'].includes(axis.role)) return items;
  const rank = (i) => axis.items[i].kind * 1e6 + dtypeRank(axis.items[i].dtype);
  return items.sort((a, b) => rank(a) - rank(b));
}

/**
 * The label of an item: the dtype's short name. If several kinds are shown, `[]` after it marks a zero-dim tensor.
 */
function itemLabel(item, isMixed = false) {
  const isNamed = item.kind < 2 || (item.kind === 3 && DATA.dtypes[item.dtype]?.name === item.text);
  if (!isNamed) return item.text;
  return dtypeShort(item.dtype) + (isMixed && item.kind === 1 ? '[]' : '');
}

/** The description of a cell, shown on hover and focus. */
function cellSentence(view, y, x) {
  const {grid, cells, run} = view;
  const cell = cells[y][x];
  const operands = `${grid.axes[grid.y].items[y].text}, ${grid.axes[grid.x].items[x].text}`;
  const count = cell.n > 1 ? ` (${grouped(cell.n)} cases, ${grouped(cell.bad)} unexplained)` : '';
  const answers = cell.worst === VERDICT.agree ?
      answersText(cell.subject) :
      `${run.names.subject}: ${answersText(cell.subject)}; ${run.names.oracle}: ${answersText(cell.oracle)}`;
  return `${operands} → ${answers} · ${verdictName(cell.worst)}${count}`;
}

function cellText(cell, mode) {
  if (mode !== 'difference') return answerShort(cell[mode]);
  if (cell.worst === VERDICT.agree) return '';
  const [subject, oracle] = [answerShort(cell.subject), answerShort(cell.oracle)];
  return subject === oracle ? subject : `${subject}→${oracle}`;
}

/** The class that gives long labels (of float8) smaller type, so that columns stay equal. */
function longClass(text) {
  if (text.length <= 5) return '';
  return text.length > 7 ? ' longer' : ' long';
}

/** What a cell shows of the run's sides: CSS classes, text, mark, and all of it as a sentence. */
function cellLook(view, y, x) {
  const cell = view.cells[y][x];
  const side = view.mode === 'oracle' ? 'oracle' : 'subject';
  const quiet = view.mode === 'difference' && cell.worst === VERDICT.agree;
  return {
    classes: quiet ? 't-quiet' : cellClasses(cell, side),
    text: cellText(cell, view.mode),
    mark: cell.worst === VERDICT.agree ? '' : glyph(cell.worst),
    sentence: cellSentence(view, y, x)
  };
}

function cellElement(view, y, x) {
  const {classes, text, mark, sentence} = (view.book ? bookLook : cellLook)(view, y, x);
  return h(
      'td', {
        class: `cell ${classes}${longClass(text)}`,
        role: 'gridcell',
        tabindex: '-1',
        'data-y': y,
        'data-x': x,
        'aria-label': sentence
      },
      text, mark ? h('span', {class: 'glyph', 'aria-hidden': 'true'}, mark) : null);
}

/** The header cells above the columns: the kinds in bands, then the names of the items. */
function columnHeads(axis, items, corner) {
  const bands = [];
  for (const item of items) {
    const kind = axis.items[item].kind;
    if (bands.length && bands.at(-1).kind === kind)
      bands.at(-1).n += 1;
    else
      bands.push({kind, n: 1});
  }
  const starts = new Set();
  const isMixed = bands.length > 1;
  let at = 0;
  for (const band of bands) {
    starts.add(at);
    at += band.n;
  }
  const names =
      h('tr', {}, h('th', {class: 'corner', scope: 'col'}, corner),
        ...items.map(
            (item, i) =>
                h('th', {scope: 'col', class: starts.has(i) && i ? 'band' : ''},
                  h('span', {}, itemLabel(axis.items[item], isMixed)))));
  return {starts, names};
}

/**
 * Makes the table of a view: {run, grid, cells, mode, book or nothing, kinds: [y, x], selected: [y, x] or null,
 * onselect(y, x)}. Arrow keys move the focus, Home and End move it to the ends of a row, Enter and Space select a
 * cell.
 */
function gridTable(view) {
  const {grid} = view;
  const rows = shownItems(grid.axes[grid.y], view.kinds[0]);
  const columns = shownItems(grid.axes[grid.x], view.kinds[1]);
  const head = columnHeads(
      grid.axes[grid.x], columns, `${grid.axes[grid.y].name} ↓\n${grid.axes[grid.x].name} →`);
  const isMixed = new Set(rows.map((y) => grid.axes[grid.y].items[y].kind)).size > 1;
  let lastKind = null;
  const body = rows.map((y) => {
    const item = grid.axes[grid.y].items[y];
    const isBand = lastKind !== null && item.kind !== lastKind;
    lastKind = item.kind;
    return h(
        'tr', {class: isBand ? 'band' : ''}, h('th', {scope: 'row'}, itemLabel(item, isMixed)),
        ...columns.map((x, i) => {
          const cell = cellElement(view, y, x);
          if (head.starts.has(i) && i) cell.classList.add('band');
          return cell;
        }));
  });
  const table =
      h('table', {class: `grid${columns.length > 30 ? ' dense' : ''}`, role: 'grid'},
        captionOf(`${grid.call.schema}: ${grid.axes[grid.y].name} by ${grid.axes[grid.x].name}`),
        h('thead', {}, head.names), h('tbody', {}, ...body));
  const readout = h(
      'p', {class: 'readout', 'aria-live': 'off'}, 'Point at a cell, or move with the arrow keys.');
  makeInteractive(table, readout, view);
  return h('div', {}, readout, h('div', {class: 'grid-scroll'}, table));
}

/**
 * The element that takes the focus in a square of the table: the cell itself, or the link at the head of its row.
 */
function gridStop(square) {
  if (square?.classList.contains('cell')) return square;
  return square?.matches('tbody th') ? square.querySelector('a') : null;
}

/** Makes a table a single stop of Tab. Tab enters it and leaves it, and arrow keys move inside it. */
function makeInteractive(table, readout, view) {
  const of = (event) => event.target.closest('td.cell');
  const say = (cell) => {
    readout.textContent = cell.getAttribute('aria-label');
  };
  const select = (cell) => {
    table.querySelector('.selected')?.classList.remove('selected');
    cell.classList.add('selected');
    view.onselect(Number(cell.dataset.y), Number(cell.dataset.x));
  };
  const start = view.selected ?
      table.querySelector(`td[data-y="${view.selected[0]}"][data-x="${view.selected[1]}"]`) :
      null;
  const entry = start || table.querySelector('td.cell');
  for (const link of table.querySelectorAll('tbody th a')) link.tabIndex = -1;
  if (entry) entry.tabIndex = 0;
  if (start) {
    start.classList.add('selected');
    say(start);
  }
  table.addEventListener('mouseover', (event) => of(event) && say(of(event)));
  table.addEventListener('focusin', (event) => of(event) && say(of(event)));
  table.addEventListener('click', (event) => of(event) && select(of(event)));
  table.addEventListener('keydown', (event) => {
    const square = event.target.closest('td.cell, tbody th');
    if (!square) return;
    const line = square.parentElement;
    const column = square.cellIndex;
    const target = {
      ArrowRight: () => square.nextElementSibling,
      ArrowLeft: () => square.previousElementSibling,
      ArrowDown: () => line.nextElementSibling?.children[column],
      ArrowUp: () => line.previousElementSibling?.children[column],
      Home: () => line.children[1],
      End: () => [...line.children].findLast((child) => child.classList.contains('cell')),
    }[event.key];
    if ((event.key === 'Enter' || event.key === ' ') && of(event)) {
      event.preventDefault();
      select(square);
    } else if (target) {
      event.preventDefault();
      const next = gridStop(target());
      if (!next) return;
      gridStop(square).tabIndex = -1;
      next.tabIndex = 0;
      next.focus();
    }
  });
}
