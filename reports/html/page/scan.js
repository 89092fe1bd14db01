// Tells which cases of a row a query matches. Tables of bytes and bits, made once for a query, test
// millions of cases quickly. Rows in which all cases agree are counted without testing a case.

/** The dtypes in a token: the operand's own dtype, or those of all tensors in a whole case line. */
function tokenDtypes(token) {
  if (token.kind < 2) return [token.dtype];
  if (token.kind !== 3) return [];
  token.dtypes ||= [...token.text.matchAll(/([a-z_0-9]+)\[/g)]
                       .map(([, name]) => dtypeNamed(name))
                       .filter((code) => code >= 0);
  return token.dtypes;
}

/**
 * The largest error in ulp that a record tells; 'Infinity' is text for an infinite one. A wrong whole number has no
 * error in ulp.
 */
function recordUlp({verdict}) {
  const {difference, unmet = [], ruling = {}} = verdict;
  const compared = [difference, ...unmet.map((each) => each.difference)].map((each) => each?.ulp);
  const ruled = [ruling.subject_ulp, ruling.oracle_ulp].filter(Number.isFinite);
  const found = [...compared, ...ruled].filter((ulp) => ulp !== undefined).map(Number);
  return found.length ? Math.max(...found) : undefined;
}

const leaves = (verdict) => isFailure(verdict) || verdict === VERDICT.known;

/** The values that all cases of a row have in common, by key of the search. */
const rowValues = (run, op, row) => ({
  op: [op.name, row.schema],
  schema: [row.schema],
  form: [row.form],
  default: [dtypeNamed(row.def)],
  subject: [run.subject, run.names.subject],
  in: ['cases']
});
const ROW_KEYS = ['op', 'schema', 'form', 'default', 'subject', 'in'];
const TOKEN_KEYS = ['dtype', 'kind', 'word'];
const RECORD_KEYS = ['wrong', 'only'];

/** For keys that test a byte: the column, and the meaning of its bytes. */
const BYTE_KEYS = {
  verdict: {column: 'verdict', of: (run, byte) => byte},
  result: {column: 'subject', of: (run, byte) => byte},
  oracle: {column: 'oracle', of: (run, byte) => byte},
  known: {column: 'known', of: (run, byte) => entryOf(run, byte)?.name},
  class: {column: 'known', of: (run, byte) => entryOf(run, byte)?.class}
};

/** Narrows a table, with an entry for each byte of a column, to the bytes that match one more term. */
function meantBytes(run, {key, test, negated}, table) {
  const {of} = BYTE_KEYS[key];
  const said = new Map();
  return table.map((isMeant, byte) => {
    const value = of(run, byte);
    if (!said.has(value)) said.set(value, value !== undefined && Boolean(test(value)));
    return isMeant && said.get(value) !== negated ? 1 : 0;
  });
}

/**
 * Compiles a query's terms for a run. `columns`: by column, a table of the bytes that match. `tokens`: the terms
 * about operands, a bit each. `rows`, `records`, `ulps`, `line`: the other terms by what they ask. Null if no case
 * can have the key of a term.
 */
function compileTerms(run, terms) {
  const plan = {
    columns: {}, tokens: [], rows: [], records: [], ulps: [], line: null,
    // What was worked out for earlier rows, so that later rows reuse it.
    bits: [[], []], words: new Map(), meeting: new Map(), kinds: new Map(),
    counts: new Float64Array(256)  // how many cases of the current row have each verdict
  };
  for (const term of terms) {
    if (ROW_KEYS.includes(term.key))
      plan.rows.push(term);
    else if (BYTE_KEYS[term.key]) {
      const {column} = BYTE_KEYS[term.key];
      plan.columns[column] = meantBytes(run, term, plan.columns[column] || new Uint8Array(256).fill(1));
    } else if (TOKEN_KEYS.includes(term.key))
      plan.tokens.push(term);
    else if (RECORD_KEYS.includes(term.key))
      plan.records.push(term);
    else if (term.key === 'ulp')
      plan.ulps.push(term);
    else if (term.key === 'line')
      plan.line = term;
    else
      return null;
  }
  plan.hasWords = plan.tokens.some(({key}) => key === 'word');
  plan.all = 2 ** plan.tokens.length - 1;
  plan.negated = plan.tokens.reduce((bits, {negated}, i) => bits | (negated ? 1 << i : 0), 0);
  // No term about who is wrong matches a case that agrees or was not judged. Every negated one
  // matches it.
  if (plan.records.some(({negated}) => !negated)) {
    const table = plan.columns.verdict || new Uint8Array(256).fill(1);
    plan.columns.verdict = table.map((isMeant, byte) => (isMeant && leaves(byte) ? 1 : 0));
  }
  const {verdict} = plan.columns;
  plan.onlyLeaving = Boolean(verdict) && !verdict.some((isMeant, byte) => isMeant && !leaves(byte));
  return plan;
}

/** For each axis of a row, whether its tokens are operands (or whole lines). */
function operandAxes(run, row) {
  const {shape} = row;
  // Only a number can be an operand in one call and an attribute in another. Other tokens mean the
  // same in every call.
  shape.areNumbers ??= row.axes.map((axis) => run.axes[axis].every((item) => item.kind === 2));
  if (shape.operands) return shape.operands;
  const operands = row.axes.map(
      (axis, position) => !['out', 'attribute'].includes(axisRole(row, position, run.axes[axis])));
  if (!shape.areNumbers.includes(true)) shape.operands = operands;
  return operands;
}

/** A bit for each term about operands, set if a token matches the term. */
function tokenBits(token, isOperand, {tokens}) {
  let bits = 0;
  tokens.forEach(({key, test}, i) => {
    const isMet = key === 'word' ? test(token.text) :
        isOperand && (key === 'kind' ? test(token.kind) : tokenDtypes(token).some(test));
    if (isMet) bits |= 1 << i;
  });
  return bits;
}

/** For each item of an axis, the bits of the operand terms that it matches. */
function axisBits(run, axis, isOperand, plan) {
  const known = plan.bits[Number(isOperand)];
  if (!known[axis]) {
    const items = run.axes[axis];
    known[axis] = new Uint32Array(items.length);
    for (let i = 0; i < items.length; i++) known[axis][i] = tokenBits(items[i], isOperand, plan);
  }
  return known[axis];
}

/** The bits of the operand terms that all cases of a row match: a word may also match the names of the op. */
function rowBits(op, row, plan) {
  const {words} = plan;
  const key = `${op.name} ${row.schema}`;
  if (!words.has(key)) {
    words.set(key, plan.tokens.reduce(
        (bits, {key: of, test}, i) =>
            (of === 'word' && [op.name, row.schema, op.family].some(test) ? bits | 1 << i : bits),
        0));
  }
  return words.get(key);
}

/** For each listed case of a row, the bits that its tokens set. Rows of one shape that list all cases share them. */
function tokenSums(run, row, operands, plan) {
  const axes = row.axes.map((axis, position) => axisBits(run, axis, operands[position], plan));
  if (row.places) {
    return Uint32Array.from(row.places, (place) => axes.reduceRight((sum, bits) => {
      const item = place % bits.length;
      place = (place - item) / bits.length;
      return sum | bits[item];
    }, 0));
  }
  let sums = new Uint32Array(1);
  axes.forEach((bits) => {
    const next = new Uint32Array(sums.length * bits.length);
    for (let i = 0, at = 0; i < sums.length; i++)
      for (let j = 0; j < bits.length; j++) next[at++] = sums[i] | bits[j];
    sums = next;
  });
  return sums;
}

/** The cases of a row that match all terms about operands: {flags, count}. Null without such terms. */
function meetingCases(run, op, row, plan) {
  if (!plan.tokens.length) return null;
  const base = rowBits(op, row, plan);
  const operands = operandAxes(run, row);
  const extra = recordBits(run, row, plan);
  const key = `${row.shape.number} ${base} ${row.shape.operands ? '' : operands}`;
  const isShared = !extra.size && !row.places;
  if (isShared && plan.meeting.has(key)) return plan.meeting.get(key);
  const sums = tokenSums(run, row, operands, plan);
  for (const [at, bits] of extra) sums[at] |= bits;
  let count = 0;
  const flags = new Uint8Array(sums.length);
  for (let at = 0; at < sums.length; at++)
    if (((sums[at] | base) ^ plan.negated) === plan.all) count += flags[at] = 1;
  if (isShared) plan.meeting.set(key, {flags, count});
  return {flags, count};
}

/** The bits that only single cases have, by offset: a word may also match a case's record. */
function recordBits(run, row, plan) {
  const found = new Map();
  if (!plan.hasWords) return found;
  for (const at of run.recordsOf(row)) {
    const {subject, oracle, told} = run.records.get(caseNumber(row, at));
    const bits = plan.tokens.reduce(
        (sum, {key, test}, i) =>
            (key === 'word' && [subject, oracle, told].some((text) => text !== undefined && test(text)) ?
                 sum | 1 << i :
                 sum),
        0);
    if (bits) found.set(at, bits);
  }
  return found;
}

/**
 * For `only:`, the cases in which this run's subject differs from its oracle, while no other run's subject does in
 * the same case.
 */
async function onlyTest(run, row, {test}) {
  if (!test(run.subject)) return () => false;
  const others = runs.filter((other) => other.subject !== run.subject);
  const there = await Promise.all(others.map((other) => sameRow(run, row, other)));
  return (at) => there.every((same) => same && !leaves(same.loaded.verdict[at]));
}

/**
 * The tests of single cases that differ from the oracle, for terms that columns cannot answer. They take a case's
 * offset in the row. The row's columns must be loaded.
 */
async function recordTests(run, row, plan) {
  const tests = [];
  for (const term of plan.records) {
    const test = term.key === 'wrong' ? (at) => term.test(blameOf(run, row, at)) : await onlyTest(run, row, term);
    tests.push((at) => Boolean(test(at)) !== term.negated);
  }
  return tests;
}

/** Whether no case of a row can match. Does not need the row's columns. */
function isSkipped(run, op, row, plan) {
  if (plan.onlyLeaving && row.bad + row.known === 0) return true;
  if (plan.columns.known && !plan.columns.known[0] && row.known === 0) return true;
  if (plan.line && row.form !== 'cases' && !plan.line.isNamed(row.schema)) return true;
  if (!plan.rows.length) return false;
  const key = `${op.name} ${row.kind}`;
  if (!plan.kinds.has(key)) {
    const values = rowValues(run, op, row);
    plan.kinds.set(key, plan.rows.some((term) => !holds(term, values[term.key])));
  }
  return plan.kinds.get(key);
}

/** Whether a row in which all cases agree answers the query without its columns. */
const isToldByAgreement = (row, {columns, ulps, line}) =>
    row.worst === VERDICT.agree && !columns.subject && !columns.oracle && !ulps.length && !line;

/** The planes of a row that the query needs and that are not inflated yet. Small rows need none. */
function missingPlanes(run, row, plan) {
  if (row.loaded || isToldByAgreement(row, plan)) return [];
  const {columns} = plan;
  const names = ['verdict', columns.known && 'known', (columns.subject || columns.oracle) && 'subject',
                 columns.oracle && 'difference'];
  return names.filter((name) => name && row.planes[name] >= 0)
      .map((name) => run.plane(row.planes[name], row.n))
      .filter((plane) => plane instanceof Promise);
}

/**
 * The columns of a row whose planes are inflated. Null for a column of zeros, or one that the query does not need.
 */
function searchColumns(run, row, plan) {
  if (row.loaded) return row.loaded;
  const {columns} = plan;
  const of = (name) => (row.planes[name] < 0 ? null : run.plane(row.planes[name], row.n));
  const subject = columns.subject || columns.oracle ? run.plane(row.planes.subject, row.n) : null;
  const difference = columns.oracle ? of('difference') : null;
  return {
    verdict: of('verdict'),
    known: columns.known ? of('known') : null,
    subject,
    oracle: difference ? subject.map((byte, i) => byte ^ difference[i]) : subject
  };
}

/**
 * The offsets of a row's cases that differ from the oracle. Rows with the same plane of verdicts share the list.
 */
function leavingPlaces(run, row, verdict) {
  const key = row.planes?.verdict ?? row;
  run.leaving ||= new Map();
  if (!run.leaving.has(key)) {
    const places = [];
    for (let at = 0; at < row.n; at++) if (verdict && leaves(verdict[at])) places.push(at);
    run.leaving.set(key, places);
  }
  return run.leaving.get(key);
}

/** The offsets at which to look, if terms name single cases. Null: at all of them. */
function namedPlaces(run, row, verdict, {line, ulps, onlyLeaving}) {
  if (line) return line.places(run, row);
  if (!ulps.length) return onlyLeaving ? leavingPlaces(run, row, verdict) : null;
  return run.recordsOf(row).filter((at) => {
    const ulp = recordUlp(run.records.get(caseNumber(row, at)));
    return ulp !== undefined && ulps.every(({test, negated}) => test(ulp) !== negated);
  });
}

/** Finds the matching cases of a row in which all cases agree. Does not need the row's columns. */
function findAgreeing(run, op, row, plan, found) {
  const meant = plan.columns.verdict;
  if (meant && !meant[VERDICT.agree]) return;
  const meeting = meetingCases(run, op, row, plan);
  found.count(op, VERDICT.agree, meeting ? meeting.count : row.n);
  for (let at = 0; at < row.n && found.wants(VERDICT.agree); at++)
    if (!meeting || meeting.flags[at]) found.show(VERDICT.agree, {run, op, row, at});
}

/** Finds the matching cases of a row whose planes are inflated. `tests` are those of recordTests. */
function findInRow(run, op, row, tests, plan, found) {
  if (isToldByAgreement(row, plan)) return findAgreeing(run, op, row, plan, found);
  const flags = meetingCases(run, op, row, plan)?.flags;
  const {verdict, known, subject, oracle} = searchColumns(run, row, plan);
  const {verdict: meant, known: meantKnown, subject: meantSubject, oracle: meantOracle} = plan.columns;
  const counts = plan.counts.fill(0);
  const look = (at) => {
    const said = verdict ? verdict[at] : VERDICT.agree;
    if (meant && !meant[said]) return;
    if (meantSubject && !meantSubject[subject[at]]) return;
    if (meantOracle && !meantOracle[oracle[at]]) return;
    if (meantKnown && !meantKnown[known ? known[at] : 0]) return;
    if (tests.length && leaves(said) && !tests.every((test) => test(at))) return;
    if (counts[said]++ < FOUND_SHOWN && found.wants(said)) found.show(said, {run, op, row, at});
  };
  const places = namedPlaces(run, row, verdict, plan);
  if (places) {
    for (const at of places) if (!flags || flags[at]) look(at);
  } else {
    for (let at = 0; at < row.n; at++) if (!flags || flags[at]) look(at);
  }
  for (let said = 0; said < DATA.verdicts.length; said++) found.count(op, said, counts[said]);
  found.count(op, VERDICT.missing, counts[VERDICT.missing]);
}
