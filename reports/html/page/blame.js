// Shows who is wrong where two sides differ. reports/blame.h decides it, and makes the sentences.

const CLASS_WORDS = {
  by_design: 'by design',
  host_defined: 'host-defined'
};

const entryOf = (run, known) => (known ? run.known[known - 1] : null);

/** The name of a Blame, as reports/blame.h has it. */
function blameOf(run, row, at) {
  const {known, wrong} = row.loaded;
  return !wrong[at] && known[at] ? entryOf(run, known[at]).blame : DATA.blames[wrong[at]];
}

/** Who is wrong in a case, as a sentence without its full stop; '' if nothing differs. */
function wrongSentence(run, row, at) {
  const {known, wrong} = row.loaded;
  const record = run.records.get(caseNumber(row, at));
  if (record) return record.wrong;
  return !wrong[at] && known[at] ? entryOf(run, known[at]).wrong : run.wrong[wrong[at]];
}

/** The first element of a record in which the answers differ. Null if the values of no element were compared. */
function firstElement(record) {
  const difference = record?.verdict.difference;
  return difference?.what === 'element' ? difference : null;
}

/** The place of an element in words: "1,024", "3 of result 2". The data leave out an index of 0. */
const placeOf = ({element = 0, result = 0}) =>
    grouped(element) + (result ? ` of result ${result + 1}` : '');

/**
 * Both answers to a case, in short. If values differ and a record has the first element that differs, that element.
 */
function shortAnswers(run, row, at) {
  const {subject, oracle} = row.loaded;
  const record = run.records.get(caseNumber(row, at));
  const element = firstElement(record);
  if (element)
    return [element.subject, element.oracle].map((value) => `element ${placeOf(element)}: ${value}`);
  return record ? [record.subject, record.oracle] : answersOfBytes(row.loaded.verdict[at], subject[at], oracle[at]);
}

/** Both answers to a case without a record, from its columns. Equal dtypes do not say which values differ. */
function answersOfBytes(verdict, subject, oracle) {
  const names = [subject, oracle].map(answerName);
  const isHidden = leaves(verdict) && subject === oracle && subject < ANSWER.refusal;
  return isHidden ? names.map((name) => `${name}; its values are not in the report`) : names;
}

const sideWords = (run, side) => `${side} (${run.names[side]})`;

/** An unmet expectation in words: what the line expects, and which side does not meet it. */
function unmetWords(record, line) {
  const wanted = line.includes(' -> ') ? line.split(' -> ').at(-1) : 'something else';
  const both = record?.verdict.unmet?.find(({who}) => who === 'both');
  if (both) return `Both sides answer ${both.answer}; the line expects ${wanted}`;
  return `The line expects ${wanted}, and a side gives another answer`;
}

/** An answer in short: a refusal without the side's own message. */
const shortAnswer = (byte, text) => (isRefusal(byte) ? `refuses(${refusalName(byte)})` : text);

/** Both answers of a record as a list: of the first element that differs, or of the whole answer. */
function answersTold(run, record, row, at) {
  const element = firstElement(record);
  const [subject, oracle] = ['subject', 'oracle'].map(
      (side) => (element ? element[side] : shortAnswer(row.loaded[side][at], record[side])));
  if (Math.max(subject.length, oracle.length) > 80) return [];
  const code = (text) => h('code', {}, text);
  return [
    element ? ` In element ${placeOf(element)} the ` : ' The ', `${sideWords(run, 'subject')} answers `,
    code(subject), `, the ${sideWords(run, 'oracle')} `, code(oracle), '.'
  ];
}

/** A badge with the class of a known difference. */
function classBadge(entry) {
  return h('span', {class: `chip class-${entry.class}`}, CLASS_WORDS[entry.class] || entry.class);
}

/** A line that says who is wrong in a case, with both answers. Null if nothing differs. */
function blameLine(run, row, at) {
  const blame = blameOf(run, row, at);
  if (blame === 'nobody' || asksRulebooks(run)) return null;
  const index = caseNumber(row, at);
  const record = run.records.get(index);
  if (blame === 'expectation')
    return h('p', {class: 'blame'}, h('b', {}, unmetWords(record, caseLine(run, row, at))), '.');
  const sentence = wrongSentence(run, row, at);
  const entry = entryOf(run, row.loaded.known[at]);
  const [before, ...rest] = entry ? sentence.split(entry.name) : [sentence];
  return h(
      'p', {class: 'blame'}, h('b', {}, before),
      ...(rest.length ? [h('a', {href: knownHash(run, entry.name)}, entry.name), rest.join(entry.name)] : []),
      '.', ...(record ? answersTold(run, record, row, at) : []));
}
