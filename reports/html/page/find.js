// Finds what matches a query (query.js). Cases are found by their columns; ops, known differences,
// changes and the items that views add (FIND) by their texts.

const FOUND_SHOWN = 100;

/** Whether an item fits a term, by its values of the term's key. An item without that key does not fit. */
function holds(term, values) {
  return values !== undefined && values.some((value) => term.test(value)) !== term.negated;
}

const itemHolds = (terms, item) => terms.every((term) => holds(term, item[term.key]));

/** The row of another run with the same cases, with its columns loaded. Null if that run has none, or lists only some. */
async function sameRow(run, row, other) {
  if (run.summed || other.summed) return null;
  const key =
      (owner,
       r) => [r.schema, r.form, r.def, r.tpl,
              ...r.axes.map((axis) => owner.axes[axis].map((token) => token.text).join('\t'))]
                 .join('\n');
  if (!other.rowsByKey) {
    other.rowsByKey = new Map();
    for (const op of other.ops) {
      for (const each of op.rows) other.rowsByKey.set(key(other, each), each);
    }
  }
  const found = other.rowsByKey.get(key(run, row));
  if (!found) return null;
  await other.rowColumns(found);
  return found;
}

/** Collects found cases: their numbers by verdict and by op, and the first cases of the worst verdicts. */
class FoundCases {
  constructor() {
    this.n = 0;
    this.unlisted = 0;                    // cases that may match, but are not listed
    this.counts = new Float64Array(256);  // by verdict
    this.byOp = new Map();
    this.shelves = new Map();             // by severity
  }

  /** Counts `n` found cases of a verdict in an op. */
  count(op, verdict, n) {
    if (!n) return;
    this.n += n;
    this.counts[verdict] += n;
    this.byOp.set(op.name, (this.byOp.get(op.name) || 0) + n);
  }

  /** Whether one more case of the verdict is to be shown: it is worse than those that are, or there is room. */
  wants(verdict) {
    return (this.shelves.get(severity(verdict))?.length || 0) < FOUND_SHOWN;
  }

  show(verdict, place) {
    const key = severity(verdict);
    if (!this.shelves.has(key)) this.shelves.set(key, []);
    this.shelves.get(key).push(place);
  }

  byVerdict() {
    return [...this.counts].map((n, verdict) => [verdict, n]).filter(([, n]) => n)
        .sort((a, b) => severity(b[0]) - severity(a[0]));
  }

  first() {
    return [...this.shelves].sort((a, b) => b[0] - a[0]).flatMap(([, places]) => places).slice(0, FOUND_SHOWN);
  }
}

/**
 * Finds every case of a run that matches the terms. Stops when `isStale()` is true. It works in short steps, so
 * that the page stays usable.
 */
async function findCases(run, terms, found, isStale) {
  await run.ready;
  const plan = compileTerms(run, terms);
  if (!plan) return;
  const rows = run.ops.map((op) => op.rows.filter((row) => !isSkipped(run, op, row, plan)));
  await Promise.all(rows.flatMap((list) => list.flatMap((row) => missingPlanes(run, row, plan))));
  let last = performance.now();
  for (const [i, op] of run.ops.entries()) {
    for (const row of rows[i]) {
      if (performance.now() - last > 40) {
        await new Promise((resolve) => setTimeout(resolve));
        last = performance.now();
      }
      if (isStale()) return;
      found.unlisted += mayMatch(run, row, plan);
      let tests = [];
      if (plan.records.length && row.bad + row.known > 0) {
        await run.rowColumns(row);
        tests = await recordTests(run, row, plan);
      }
      findInRow(run, op, row, tests, plan, found);
    }
  }
}

/** What the search finds in every report besides cases. FIND has what views add. */
const OWN_FINDERS = {
  ops: {
    title: 'Ops',
    items: () => runs.flatMap((run) => run.ops.map((op) => ({
      op: [op.name], word: [op.name, op.family],
      shown: {name: op.name, text: `${run.title}: ${counted(op.ran, 'case')}, ${grouped(op.bad)} unexplained`,
              href: mapHash({run: run.number, op: op.name})}})))
  },
  known: {
    title: 'Known differences',
    items: () => runs.flatMap((run) => run.known.map(({name, reason, selector, links, class: group}) => ({
      known: [name], class: [group], op: [selector.split('(')[0]],
      word: [name, reason, selector, ...links.flatMap(({text, address}) => [text, address])],
      shown: {name, text: reason, href: knownHash(run, name)}})))
  },
  changes: {
    title: 'Changes',
    items: () => rowsOf(DATA.changes).map(({change, line, before, after, case: number}) => ({
      op: [line.split('(')[0], line.split(/[.(]/)[0]], word: [change, line, before, after], line: [line],
      shown: {name: line, text: `${change}: ${before} → ${after}`,
              href: number < 0 ? '#changes' : caseHash(runs[0], number)}}))
  }
};

const finders = () => ({...OWN_FINDERS, ...FIND});

/** Everything that is found except cases: [{title, items: [{name, text, href}]}]. */
function findThings(terms) {
  return Object.entries(finders())
      .map(([word, {title, items}]) => ({
             title,
             items: items().filter((item) => itemHolds(terms, {in: [word], ...item})).map(({shown}) => shown)
           }))
      .filter(({items}) => items.length);
}
