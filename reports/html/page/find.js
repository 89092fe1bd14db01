// What a query (query.js) finds: cases by their columns, and ops, known differences, measurements,
// campaigns' findings and changes by their texts.

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
                       .map(([, name]) => DATA.dtypes.findIndex((dtype) => dtype[0] === name))
                       .filter((code) => code >= 0);
  return token.dtypes;
}

/** The largest number of ulp that a record's detail tells. */
function recordUlp(record) {
  const found = [...(record[3] || '').matchAll(/([0-9.]+(?:e[+-]?\d+)?|inf) ulp/g)].map(
      ([, text]) => (text === 'inf' ? Infinity : Number(text)));
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

/**
 * Conditions on a case of the row as functions of (offset, token positions); null where none fits.
 */
async function caseTests(run, op, row, terms) {
  const tests = [];
  const columns = await run.rowColumns(row);
  const rowTexts = [op.name, row.schema, op.family];
  for (const term of terms) {
    const {key, negated, test} = term;
    const fixed = {
      op: [op.name, row.schema],
      form: [row.form],
      default: [DATA.dtypes.findIndex((dtype) => dtype[0] === row.def)],
      subject: [run.subject],
      in: ['cases']
    }[key];
    if (fixed) {
      if (!holds(term, fixed)) return null;
    } else if (key === 'verdict') {
      tests.push((at) => test(columns.verdict[at]) !== negated);
    } else if (key === 'result') {
      tests.push((at) => test(columns.subject[at]) !== negated);
    } else if (key === 'known') {
      const isNamed = run.known.map(([name]) => test(name));
      tests.push((at) => (columns.known[at] > 0 && isNamed[columns.known[at] - 1]) !== negated);
    } else if (key === 'ulp') {
      tests.push((at) => {
        const record = run.records.get(caseNumber(row, at));
        const ulp = record && recordUlp(record);
        return ulp !== undefined && test(ulp) !== negated;
      });
    } else if (key === 'only') {
      if (!test(run.subject)) return null;
      const others = runs.filter((other) => other.subject !== run.subject);
      await Promise.all(others.map((other) => other.ready));
      const there = await Promise.all(others.map((other) => sameRow(run, row, other)));
      tests.push(
          (at) => (leaves(columns.verdict[at]) &&
                   there.every((same) => same && !leaves(same.loaded.verdict[at]))) !== negated);
    } else if (key === 'dtype' || key === 'kind' || key === 'word') {
      if (key === 'word' && rowTexts.some(test)) {
        if (negated) return null;
        continue;
      }
      const hits = row.axes.map((axis, position) => {
        const role = axisRole(row, position, run.axes[axis]);
        return Uint8Array.from(run.axes[axis], (token) => {
          if (key === 'word') return test(token.text);
          if (role === 'out' || role === 'attribute') return 0;
          return key === 'kind' ? test(token.kind) : tokenDtypes(token).some(test);
        });
      });
      const inRecord = (at) => {
        const record = run.records.get(caseNumber(row, at));
        return record !== undefined && record.slice(1, 4).some(test);
      };
      tests.push(
          (at, positions) => (hits.some((axis, i) => axis[positions[i]]) ||
                              (key === 'word' && inRecord(at))) !== negated);
    } else {
      return null;
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
    if (term.key === 'form') return !holds(term, [row.form]);
    if (term.key === 'verdict' && row.planes?.[0] === -1) return !holds(term, [VERDICT.agree]);
    if (term.key === 'known') return !term.negated && row.known === 0;
    return term.key === 'only' && row.bad + row.known === 0;
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

/** All else that is found, as [title, items]; an item is [name, text, hash]. */
function findThings(terms) {
  const lists = {
    Ops: runs.flatMap((run) => run.ops.map((op) => ({
      in: ['ops'], op: [op.name], word: [op.name, op.family],
      shown: [op.name, `${run.title}: ${grouped(op.ran)} cases, ${grouped(op.bad)} unexplained`,
              mapHash({run: run.number, op: op.name})]}))),
    'Known differences': runs.flatMap((run) => run.known.map(([name, reason, selector]) => ({
      in: ['known'], known: [name], op: [selector.split('(')[0]], word: [name, reason, selector],
      shown: [name, reason, '#known']}))),
    Accuracy: accuracyRows().map((row) => ({
      in: ['accuracy'], op: [row.op], dtype: [row.dtype], side: [row.side], ulp: [row.max],
      word: [row.op, row.side],
      shown: [`${row.op}(${DATA.dtypes[row.dtype][0]})`, `${row.side}: at most ${row.max} ulp`,
              `#accuracy/${encodeURIComponent(row.op)}?dtype=${DATA.dtypes[row.dtype][0]}`]})),
    Campaigns: DATA.campaigns.flatMap((campaign) => campaign.findings.map(([signature, line, subject, oracle]) => ({
      in: ['campaigns'], op: [line.split('(')[0], line.split(/[._(]/)[0]], word: [signature, line, subject, oracle],
      side: [campaign.target], shown: [line, signature, '#campaigns']}))),
    Changes: DATA.changes.map(([change, line, before, after]) => ({
      in: ['changes'], op: [line.split('(')[0], line.split(/[.(]/)[0]], word: [change, line, before, after],
      shown: [line, `${change}: ${before} → ${after}`, '#changes']})),
  };
  return Object.entries(lists)
      .map(([
             title, items
           ]) => [title, items.filter((item) => itemHolds(terms, item)).map((item) => item.shown)])
      .filter(([, items]) => items.length);
}
