// Who is wrong where two sides differ, in words. reports/blame.h decides it for what a record or an
// entry tells; here it is decided again only for cases that have neither.

const BLAME_WORDS = {
  both: 'Both sides are wrong here',
  by_design: 'By design: both sides do what they mean to do',
  host_defined: 'Host-defined: the machine or compiler decides the answer',
  ambiguous: 'Undecidable: more than one answer can be defended',
  undecided: 'Who is wrong is undecided',
};
const CLASS_WORDS = {
  by_design: 'by design',
  host_defined: 'host-defined'
};

const entryOf = (run, known) => (known ? run.known[known - 1] : null);

/** One of DATA.blames. */
function blameOf(run, row, at) {
  const {verdict, known, subject, oracle} = row.loaded;
  const record = run.records.get(caseNumber(row, at));
  if (record) return DATA.blames[record[4]];
  if (known[at]) return DATA.blames[entryOf(run, known[at])[5]];
  if (!isFailure(verdict[at])) return 'nobody';
  if (verdict[at] === VERDICT.expectation) return 'expectation';
  const dead = [subject[at], oracle[at]].map((byte) => [ANSWER.crash, ANSWER.timeout].includes(byte));
  if (dead[0] && dead[1]) return 'both';
  return dead[0] ? 'subject' : dead[1] ? 'oracle' : 'undecided';
}

/** What a record's detail tells of the first element that differs. */
function firstElement(record) {
  const found = record && record[3].match(/^element (\d+): (\S+) against ([^\s,;]+)/);
  return found && {index: Number(found[1]), subject: found[2], oracle: found[3]};
}

/** Both answers, short: of values that differ the first element that does, where it is recorded. */
function shortAnswers(run, row, at) {
  const {subject, oracle} = row.loaded;
  const record = run.records.get(caseNumber(row, at));
  const element = firstElement(record);
  if (element)
    return [element.subject, element.oracle].map((value) => `element ${grouped(element.index)}: ${value}`);
  return record ? [record[1], record[2]] : answersOfBytes(row.loaded.verdict[at], subject[at], oracle[at]);
}

/** Of a case without a record; two equal dtypes say nothing of values that differ. */
function answersOfBytes(verdict, subject, oracle) {
  const names = [subject, oracle].map(answerName);
  const isHidden = leaves(verdict) && subject === oracle && subject < ANSWER.refusal;
  return isHidden ? names.map((name) => `${name}; its values are not in the report`) : names;
}

const sideWords = (run, side) => `${side} (${run[side]})`;

/** "LibTorch, the oracle, is wrong here" */
function wrongSideWords(run, side) {
  const {subject, oracle} = run.sides;
  const isOneOfTwo = run.sides[side].vendor === 'libtorch' && subject.vendor !== oracle.vendor;
  const name = isOneOfTwo ? 'LibTorch' : run[side];
  return `${name}, the ${side}, is wrong here`;
}

/** What a line expects of an unmet expectation, and who does not meet it. */
function unmetWords(record, line) {
  const wanted = line.includes(' -> ') ? line.split(' -> ').at(-1) : 'something else';
  if (record && record[1] === record[2]) return `Both sides answer ${record[1]}; the line expects ${wanted}`;
  return `The line expects ${wanted}, and a side answers otherwise`;
}

/** Both answers and the exact value, of the first element that differs or of the whole. */
function answersTold(run, record) {
  const element = firstElement(record);
  const short = (text) => text.replace(/^refuses\((\w+): .*\)$/s, 'refuses($1)');
  const [subject, oracle] =
      element ? [element.subject, element.oracle] : [short(record[1]), short(record[2])];
  if (Math.max(subject.length, oracle.length) > 80) return [];
  const truth = record[3].match(/truth of element (\d+(?: of result \d+)?) (\S+): /);
  const isElsewhere = truth && element && truth[1] !== String(element.index);
  const code = (text) => h('code', {}, text);
  return [
    element ? ` In element ${grouped(element.index)} the ` : ' The ', `${sideWords(run, 'subject')} answers `,
    code(subject), `, the ${sideWords(run, 'oracle')} `, code(oracle),
    ...(truth ?
            [`; the exact value${isElsewhere ? ` of element ${truth[1]}` : ''}, rounded once, is `, code(truth[2])] :
            []),
    '.'
  ];
}

/** The class of a known difference. */
function classBadge(entry) {
  return h('span', {class: `chip class-${entry[4]}`}, CLASS_WORDS[entry[4]] || entry[4]);
}

/** Who is wrong in a case, with both answers; null where nothing differs. */
function blameLine(run, row, at) {
  const blame = blameOf(run, row, at);
  if (blame === 'nobody' || asksRulebooks(run)) return null;
  const index = caseNumber(row, at);
  const record = run.records.get(index);
  if (blame === 'expectation')
    return h('p', {class: 'blame'}, h('b', {}, unmetWords(record, caseLine(run, row, at))), '.');
  const entry = entryOf(run, row.loaded.known[at]);
  const words = BLAME_WORDS[blame] || wrongSideWords(run, blame);
  return h(
      'p', {class: 'blame'}, h('b', {}, words),
      ...(entry ?
              [' (known difference ', h('a', {href: knownHash(run, entry[0])}, entry[0]), `, class ${entry[4]})`] :
              []),
      '.', ...(record ? answersTold(run, record) : []));
}
