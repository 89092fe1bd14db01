// What a query (query.js) finds: cases by their columns; ops, known differences, changes and what
// views add (FIND) by their texts.

const FOUND_SHOWN = 100;

/**
 * Whether an item with these values of the term's key is meant; one that has no such key is not.
 */
function holds(term, values) {
  return values !== undefined && values.some((value) => term.test(value)) !== term.negated;
}

const itemHolds = (terms, item) => terms.every((term) => holds(term, item[term.key]));

/** The dtypes that a token names: of an operand its own, of a whole line those of its tensors. */
function tokenDtypes(token) {
  if (token.kind < 2) return [token.dtype];
  if (token.kind !== 3) return [];
  token.dtypes ||= [...token.text.matchAll(/([a-z_0-9]+)\[/g)]
                       .map(([, name]) => dtypeNamed(name))
                       .filter((code) => code >= 0);
  return token.dtypes;
}

/**
 * The largest error in ulp that a record tells; an infinite one is the text 'Infinity'. That a whole
 * number is wrong is no error in ulp.
 */
function recordUlp({verdict}) {
  const {difference, unmet = [], ruling = {}} = verdict;
  const compared = [difference, ...unmet.map((each) => each.difference)].map((each) => each?.ulp);
  const ruled = [ruling.subject_ulp, ruling.oracle_ulp].filter(Number.isFinite);
  const found = [...compared, ...ruled].filter((ulp) => ulp !== undefined).map(Number);
  return found.length ? Math.max(...found) : undefined;
}

/** The same row of another run, its columns loaded; null where that run has none. */
async function sameRow(run, row, other) {
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

const leaves = (verdict) => isFailure(verdict) || verdict === VERDICT.known;

/** What is the same for all cases of a row, by the key that asks for it. */
const rowValues = (run, op, row) => ({
  op: [op.name, row.schema],
  form: [row.form],
  default: [dtypeNamed(row.def)],
  subject: [run.subject],
  in: ['cases']
});

/** Whether a token of a case is meant: a test of (offset, token positions). */
function tokenTest(run, row, {key, test}) {
  const hits = row.axes.map((axis, position) => {
    const role = axisRole(row, position, run.axes[axis]);
    return Uint8Array.from(run.axes[axis], (token) => {
      if (key === 'word') return test(token.text);
      if (role === 'out' || role === 'attribute') return 0;
      return key === 'kind' ? test(token.kind) : tokenDtypes(token).some(test);
    });
  });
  return (at, positions) => hits.some((axis, i) => axis[positions[i]]);
}

/** A word may also stand in the op's names, or in a record. */
function wordTest(run, op, row, term) {
  if ([op.name, row.schema, op.family].some(term.test)) return () => true;
  const inTokens = tokenTest(run, row, term);
  const inRecord = (record) =>
      record !== undefined && [record.subject, record.oracle, record.told].some(term.test);
  return (at, positions) =>
             inTokens(at, positions) || inRecord(run.records.get(caseNumber(row, at)));
}

/**
 * Cases in which the subject leaves its oracle, and that of each other run, which has them, does
 * not.
 */
async function onlyTest(run, row, {test}) {
  if (!test(run.subject)) return () => false;
  const others = runs.filter((other) => other.subject !== run.subject);
  const there = await Promise.all(others.map((other) => sameRow(run, row, other)));
  return (at) => leaves(row.loaded.verdict[at]) &&
      there.every((same) => same && !leaves(same.loaded.verdict[at]));
}

/** A term as a test of (offset, token positions) of a row whose columns are loaded. */
async function caseTest(run, op, row, term) {
  const {key, test} = term;
  const {verdict, subject, known} = row.loaded;
  switch (key) {
    case 'verdict':
      return (at) => test(verdict[at]);
    case 'result':
      return (at) => test(subject[at]);
    case 'known':
      return (at) => known[at] > 0 && test(entryOf(run, known[at]).name);
    case 'class':
      return (at) => known[at] > 0 && test(entryOf(run, known[at]).class);
    case 'wrong':
      return (at) => test(blameOf(run, row, at));
    case 'dtype':
    case 'kind':
      return tokenTest(run, row, term);
    case 'word':
      return wordTest(run, op, row, term);
    case 'only':
      return onlyTest(run, row, term);
    case 'line':
      return (at) => test(caseLine(run, row, at));
    default:
      return null;
  }
}

/** Cases without an error that is told are none of either kind. */
function ulpTest(run, row, {negated, test}) {
  return (at) => {
    const record = run.records.get(caseNumber(row, at));
    const ulp = record && recordUlp(record);
    return ulp !== undefined && test(ulp) !== negated;
  };
}

/** All terms as tests of a case of the row; null where none of its cases can be meant. */
async function caseTests(run, op, row, terms) {
  const tests = [];
  const values = rowValues(run, op, row);
  await run.rowColumns(row);
  for (const term of terms) {
    if (values[term.key]) {
      if (!holds(term, values[term.key])) return null;
    } else if (term.key === 'ulp') {
      tests.push(ulpTest(run, row, term));
    } else {
      const test = await caseTest(run, op, row, term);
      if (!test) return null;
      tests.push((at, positions) => Boolean(test(at, positions)) !== term.negated);
    }
  }
  return tests;
}

/**
 * Cases that are found: how many by verdict and by op, and the first ones of the worst verdicts.
 */
class FoundCases {
  constructor() {
    this.n = 0;
    this.byVerdict = new Map();
    this.byOp = new Map();
    this.shelves = [];
  }

  add(run, op, row, at) {
    const verdict = row.loaded.verdict[at];
    this.n += 1;
    this.byVerdict.set(verdict, (this.byVerdict.get(verdict) || 0) + 1);
    this.byOp.set(op.name, (this.byOp.get(op.name) || 0) + 1);
    const shelf = this.shelves[severity(verdict)] ||= [];
    if (shelf.length < FOUND_SHOWN) shelf.push({run, op, row, at});
  }

  first() {
    return this.shelves.filter(Boolean).reverse().flat().slice(0, FOUND_SHOWN);
  }
}

/** Whether no case of the row can be meant, told without its columns. */
function isSkipped(op, row, terms) {
  return terms.some((term) => {
    if (term.key === 'op') return !holds(term, [op.name, row.schema]);
    if (term.key === 'line') return row.form !== 'cases' && !term.isNamed(row.schema);
    if (term.key === 'form') return !holds(term, [row.form]);
    if (term.key === 'verdict' && row.planes?.verdict === -1) return !holds(term, [VERDICT.agree]);
    if (term.key === 'known' || term.key === 'class') return !term.negated && row.known === 0;
    return (term.key === 'only' || (term.key === 'wrong' && !term.negated)) && row.bad + row.known === 0;
  });
}

/**
 * Every case of a run that the terms mean. `isStale()` stops it; it never holds the page for long.
 */
async function findCases(run, terms, found, isStale) {
  await run.ready;
  let last = performance.now();
  for (const op of run.ops) {
    for (const row of op.rows) {
      if (isSkipped(op, row, terms)) continue;
      if (performance.now() - last > 40) {
        await new Promise((resolve) => setTimeout(resolve));
        last = performance.now();
      }
      if (isStale()) return;
      const tests = await caseTests(run, op, row, terms);
      if (!tests) continue;
      const sizes = row.axes.map((axis) => run.axes[axis].length);
      const positions = sizes.map(() => 0);
      for (let at = 0; at < row.n; at++) {
        if (tests.every((test) => test(at, positions))) found.add(run, op, row, at);
        for (let axis = sizes.length; axis-- > 0;) {
          if (++positions[axis] < sizes[axis]) break;
          positions[axis] = 0;
        }
      }
    }
  }
}

/** What all reports have; FIND adds what the views have. */
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

/** All that is found but cases: [{title, items: [{name, text, href}]}]. */
function findThings(terms) {
  return Object.entries(finders())
      .map(([word, {title, items}]) => ({
             title,
             items: items().filter((item) => itemHolds(terms, {in: [word], ...item})).map(({shown}) => shown)
           }))
      .filter(({items}) => items.length);
}
