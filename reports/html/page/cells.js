// How answers and verdicts look: text, tint and glyph. Every text is inserted as text, never as
// markup.

/** An element with attributes, classes and children; a string child becomes a text node. */
function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (name === 'class')
      element.className = value;
    else if (name.startsWith('on'))
      element.addEventListener(name.slice(2), value);
    else
      element.setAttribute(name, value === true ? '' : value);
  }
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

const grouped = (number) => String(number).replace(/\B(?=(\d{3})+$)/g, ',');

/** A count with its noun: "1 case", "1,234 cases". */
const counted = (number, one, many = `${one}s`) => `${grouped(number)} ${number === 1 ? one : many}`;

function dtypeShort(code) {
  return DATA.dtypes[code]?.short ?? '?';
}

function answerName(byte) {
  if (byte < ANSWER.refusal) return DATA.dtypes[byte]?.name ?? `answer ${byte}`;
  if (byte === ANSWER.crash) return 'crash';
  if (byte === ANSWER.timeout) return 'timeout';
  if (byte === ANSWER.notRun) return 'not run';
  return `refuses (${DATA.refusals[byte - ANSWER.refusal] || 'other'})`;
}

/** The text of a cell for one side: a dtype, a dash for a refusal, or a count if its cases have several answers. */
function answerShort(answers) {
  const byte = answers.one();
  if (byte < 0) return `${answers.dtypes().length || answers.counts.size}×`;
  if (byte < ANSWER.refusal) return dtypeShort(byte);
  return {[ANSWER.crash]: 'crash', [ANSWER.timeout]: 'time', [ANSWER.notRun]: ''}[byte] ?? '–';
}

/** Answers with their counts, in words: "float32 in 3, refuses (result_cast) in 45". */
function answersText(answers) {
  if (answers.isUnanimous()) return answerName([...answers.counts.keys()][0]);
  return [...answers.counts]
      .sort((a, b) => b[1] - a[1])
      .slice(0, 5)
      .map(([byte, count]) => `${answerName(byte)} in ${grouped(count)}`)
      .join(', ');
}

/** The CSS classes that tint an answer: the hue tells the category, the depth the element size. */
function tint(byte) {
  if (byte < 0) return 't-mixed';
  if (byte >= ANSWER.refusal) return byte >= ANSWER.notRun ? 't-none' : 't-refuse';
  const dtype = DATA.dtypes[byte];
  return dtype ? `t-${dtype.category} w${dtype.bytes}` : 't-none';
}

function verdictName(verdict) {
  return verdict === VERDICT.missing ? 'did not run' : DATA.verdicts[verdict].replace('_', ' ');
}

const lookOf = (verdict) => (verdict === VERDICT.missing ? DATA.missing : DATA.looks[verdict]);

/**
 * The name of a verdict's colours: `v-NAME` is the class of areas filled with them, `m-NAME` that of marks and
 * labels.
 */
const verdictClass = (verdict) => lookOf(verdict).css;

const glyph = (verdict) => lookOf(verdict).glyph;

/** The severity of a verdict. */
const severity = (verdict) => lookOf(verdict).severity;

function chip(verdict) {
  return h(
      'span', {class: `chip m-${verdictClass(verdict)}`},
      `${glyph(verdict)} ${verdictName(verdict)}`);
}

/** The more severe of two verdicts. */
const worse = (a, b) => (severity(b) > severity(a) ? b : a);

/** A count of cases, coloured by their worst verdict. */
const tally = (verdict, count) =>
    h('span', {class: `tally m-${verdictClass(verdict)}`}, `${glyph(verdict)} ${grouped(count)}`);

/** Small marks with the counts of unexplained and of known cases. Nothing if all cases agree. */
const countMarks = ({bad, known, worst}) => [
  ...(bad ? [tally(worst, bad)] : []),
  ...(known ? [tally(VERDICT.known, known)] : []),
];

/** A row of buttons, one of which is chosen. `options` are [value, label, marks]. */
function segmented(label, options, chosen, choose) {
  return h(
      'div', {class: 'field'}, h('span', {class: 'label'}, label),
      h('div', {class: 'segmented', role: 'group', 'aria-label': label},
        ...options.map(
            ([value, text, ...marks]) =>
                h('button', {
                  type: 'button',
                  'aria-pressed': String(value === chosen),
                  onclick: () => choose(value)
                },
                  text, ...marks))));
}

function dropdown(label, options, chosen, choose) {
  const select =
      h('select', {onchange: () => choose(select.value)},
        ...options.map(
            ([value, text]) =>
                h('option', {value, selected: String(value) === String(chosen)}, text)));
  return h('label', {class: 'field'}, h('span', {class: 'label'}, label), select);
}

/** A text as one word of a POSIX shell. */
const quoted = (text) => `'${text.replaceAll('\'', '\'\\\'\'')}'`;

/** The command `upcast NAME '<line>'` for a case of a run. It names the sides that are not the defaults. */
function sidesCommand(name, run, line) {
  return `upcast ${name} ${quoted(line)}` +
      (run.subject === 'impl:cpu' ? '' : ` --subject ${quoted(run.subject)}`) +
      (run.oracle === 'libtorch:cpu' ? '' : ` --oracle ${quoted(run.oracle)}`);
}

const asksRulebooks = (run) => run.sides.subject.vendor === 'rulebook';

/** The command that judges a line again, as rerun_text in reports/html/markup.cc makes it. */
function runCommand(run, line) {
  if (!asksRulebooks(run)) return sidesCommand('run', run, line);
  const [book, table] = line.split(' | ');
  if (!table) return `upcast explain --rulebook all ${quoted(line)}`;
  return `upcast run --grid rulebooks --subject ${quoted(`rulebook:${book}`)} --oracle ${
      quoted(`table:${table}`)}`;
}

/** Copies without the clipboard API, which some browsers deny to pages from disk. Returns whether it worked. */
function copySelected(text) {
  const area = h('textarea', {class: 'offscreen'});
  area.value = text;
  document.body.append(area);
  area.select();
  const isCopied = document.execCommand('copy');
  area.remove();
  return isCopied;
}

async function copyText(text) {
  const status = document.getElementById('status');
  let isCopied = true;
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    isCopied = copySelected(text);
  }
  const short = text.length < 200 ? text : `${text.split('\n').length} lines`;
  status.textContent = isCopied ? `Copied: ${short}` : 'This browser does not let the page copy: select the text instead.';
  status.classList.add('shown');
  clearTimeout(copyText.timer);
  copyText.timer = setTimeout(() => status.classList.remove('shown'), 2500);
}

function copyButton(text, label = 'copy') {
  const isShort = text.length < 200;
  return h(
      'button', {
        type: 'button',
        class: 'copy',
        title: isShort ? text : null,
        'aria-label': isShort ? `Copy: ${text}` : label,
        onclick: (event) => {
          event.preventDefault();
          copyText(text);
        }
      },
      label);
}
