// The search language: how a query is read. search.js applies a query to the data.
//   query  = case line | terms, all of which must match; a term with '-' in front must not match
//   term   = key ':' value {',' value} | 'ulp' comparison number | word
// A word is searched in names, lines and answers. '*' means any text; "..." keeps blanks.

const DIFFERENCES =
    ['dtype', 'shape', 'strides', 'refusal', 'accepts', 'value', 'alias', 'nondeterminism'];
const VERDICT_WORDS = [
  'agree', 'within_choice', 'known', 'not_judged', 'failed', 'differ', 'crash', 'timeout',
  'expectation', 'missing'
];
const WRONG_WORDS =
    ['subject', 'oracle', 'both', 'by_design', 'host_defined', 'ambiguous', 'undecided', 'timeout'];

/** The keys of the search. `about` is their description on the page, `words` are the values that they allow. */
const QUERY_KEYS = {
  op: {about: 'an op or its schema: op:add, op:bitwise_*'},
  dtype: {about: 'the dtype of an operand: dtype:float16, dtype:i8,u8'},
  schema: {about: 'one overload: schema:add.Tensor'},
  result: {about: 'what the subject answers: result:float32, result:refuses'},
  oracle: {about: 'what the oracle answers: oracle:float32'},
  kind: {about: 'the kind of an operand', words: ['dim', 'zero_dim', 'wrapped', 'other']},
  form: {about: 'the form of the call', words: ['functional', 'in_place', 'out', 'cases']},
  default: {about: 'the default dtype: default:float64'},
  verdict: {about: 'failed: everything that nothing explains; differ(value): one kind of it'},
  ulp: {about: 'the largest error of a record or of a measurement: ulp>3, ulp<=0.5'},
  only: {about: 'in a report of several runs: cases in which only this subject differs from its oracle'},
  subject: {about: 'the subject of a run: subject:libtorch*'},
  known: {about: 'the name of a known difference: known:erf*'},
  class: {about: 'the class of a known difference: class:bug, class:design; finds cases and entries'},
  wrong: {about: 'who is wrong', words: WRONG_WORDS},
  side: {about: 'the side of a measurement or a campaign: side:libtorch*'},
  in: {
    about: 'what to search: one sort only',
    get words() {
      return ['cases', ...Object.keys(finders())];
    }
  },
};

/** Keys that also take `=`, `<` and `>`. Another word before `=` is the name of an attribute in a pasted line. */
const COMPARISON_KEYS = ['ulp'];

class QueryError extends Error {}

/** A term `key:value` as text, with the value in quotes if it has blanks or commas. */
const queryTerm = (key, value) => `${key}:${/[\s,]/.test(value) ? `"${value}"` : value}`;

/** The edit distance of two words. */
function lettersApart(a, b) {
  let above = Array.from({length: b.length + 1}, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = above[j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1);
      row[j] = Math.min(same, above[j] + 1, row[j - 1] + 1);
    }
    above = row;
  }
  return above.at(-1);
}

/** "; did you mean float16?" if one of the words is similar, else "". */
function didYouMean(text, words) {
  const best =
      [...words].map((word) => [lettersApart(text, word), word]).sort((a, b) => a[0] - b[0]);
  return best.length && best[0][0] <= Math.max(1, text.length / 3) ?
      `; did you mean ${best[0][1]}?` :
      '';
}

/**
 * A test that is true for texts that contain the value. A value with a '*' must fit the whole text. Case is
 * ignored.
 */
function textMatcher(value, isWhole = false) {
  const parts =
      value.toLowerCase().split('*').map((part) => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&'));
  if (parts.length === 1 && !isWhole) {
    const wanted = value.toLowerCase();
    return (text) => text.toLowerCase().includes(wanted);
  }
  const pattern = new RegExp(`^${parts.join('.*')}$`, 's');
  return (text) => pattern.test(text.toLowerCase());
}

/** Splits a query at blanks outside of quotes into terms: [negated, key or null, text]. */
function splitQuery(text) {
  const terms = [];
  const compared = COMPARISON_KEYS.join('|');
  const pattern =
      new RegExp(`(-?)(?:([a-z_]+(?=[:<>])|(?:${compared})(?==)))?((?:"[^"]*"|[^\\s"])+)`, 'gi');
  if ((text.match(/"/g) || []).length % 2)
    throw new QueryError('a quotation mark (") is not closed');
  for (const [, minus, key, rest] of text.matchAll(pattern))
    terms.push([minus === '-', key ? key.toLowerCase() : null, rest]);
  return terms;
}

function dtypeCode(text) {
  const wanted = text.toLowerCase().replace('torch.', '');
  const found = DATA.dtypes.findIndex(({name, short}) => wanted === name || wanted === short);
  if (found < 0)
    throw new QueryError(
        `there is no dtype "${text}"${didYouMean(wanted, DATA.dtypes.map(({name}) => name))}`);
  return found;
}

function oneOf(key, value, words) {
  const wanted = value.toLowerCase();
  if (words.includes(wanted)) return wanted;
  const near = didYouMean(wanted, words) || `; there are ${words.join(', ')}`;
  throw new QueryError(`${key}: does not take "${value}"${near}`);
}

/** The class of known differences that a value of `class:` means, by its name or a part of the name. */
function classNamed(value) {
  const there = [...new Set(runs.flatMap((run) => run.known.map((entry) => entry.class)))];
  const part = value.toLowerCase().replace('-', '_');
  const fitting = there.filter((name) => name.split('_').includes(part));
  return fitting.length === 1 ? fitting[0] : oneOf('class', part, there);
}

/** The verdict bytes that a value of `verdict:` means. */
function verdictBytes(value) {
  const kind = value.toLowerCase().match(/^differ\((\w+)\)$/);
  if (kind) {
    const name = `differ(${oneOf('verdict', kind[1], DIFFERENCES)})`;
    return [DATA.verdicts.indexOf(name)];
  }
  const word = oneOf('verdict', value, VERDICT_WORDS);
  if (word === 'missing') return [VERDICT.missing];
  return DATA.verdicts.map((name, byte) => [name, byte])
      .filter(
          ([name, byte]) => word === 'failed' ? isFailure(byte) :
              word === 'differ'               ? name.startsWith('differ(') :
                                                name === word)
      .map(([, byte]) => byte);
}

/** A test for answer bytes: whether one is among those that a value of `result:` means. */
function resultTest(value) {
  const word = value.toLowerCase();
  if (word === 'refuses') return (byte) => byte >= ANSWER.refusal && byte < ANSWER.notRun;
  if (word === 'crash') return (byte) => byte === ANSWER.crash;
  if (word === 'timeout') return (byte) => byte === ANSWER.timeout;
  const reason = word.match(/^refuses\((\w+)\)$/);
  if (reason) {
    const code = DATA.refusals.indexOf(oneOf('refuses', reason[1], DATA.refusals));
    return (byte) => byte === ANSWER.refusal + code;
  }
  const code = dtypeCode(value);
  return (byte) => byte === code;
}

function numberTest(text) {
  const found = text.match(/^(>=|<=|>|<|:|=)([0-9.]+(?:e[+-]?\d+)?|inf)$/i);
  if (!found || Number.isNaN(Number(found[2].replace('inf', 'Infinity'))))
    throw new QueryError(`ulp takes a comparison with a number, such as ulp>3; not "ulp${text}"`);
  const limit = Number(found[2].toLowerCase().replace('inf', 'Infinity'));
  return {
    '>': (x) => x > limit,
    '>=': (x) => x >= limit,
    '<': (x) => x < limit,
    '<=': (x) => x <= limit,
  }[found[1]] ||
      ((x) => x === limit);
}

/** The alternatives of a value, which commas separate. Commas in quotes do not. */
function alternatives(key, text) {
  const values =
      [...text.matchAll(/(?:"[^"]*"|[^,"])+/g)].map(([part]) => part.replaceAll('"', ''));
  if (!values.length || values.some((value) => value === ''))
    throw new QueryError(`${key}: needs a value after the colon`);
  return values;
}

const any = (tests) => (x) => tests.some((test) => test(x));

/** A term as {key, negated, test}. The test is for values of the key. */
function compileTerm([negated, key, rest]) {
  if (key === null) {
    const word = rest.replaceAll('"', '');
    if (!word) throw new QueryError('a "-" needs a term after it');
    return {key: 'word', negated, test: textMatcher(word, word.includes('*'))};
  }
  if (!Object.hasOwn(QUERY_KEYS, key)) {
    const names = Object.keys(QUERY_KEYS);
    const near = didYouMean(key, names) || `; there are ${names.join(', ')}`;
    throw new QueryError(`there is no key "${key}"${near}`);
  }
  if (key === 'ulp') return {key, negated, test: numberTest(rest)};
  if (!rest.startsWith(':')) throw new QueryError(`${key} needs a colon: ${key}:…`);
  const values = alternatives(key, rest.slice(1));
  const {words} = QUERY_KEYS[key];
  if (key === 'dtype' || key === 'default') {
    const codes = values.map(dtypeCode);
    return {key, negated, test: (code) => codes.includes(code)};
  }
  if (key === 'verdict') {
    const bytes = values.flatMap(verdictBytes);
    return {key, negated, test: (byte) => bytes.includes(byte)};
  }
  if (key === 'class') {
    const chosen = values.map(classNamed);
    return {key, negated, test: (name) => chosen.includes(name)};
  }
  if (key === 'result' || key === 'oracle') return {key, negated, test: any(values.map(resultTest))};
  if (key === 'kind') {
    const kinds = values.map((value) => words.indexOf(oneOf(key, value, words)));
    return {key, negated, test: (kind) => kinds.includes(kind)};
  }
  if (words) {
    const chosen = values.map((value) => oneOf(key, value, words));
    return {key, negated, test: (word) => chosen.includes(word)};
  }
  if (key === 'only') {
    const subjects = [...new Set(runs.map((run) => run.subject))];
    if (runs.length < 2)
      throw new QueryError('only: compares runs; this report has one (upcast report A.db B.db)');
    for (const value of values)
      if (!subjects.some(textMatcher(value, true)))
        throw new QueryError(`no run has the subject "${value}"${
            didYouMean(value, subjects) || `; there are ${subjects.join(', ')}`}`);
  }
  return {key, negated, test: any(values.map((value) => textMatcher(value, true)))};
}

/**
 * The parts of a case line with its settings, but without its expectation: [whole, name, the rest without blanks].
 */
function lineParts(text) {
  const found = text.match(/^(?:torch\.)?([a-z_][\w.]*)(\(.*\)(?:\s+@\w+=\S+)*)(?:\s+->.*)?\s*$/i);
  return found && [found[1], found[2].replace(/\s/g, '')];
}

/** The term of a pasted line. Blanks do not count. If the line names no overload, any overload fits. */
function lineTerm([name, rest]) {
  const isNamed = (other) => other === name || other.split('.')[0] === name;
  const test = (text) => {
    const parts = lineParts(text);
    return parts !== null && isNamed(parts[0]) && parts[1] === rest;
  };
  const all = (run, row) => row.form !== 'cases' ?
      linePlaces(run, row, rest) :
      run.axes[row.axes[0]].flatMap(({text}, place) => (test(text) ? [place] : []));
  const places = (run, row) => listedAt(row, all(run, row));
  return {key: 'line', negated: false, name, rest, test, isNamed, all, places};
}

/** The compiled terms of a query. Throws QueryError with a message for the reader. */
function parseQuery(text) {
  const line = lineParts(text);
  if (line) return [{...lineTerm(line), text}];
  return splitQuery(text).map((parts) => {
    const [negated, key, rest] = parts;
    return {...compileTerm(parts), text: `${negated ? '-' : ''}${key || ''}${rest}`};
  });
}
