// The atlas: a thumbnail of every op's promotion map, one pixel for each dtype pair.

/** The colours of the tint classes and of the verdict classes in the current theme. */
class Palette {
  constructor() {
    this.colours = new Map();
    this.probe = h('i', {class: 'offscreen'});
    document.body.append(this.probe);
  }

  colour(classes) {
    if (!this.colours.has(classes)) {
      this.probe.className = `offscreen cell ${classes}`;
      this.colours.set(classes, getComputedStyle(this.probe).backgroundColor);
    }
    return this.colours.get(classes);
  }

  close() {
    this.probe.remove();
  }
}

/** The CSS classes that colour a cell: those of its verdict if that is noteworthy, else the tint of its answer. */
function cellClasses(cell, side) {
  const byte = cell[side].one();
  const partial = cell[side].isUnanimous() || byte >= ANSWER.refusal ? '' : ' partial';
  return `${tint(byte)}${partial}${
      verdictClasses(cell.worst, cell.bad || cell.known || cell.unjudged, cell.n)}`;
}

/** A cell is filled with the verdict's colour if half of its cases have the verdict, else underlined. */
function verdictClasses(worst, cases, all) {
  const verdict = verdictClass(worst);
  if (verdict === 'agree') return '';
  return ` v-${verdict}${cases * 2 < all ? ' some' : ''}`;
}

/** Paints cells[rows][columns] into a canvas of one square each. */
function paint(canvas, cells, rows, columns, palette, scale = 4) {
  canvas.width = columns.length * scale;
  canvas.height = rows.length * scale;
  const context = canvas.getContext('2d');
  rows.forEach((y, row) => columns.forEach((x, column) => {
    context.fillStyle = palette.colour(cellClasses(cells[y][x], 'subject').replace(' some', ''));
    context.fillRect(column * scale, row * scale, scale, scale);
  }));
}

const itemsOfKind = (axis, kind) =>
    axis.items.map((item, i) => (item.kind === kind ? i : -1)).filter((i) => i >= 0);

async function drawThumbnail(run, call, canvas, palette) {
  const grid = new Grid(run, call);
  const picks = {};
  for (const axis of grid.others()) {
    picks[axis] = grid.defaultPick(axis);
  }
  const cells = await grid.fold(picks);
  paint(canvas, cells, shownItems(grid.axes[grid.y], 0), shownItems(grid.axes[grid.x], 0), palette);
}

/** The call whose map is an op's thumbnail: its functional one, else its first. */
function mainCall(op) {
  return op.calls.find((call) => call.form === 'functional') || op.calls[0];
}

function atlasTile(run, op) {
  const canvas = h('canvas', {'aria-hidden': 'true'});
  const tile =
      h('a', {class: 'tile-op', href: opHash(run, op)}, canvas, h('span', {class: 'name'}, op.name),
        h('span', {class: 'marks'}, ...countMarks(op)));
  return {tile, canvas};
}

/** The address to which an op's count leads: the pane with its failures if it has some, else its map. */
const opHash = (run, op) =>
    mapHash({run: run.number, op: op.name, q: op.bad ? 'verdict:failed' : null});

/** Whether any case of the op ran and was judged. */
const isAnswered = (op) => op.ran > op.unjudged;

/** The ops without a judged case, folded into one line. Null if there are none. */
function otherOps(run, links) {
  if (!links.length) return null;
  const words = links.length === run.ops.length ? 'No op has a judged case' :
      `${counted(links.length, 'more op has', 'more ops have')} no judged case`;
  return h('details', {class: 'other-ops'}, h('summary', {}, words), ...links);
}

const plainOpLink = (run, op) => h('a', {href: opHash(run, op)}, op.name);

/**
 * Fills `slot` with the ops that the subject answers, by family. Their thumbnails are drawn when they come into
 * sight.
 */
function showAtlas(run, slot) {
  const families = new Map();
  for (const op of run.ops.filter(isAnswered)) {
    if (!families.has(op.family)) families.set(op.family, []);
    families.get(op.family).push(op);
  }
  const waiting = new Map();
  const sight = new IntersectionObserver(async (entries) => {
    await run.ready;
    const palette = new Palette();
    const drawn = entries.filter((entry) => entry.isIntersecting && waiting.has(entry.target))
                      .map((entry) => {
                        sight.unobserve(entry.target);
                        const op = waiting.get(entry.target);
                        return mainCall(op).form === 'cases' || run.summed ?
                            null :
                            drawThumbnail(run, mainCall(op), entry.target, palette);
                      });
    await Promise.all(drawn);
    palette.close();
  }, {rootMargin: '400px'});
  const groups = [...families].map(
      ([family, ops]) =>
          h('section', {class: 'family'},
            h('h3', {}, family || 'ops', ' ',
              h('small', {}, counted(ops.length, 'op'))),
            h('div', {class: 'tiles-op'}, ...ops.map((op) => {
              const {tile, canvas} = atlasTile(run, op);
              waiting.set(canvas, op);
              sight.observe(canvas);
              return tile;
            }))));
  slot.replaceChildren(
      h('h2', {}, 'Atlas'),
      ...(run.summed ? [h('p', {class: 'lead'}, 'The ops with their counts. ', unlistedWords(run))] : [
        h('p', {class: 'lead'}, 'What each op answers for every pair of dtypes, as ',
          h('b', {}, run.names.subject), ' answers it. Warm colours mark what differs.'),
        legend()
      ]),
      h('div', {class: 'atlas'}, ...groups),
      ...[otherOps(run, run.ops.filter((op) => !isAnswered(op)).map((op) => plainOpLink(run, op)))].filter(Boolean));
  makeOneStop(slot.querySelector('.atlas'));
}

const swatch = (classes, text, mark = '') =>
    h('li', {}, h('span', {class: `cell swatch ${classes}`, 'aria-hidden': 'true'}, mark), text);

/** A legend: what the tints mean, then the given marks. */
const legendOf = (...marks) =>
    h('ul', {class: 'legend', 'aria-label': 'Legend'}, swatch('t-bool w1', 'bool'),
      swatch('t-integral w2', 'integral'), swatch('t-floating w2', 'floating'),
      swatch('t-complex w4', 'complex'), swatch('t-refuse', 'refuses', '–'), ...marks);

/** The verdicts that a cell may show, in words, for the legend. */
const LEGEND = [
  ['known', 'known difference'], ['differ', 'difference'], ['crash', 'crash'], ['timeout', 'timeout'],
  ['expectation', 'unmet expectation'], ['notJudged', 'not judged'], ['missing', 'did not run']
];

const legend = () => legendOf(
    ...LEGEND.map(([name, words]) => swatch(`v-${verdictClass(VERDICT[name])}`, words, glyph(VERDICT[name]))),
    h('li', {}, 'filled: in at least half of the cell\'s cases; underlined: in fewer'));
