// The page of one case: both answers, who is right, the elements that differ, operands bit by bit, the steps that lead
// to its dtype, and what to paste.

/**
 * A value as text, with its bits, and with its exact value if that has more digits. Nothing if there is no value.
 */
function valueText({value, bits, exact}) {
  if (!bits) return '';
  return h(
      'span', {class: 'value'}, h('code', {}, value), ' ',
      ...(exact ? ['= ', h('code', {class: 'exact'}, exact), ' '] : []), h('code', {class: 'bits'}, bits));
}

/**
 * A table's caption that is out of sight: screen readers call the table by it, and others read the heading above
 * the table.
 */
const captionOf = (text) => h('caption', {class: 'offscreen'}, text);

/** A table. A heading that ends with '#' stands above a column of numbers. */
function tableOf(caption, headings, rows, attributes = {}) {
  const heads = headings.map(
      (text) => h(
          'th', {scope: 'col', class: text.endsWith('#') ? 'num' : null}, text.replace(/#$/, '')));
  return h(
      'div', {class: 'scroll'},
      h('table', {class: 'list', ...attributes}, captionOf(caption),
        h('thead', {}, h('tr', {}, ...heads)), h('tbody', {}, ...rows)));
}

function differingElements(run, story) {
  if (!story.elements.length) return null;
  const shown = story.operands.map(({name}, i) => [name, i])
                    .filter(([, i]) => story.elements.some(({operands}) => operands[i].bits));
  return h(
      'section', {}, h('h2', {}, 'Where the values differ'),
      tableOf(
          'Where the values differ',
          [
            'element', ...shown.map(([name]) => name), sideWords(run, 'subject'), sideWords(run, 'oracle')
          ],
          story.elements.map(
              ({index, operands, subject, oracle}) =>
                  h('tr', {}, h('th', {scope: 'row'}, grouped(index)),
                    ...shown.map(([, i]) => h('td', {}, valueText(operands[i]))),
                    h('td', {}, valueText(subject)), h('td', {}, valueText(oracle)))),
          {class: 'list values'}));
}

function operandTable(story) {
  if (!story.operands.length) return null;
  const rows = story.operands.map(({name, text, elements, values}) => {
    const list =
        h('ol', {class: 'elements'}, ...values.map((value) => h('li', {}, valueText(value))));
    const rest = elements - values.length;
    return h(
        'tr', {}, h('th', {scope: 'row'}, name), h('td', {class: 'value'}, h('code', {}, text)),
        h('td', {}, values.length ? list : null,
          rest > 0 && values.length ? h('small', {}, `and ${grouped(rest)} more`) : null));
  });
  return h(
      'section', {}, h('h2', {}, 'Operands'),
      tableOf(
          'Operands', ['operand', 'is', 'elements: value, exact value if different, bits'], rows, {class: 'list values'}));
}

/** A command that gets the text as its standard input, to paste into a shell. */
function hereDocument(command, text) {
  let end = 'EOF';
  while (text.split('\n').includes(end)) end += '_';
  return `${command} <<'${end}'\n${text.replace(/\n*$/, '\n')}${end}\n`;
}

const runPython = (text) => hereDocument('python3 -', text);

/**
 * A command that writes a C++ program, builds it and runs it. The build command comes from the comment above the
 * program; null if there is none.
 */
function buildAndRun(text) {
  const found = text.match(/^\/\/ {3}(g\+\+ [^]*? (\w+\.cc) [^]*? && \.\/\w+)$/m);
  if (!found) return null;
  const command = found[1].replace(/ \\\n\/\/ */g, ' ');
  const isGiven = command.includes('$U') ?
      ': "${U:?is the folder where upcast is installed, with include/upcast}"' :
      ': "${T:?is the folder of a LibTorch, with include/ and lib/}"';
  return `${hereDocument(`cat > ${found[2]}`, text)}${isGiven} && ${command}\n`;
}

function programBlock(title, text, file, command) {
  return h(
      'details', {class: 'program'},
      h('summary', {}, title, copyButton(text, `copy ${file}`),
        command && copyButton(command, 'copy for a terminal')),
      h('pre', {tabindex: '0'}, h('code', {}, text)));
}

function programs(story) {
  const made = [
    story.python &&
        programBlock(`Python, ${story.needs || 'needs torch only'}`, story.python, 'Python', runPython(story.python)),
    story.cpp &&
        programBlock(`C++, ${story.needs || 'needs LibTorch only'}`, story.cpp, 'C++', buildAndRun(story.cpp)),
  ].filter(Boolean);
  return h(
      'section', {}, h('h2', {}, 'Programs that show it'),
      story.why ? h('p', {class: 'lead'}, `No program here: ${story.why}.`) : null,
      story.noPython ?
          h('p', {class: 'lead'}, `No Python program: Python cannot show it; ${story.noPython}.`) :
          null,
      ...made);
}

function commands(run, line, isFailing, story) {
  const list = [
    [
      !asksRulebooks(run)      ? 'judge it again' :
          line.includes(' | ') ? 'judge its tables again' :
                                 'what all books say',
      runCommand(run, line)
    ],
  ];
  if (!asksRulebooks(run)) list.push(['why this dtype', `upcast explain ${quoted(line)}`]);
  if (isFailing && !asksRulebooks(run)) {
    list.push(['find a simpler case', sidesCommand('minimize', run, line)]);
    list.push([
      'programs that show it',
      `${sidesCommand('repro', run, line)} --cpp repro.cc${story?.noPython ? '' : ' --python repro.py'}`
    ]);
  }
  return h(
      'section', {}, h('h2', {}, 'Commands'),
      h('dl', {class: 'commands'},
        ...list.map(
            ([what, command]) =>
                h('div', {}, h('dt', {}, what),
                  h('dd', {}, h('code', {}, command), copyButton(command))))));
}

function whyItsDtype(story) {
  return h(
      'section', {}, h('h2', {}, 'Why it has its dtype'),
      story ? h('pre', {class: 'explanation', tabindex: '0'}, story.explanation) :
              h('p', {class: 'lead'}, 'The page holds the steps of noteworthy cases only; ',
                h('code', {}, 'upcast explain'), ' prints those of any case.'));
}

/** What the same case gives in the report's other runs. */
async function otherRuns(run, row, at) {
  const others = runs.filter((other) => other !== run);
  await Promise.all(others.map((other) => other.ready));
  const rows = [];
  for (const other of others) {
    const same = await sameRow(run, row, other);
    if (!same) continue;
    const [subject, oracle] = shortAnswers(other, same, at);
    rows.push(h(
        'tr', {},
        h('th', {scope: 'row'}, h('a', {href: caseHash(other, caseNumber(same, at))}, other.title)),
        h('td', {}, chip(same.loaded.verdict[at])), h('td', {}, h('code', {}, subject)),
        h('td', {}, h('code', {}, oracle))));
  }
  if (!rows.length) return null;
  return h(
      'section', {}, h('h2', {}, 'In the other runs'),
      tableOf(
          'The case in the other runs', ['run', 'verdict', 'subject says', 'oracle says'], rows));
}

SHOW.case = async ({run, name, section}) => {
  const index = Number(name);
  await run.ready;
  const place = run.locate(index);
  if (!place) {
    section.replaceChildren(
        h('h1', {}, 'No such case'),
        h('p', {class: 'lead'},
          `The run has no case ${index}; its cases are numbered from 0 to ${
              grouped(run.ran - 1)}.`));
    return;
  }
  const {op, row, at} = place;
  if (at < 0) {
    section.replaceChildren(...unlistedCase(run, index, place));
    return;
  }
  await run.rowColumns(row);
  const [story, others] = await Promise.all([run.story(index), otherRuns(run, row, at)]);
  const line = caseLine(run, row, at);
  const verdict = row.loaded.verdict[at];
  const isFailing = leaves(verdict) && verdict !== VERDICT.expectation;  // others have nothing to reproduce
  section.replaceChildren(
      ...[h('p', {class: 'eyebrow'},
            h('a', {href: mapHash({run: run.number, op: op.name})}, op.name), ` · ${run.title} · `,
            h('a', {href: caseMapHash(run, place)}, 'on the promotion map')),
          caseCard(run, row, at),
          story && differingElements(run, story),
          story && operandTable(story),
          others,
          story && isFailing ? programs(story) : null,
          commands(run, line, isFailing, story),
          asksRulebooks(run) ? null : whyItsDtype(story),
  ].filter(Boolean));
};
