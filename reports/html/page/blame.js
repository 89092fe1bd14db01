// Who is wrong where two sides differ: reports/blame.h decides it, and makes the sentences.

const CLASS_WORDS = {
  by_design: 'by design',
  host_defined: 'host-defined'
};

const entryOf = (run, known) => (known ? run.known[known - 1] : null);

/** A name of reports/blame.h. */
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

/** The first element that differs; null where the values of no element are compared. */
function firstElement(record) {
  const difference = record?.verdict.difference;
  return difference?.what === 'element' ? difference : null;
}

/** Where an element is: "1,024", "3 of result 2". What is 0 is left out of the data. */
const placeOf = ({element = 0, result = 0}) =>
    grouped(element) + (result ? ` of result ${result + 1}` : '');

/** Both answers, short. If values differ, the first element that differs, if it is recorded. */
function shortAnswers(run, row, at) {
  const {subject, oracle} = row.loaded;
  const record = run.records.get(caseNumber(row, at));
  const element = firstElement(record);
  if (element)
    return [element.subject, element.oracle].map((value) => `element ${placeOf(element)}: ${value}`);
  return record ? [record.subject, record.oracle] : answersOfBytes(row.loaded.verdict[at], subject[at], oracle[at]);
}

/** Both answers of a case without a record. Equal dtypes do not say which values differ. */
function answersOfBytes(verdict, subject, oracle) {
  const names = [subject, oracle].map(answerName);
  const isHidden = leaves(verdict) && subject === oracle && subject < ANSWER.refusal;
  return isHidden ? names.map((name) => `${name}; its values are not in the report`) : names;
}

const sideWords = (run, side) => `${side} (${run.names[side]})`;

/** An unmet expectation: what the line expects, and which side does not meet it. */
function unmetWords(record, line) {
  const wanted = line.includes(' -> ') ? line.split(' -> ').at(-1) : 'something else';
  const both = record?.verdict.unmet?.find(({who}) => who === 'both');
  if (both) return `Both sides answer ${both.answer}; the line expects ${wanted}`;
  return `The line expects ${wanted}, and a side gives another answer`;
}

/** An answer; of a refusal without the side's own message. */
const shortAnswer = (byte, text) => (isRefusal(byte) ? `refuses(${refusalName(byte)})` : text);

/** Both answers, of the first element that differs or of the whole. */
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

/** The class of a known difference. */
function classBadge(entry) {
  return h('span', {class: `chip class-${entry.class}`}, CLASS_WORDS[entry.class] || entry.class);
}

/** Who is wrong in a case, with both answers; null where nothing differs. */
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
