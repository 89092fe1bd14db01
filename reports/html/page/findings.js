// The page of findings: facets, links to a card, and the texts that a card copies.

const FACETS = ['severity', 'class', 'op', 'side'];

const findingRows = () => [...document.querySelectorAll('#findings tr[data-finding]')];
const findingCards = () => [...document.querySelectorAll('#findings .finding-card')];
const facetValues = (element, facet) => element.dataset[facet].split('\n').filter(Boolean);

const hasFacets = (element, query) => FACETS.every((facet) => {
  const wanted = query.get(facet);
  return !wanted || facetValues(element, facet).includes(wanted);
});

/** The address of a finding's card, with the facets of a query. '' as name: the address of the whole page. */
const findingHash = (name, query) =>
    `#findings${name ? `/${encodeURIComponent(name)}` : ''}${query.size ? `?${query}` : ''}`;

/** The query with another value of one facet. '' removes the facet. */
function withFacet(query, facet, value) {
  const next = new URLSearchParams(query);
  if (value)
    next.set(facet, value);
  else
    next.delete(facet);
  return next;
}

/** The values that a facet may have. Severities and classes are in the order of the rows, the worst first. */
function facetOptions(facet) {
  const counts = new Map();
  for (const row of findingRows())
    for (const value of facetValues(row, facet)) counts.set(value, (counts.get(value) || 0) + 1);
  const values = [...counts.keys()];
  if (facet === 'op') values.sort();
  return [['', 'all'], ...values.map((value) => [value, `${value} (${counts.get(value)})`])];
}

function showFacets(section, name, query) {
  section.querySelector('.controls.facets').replaceChildren(...FACETS.map(
      (facet) => dropdown(facet, facetOptions(facet), query.get(facet) || '', (value) => {
        location.hash = findingHash(name, withFacet(query, facet, value));
      })));
  const rows = findingRows();
  for (const row of rows) row.querySelector('a').href = findingHash(row.dataset.finding, query);
  for (const element of [...rows, ...findingCards()]) element.hidden = !hasFacets(element, query);
  const shown = rows.filter((row) => !row.hidden).length;
  section.querySelector('.facets-found').textContent =
      shown === rows.length ? counted(shown, 'finding') : `${shown} of ${counted(rows.length, 'finding')}`;
}

/** The issue and the C++ program of a measured finding; nothing for other findings. */
async function measuredFinding(name) {
  measuredFinding.all ||= inflateJson(DATA.findings);
  return (await measuredFinding.all).find((finding) => finding.name === name);
}

/** The text that a button of a card copies. */
async function copiedText(card, what) {
  const finding = await measuredFinding(card.dataset.finding);
  if (what === 'issue') return finding.issue;
  return card.querySelector('code.python')?.textContent || finding.cpp;
}

/** Puts the programs into a card that the reader opens. They are unpacked only then, to save time. */
async function completeCard(card) {
  const slot = card.querySelector('.more-programs');
  if (!slot || slot.childElementCount) return;
  const {finding: name, run, case: index} = card.dataset;
  const story = Number(index) >= 0 ? await runs[run].story(Number(index)) : null;
  const measured = await measuredFinding(name);
  const parts = story        ? [programs(story)] :
      measured?.cpp ? [programBlock('C++, needs LibTorch only', measured.cpp, 'C++', buildAndRun(measured.cpp))] :
                      [];
  slot.replaceChildren(...parts);
}

function openCard(name) {
  const card = document.getElementById(`finding-${name}`);
  if (!card) return;
  card.open = true;
  card.scrollIntoView();
  card.focus({preventScroll: true});
}

/** Called once. From then on, a card is completed when it opens, and its buttons copy. */
function enhanceFindings() {
  for (const card of findingCards()) card.addEventListener('toggle', () => card.open && completeCard(card));
  for (const button of document.querySelectorAll('#findings [data-copies]')) {
    const card = button.closest('.finding-card');
    button.addEventListener('click', async () => copyText(await copiedText(card, button.dataset.copies)));
  }
}

FIND.findings = {
  title: 'Findings',
  items: () => findingRows().map((row) => {
    const name = row.dataset.finding;
    const title = document.getElementById(`finding-${name}`).querySelector('h3').textContent;
    return {op: facetValues(row, 'op'), class: [row.dataset.class], known: [name], side: [row.dataset.side],
            word: [name, title, row.dataset.severity],
            shown: {name: title, text: row.dataset.severity, href: findingHash(name, new URLSearchParams())}};
  })
};

SHOW.findings = ({name, query, section, isNew}) => {
  showFacets(section, name, query);
  if (isNew && name) openCard(name);
};
