// The search view, and the search box in the page's head.

const searchHash = (query) => `#search?q=${encodeURIComponent(query)}`;

function foundRow({run, row, at, note}) {
  const line = caseLine(run, row, at);
  const index = caseNumber(row, at);
  const record = run.records.get(index);
  const {verdict, known} = row.loaded;
  const entry = entryOf(run, known[at]);
  const [subject, oracle] = shortAnswers(run, row, at);
  const wrong = asksRulebooks(run) ? '' : wrongSentence(run, row, at);
  const answer = (label, text) =>
      h('td', {'data-label': label, class: 'answer'}, h('code', {title: text}, text));
  return h(
      'tr', {}, h('td', {'data-label': 'verdict'},
        h('span', {class: 'chips'}, chip(verdict[at]), entry ? classBadge(entry) : null)),
      h('td', {class: 'line', 'data-label': 'case'},
        h('span', {}, h('a', {href: caseHash(run, index)}, h('code', {}, line)),
          copyButton(runCommand(run, line))),
        note ? h('small', {}, note) : null,
        wrong ? h('small', {class: 'wrong'}, `${wrong}.`) : null,
        record?.told ? h('small', {}, record.told) : null,
        runs.length > 1 ? h('small', {}, run.title) : null),
      answer('subject', subject), answer('oracle', oracle));
}

/** A table of cases, from the places of cases whose rows have their columns loaded. */
const casesTable = (caption, places) => h(
    'div', {class: 'scroll'},
    h('table', {class: 'list stack cases'}, captionOf(caption),
      h('thead', {},
        h('tr', {},
          ...['verdict', 'case', 'subject says', 'oracle says'].map(
              (text) => h('th', {scope: 'col'}, text)))),
      h('tbody', {}, ...places.map(foundRow))));

const loadPlaces = (places) => Promise.all(places.map(({run, row}) => run.rowColumns(row)));

/** Suggests the nearest cases to a pasted line that no case of the runs has. Nothing for other queries. */
async function offerNearest(terms) {
  if (terms[0]?.key !== 'line') return [];
  const nearest = nearestCases(terms[0]);
  if (!nearest.length) return [];
  await loadPlaces(nearest);
  return [
    h('h2', {}, 'The nearest cases'),
    h('p', {class: 'lead'}, `No case of ${runs.length > 1 ? 'these runs' : 'this run'} has this line.`),
    casesTable('The nearest cases', nearest)
  ];
}

function foundCases(query, found) {
  if (!found.n) return [];
  const verdicts = found.byVerdict();
  const ops = [...found.byOp].sort((a, b) => b[1] - a[1]);
  const shown = found.first();
  return [
    h('h2', {}, 'Cases ', h('small', {}, grouped(found.n))),
    h('p', {class: 'tallies'},
      ...verdicts.flatMap(([verdict, count]) => [chip(verdict), ` ${grouped(count)} `])),
    ops.length > 1 ?
        h('p', {class: 'narrow'}, 'in ',
          ...ops.slice(0, 12).flatMap(
              ([name, count]) =>
                  [h('a', {href: searchHash(`${query} op:${name}`)}, name), ` ${grouped(count)} `]),
          ops.length > 12 ? `and ${counted(ops.length - 12, 'more op')}` : '') :
                            null,
    casesTable('Cases that are found', shown),
    found.n > shown.length ?
        h('p', {class: 'more'},
          `and ${grouped(found.n - shown.length)} more; add a term to narrow down`) :
        null,
  ];
}

function foundThings(things) {
  return things.flatMap(
      ({title, items}) =>
          [h('h2', {}, `${title} `, h('small', {}, grouped(items.length))),
           h('ul', {class: 'found'},
             ...items.slice(0, FOUND_SHOWN)
                 .map(({name, text, href}) => h('li', {}, h('a', {href}, name), h('small', {}, text)))),
  ]);
}

/** The names of ops that are similar to the name in an `op:` term, as text. '' if none is. */
function nearOps(term) {
  const wanted = term.text.replace(/^-?op:/, '').replace(/[*"]/g, '').toLowerCase();
  const names = [...new Set(runs.flatMap((run) => run.ops.map((op) => op.name)))];
  const near = names.map((name) => [name.includes(wanted) ? 0 : lettersApart(wanted, name), name])
                   .filter(([apart]) => apart <= Math.max(2, wanted.length / 3))
                   .sort((a, b) => a[0] - b[0]);
  return near.slice(0, 4).map(([, name]) => name);
}

async function findsAnything(terms, isStale) {
  if (findThings(terms).length) return true;
  const found = new FoundCases();
  for (const run of runs) await findCases(run, terms, found, () => found.n + found.unlisted > 0 || isStale());
  return found.n + found.unlisted > 0;
}

/**
 * Hints for a query that finds nothing: the terms that nothing matches. If each term alone matches something, which
 * term to leave out.
 */
async function emptyHints(terms, isStale) {
  const hints = [];
  for (const term of terms) {
    if (await findsAnything([term], isStale)) continue;
    const links = term.key !== 'op' || term.negated ? [] : nearOps(term).flatMap((name, i) => [
      i ? ', ' : '; near: ', h('a', {href: searchHash(`op:${name}`)}, name)
    ]);
    hints.push(h('li', {}, 'Nothing has ', h('code', {}, term.text), ...links));
  }
  for (const left of hints.length || terms.length < 2 ? [] : terms) {
    const rest = terms.filter((term) => term !== left);
    if (!await findsAnything(rest, isStale)) continue;
    const query = rest.map((term) => term.text).join(' ');
    hints.push(h('li', {}, 'Without ', h('code', {}, left.text), ' the search finds: ',
                 h('a', {href: searchHash(query)}, h('code', {}, query))));
  }
  return h('ul', {class: 'hints'}, ...hints);
}

/** The description of the search language on the page. The example of each key is a link that searches for it. */
function searchHelp() {
  const examples = [
    'verdict:failed',
    'op:add dtype:float16 kind:wrapped',
    'verdict:differ(value) ulp>3',
    'result:refuses -verdict:agree',
    'class:bug in:cases',
    'wrong:subject',
    'in:accuracy ulp>100',
  ];
  if (runs.length > 1) examples.push(`only:"${runs[1].subject}"`);
  return h(
      'div', {class: 'search-help'},
      h('p', {class: 'lead'},
        'Separate terms with blanks: all must match. "-" before a term: it must not match. ' +
            'Commas: one of several. "*": any text. A word without a colon is searched in names, lines and answers; ' +
            'a whole case line finds that case.'),
      h('ul', {class: 'examples'},
        ...examples.map(
            (query) => h('li', {}, h('a', {href: searchHash(query)}, h('code', {}, query))))),
      h('dl', {class: 'keys'},
        ...Object.entries(QUERY_KEYS)
            .map(
                ([key, {about, words}]) =>
                    h('div', {}, h('dt', {}, h('code', {}, key)),
                      h('dd', {}, words ? `${about}: ${words.join(', ')}` : about)))));
}

let searchNumber = 0;

SHOW.search = async ({query, section}) => {
  const mine = ++searchNumber;
  const text = (query.get('q') || '').trim();
  const box = document.getElementById('query');
  if (document.activeElement !== box) box.value = text;
  const head = h('h1', {}, 'Search');
  if (!text) {
    section.replaceChildren(head, searchHelp());
    return;
  }
  let terms;
  try {
    terms = parseQuery(text);
  } catch (error) {
    if (!(error instanceof QueryError)) throw error;
    section.replaceChildren(
        head,
        h('p', {class: 'note fault', role: 'alert'},
          `${error.message[0].toUpperCase()}${error.message.slice(1)}`),
        searchHelp());
    return;
  }
  const status = h('p', {class: 'lead', role: 'status'}, 'Searching…');
  section.replaceChildren(head, h('p', {}, h('code', {class: 'query'}, text)), status);
  await Promise.all(runs.map((run) => run.ready));
  const found = new FoundCases();
  for (const run of runs) await findCases(run, terms, found, () => mine !== searchNumber);
  await loadPlaces(found.first());
  if (mine !== searchNumber) return;
  const things = findThings(terms);
  const count = found.n + things.reduce((sum, {items}) => sum + items.length, 0);
  const unlisted = unlistedNote(found);
  status.textContent = count ? `${grouped(count)} found` : unlisted ? 'No listed case is found.' : 'Nothing is found.';
  section.append(...[unlisted, ...foundCases(text, found)].filter(Boolean), ...foundThings(things));
  if (count || unlisted) return;
  const isStale = () => mine !== searchNumber;
  const nearest = await offerNearest(terms);
  const hints = nearest.length ? nearest : [await emptyHints(terms, isStale)];
  if (!isStale()) section.append(...hints, searchHelp());
};

/** Starts the search box in the page's head. Enter searches. While results are shown, typing searches again. */
function startSearch() {
  const box = document.getElementById('query');
  let timer = 0;
  box.form.addEventListener('submit', (event) => {
    event.preventDefault();
    clearTimeout(timer);
    location.hash = searchHash(box.value);
  });
  box.addEventListener('input', () => {
    clearTimeout(timer);
    if (!location.hash.startsWith('#search')) return;
    timer = setTimeout(() => {
      history.replaceState(history.state, '', searchHash(box.value));
      route();
    }, 250);
  });
  for (const run of runs) run.warm();
  document.addEventListener('keydown', (event) => {
    const isTyping = event.target.closest?.('input, textarea, select');
    if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    box.focus();
    box.select();
  });
}
