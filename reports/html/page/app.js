// Routes, theme, and what the script adds to the prerendered sections.

/** Each view's part of the window's title. */
const VIEWS = {
  summary: '',
  failures: 'Differences',
  map: 'Promotion map',
  matrix: 'Op × dtype',
  case: 'Case',
  compare: 'Side by side',
  accuracy: 'Accuracy',
  search: 'Search',
  known: 'Known differences',
  changes: 'Changes',
  campaigns: 'Campaigns',
  systems: 'Systems'
};
/** Views that a script draws. Of the others those that have nothing to show are empty. */
const DRAWN = ['map', 'matrix', 'case', 'compare', 'accuracy', 'search'];
const PAGE_TITLE = document.title;
const runs = DATA.runs.map((raw, number) => new Run(raw, number));

/** "#map/add?call=1" -> {view, name, query} */
function parseHash(hash) {
  const [path, query = ''] = hash.replace(/^#/, '').split('?');
  const [view, name = ''] = path.split('/');
  let decoded = name;
  try {
    decoded = decodeURIComponent(name);
  } catch {
    // A broken escape in a pasted link: the name as it stands.
  }
  return {view: view || 'summary', name: decoded, query: new URLSearchParams(query)};
}

/** The first op worth a look: one that differs, else the first. */
function firstOp(run) {
  return run.ops.find((op) => op.bad) || run.ops.find((op) => op.known) || run.ops[0];
}

function isThere(view) {
  if (!Object.hasOwn(VIEWS, view)) return false;
  if (view === 'compare') return runs.length > 1;
  return DRAWN.includes(view) || document.getElementById(view).childElementCount > 0;
}

/** What the reader took for another page: its controls change the rest of the hash. */
function pageOf({view, name}) {
  return ['case', 'search'].includes(view) ? location.hash : `${view}/${name}`;
}

/** An entry of known differences that a link names, in sight. */
function showKnown(run, name) {
  const entry = document.getElementById(`known-${run.number ? `${run.number}-` : ''}${name}`);
  entry?.scrollIntoView();
  entry?.focus({preventScroll: true});
}

function nameWindow(shown, {view, name, query}) {
  const detail = view !== shown ? '' : shown === 'search' ? query.get('q') : name;
  document.title = [detail, VIEWS[shown], PAGE_TITLE].filter(Boolean).join(' · ');
}

/** What tells a control from all others of a view, drawn again or not. */
function controlName(element) {
  const group = element.closest('[role=group]')?.ariaLabel || '';
  const label = element.closest('label')?.querySelector('.label')?.textContent;
  return [element.tagName, group, element.ariaLabel || label || element.textContent].join('\n');
}

/**
 * Views are drawn as a whole, so the control in hand goes: its successor gets the focus, else the
 * new view, so that Tab goes on from there.
 */
function focusKeeper() {
  const {activeElement: element} = document;
  const view = element?.closest('.view');
  if (!view) return () => {};
  const name = controlName(element);
  return (section) => {
    if (element.isConnected && view === section) return;
    const same = view === section &&
        [...section.querySelectorAll('button, select, input, a, [tabindex]')].find(
            (other) => controlName(other) === name);
    (same || document.getElementById('main')).focus({preventScroll: true});
  };
}

async function route() {
  const keepFocus = focusKeeper();
  const target = parseHash(location.hash);
  const {view, name, query} = target;
  const run = runs[Number(query.get('run'))] || runs[0];
  const shown = isThere(view) ? view : 'summary';
  const place = enterPage(pageOf(target));
  for (const id of Object.keys(VIEWS)) document.getElementById(id).hidden = id !== shown;
  document.documentElement.dataset.prints = DRAWN.includes(shown) ? 'view' : 'all';
  nameWindow(shown, target);
  startAtTop(place);
  for (const link of document.querySelectorAll('header.top nav a')) {
    link.toggleAttribute('aria-current', link.getAttribute('href') === `#${shown}`);
    if (link.hasAttribute('aria-current')) {
      link.setAttribute('aria-current', 'page');
      link.parentElement.scrollLeft = link.offsetLeft - link.parentElement.clientWidth / 2;
    }
  }
  document.getElementById('run').value = String(run.number);
  document.getElementById('run').parentElement.hidden =
      runs.length < 2 || !['map', 'matrix'].includes(shown);
  if (shown !== 'search') document.getElementById('query').value = '';
  const section = document.getElementById(shown);
  if (shown === 'map' && run.ops.length)
    await showMap(run, run.findOp(name) || firstOp(run), query, section);
  if (shown === 'matrix') await showMatrix(run, query, section);
  if (shown === 'case') await showCase(run, Number(name), section);
  if (shown === 'compare') await showCompare(query, section);
  if (shown === 'accuracy') await showAccuracy(name, query, section);
  if (shown === 'campaigns') showCampaigns(section);
  if (shown === 'search') await showSearch(query, section);
  if (shown === 'known' && place.isNew) showKnown(run, name);
  if (!place.isNew) keepFocus(section);
  returnTo(place);
  document.documentElement.dataset.route =
      location.hash;  // the page has settled: tests wait for it
}

/** Copy buttons and links to the map for the lines that C++ wrote. */
function enhanceLines() {
  for (const code of document.querySelectorAll('code[data-copy]')) {
    const {run, case: index, copy} = code.dataset;
    if (Number(index) >= 0) {
      const link = h('a', {
        href: `#case/${index}${run === '0' ? '' : `?run=${run}`}`,
        title: 'Everything about this case'
      });
      code.replaceWith(link);
      link.append(code);
      link.after(copyButton(copy));
    } else {
      code.after(copyButton(copy));
    }
  }
}

/** What C++ names as cases of a known difference, of one op or of all, becomes a search for them. */
function enhanceKnown() {
  for (const text of document.querySelectorAll('[data-known]')) {
    const {known, op} = text.dataset;
    const terms = [queryTerm('known', known), op ? queryTerm('op', op) : 'in:cases'];
    const link = h('a', {href: searchHash(terms.join(' '))});
    link.append(...text.childNodes);
    text.append(link);
  }
}

const THEMES = ['auto', 'light', 'dark'];

function stored(action) {
  try {
    return action();
  } catch {
    return null;  // storage is closed to pages from disk in some browsers
  }
}

function setTheme(theme) {
  if (theme === 'auto')
    delete document.documentElement.dataset.theme;
  else
    document.documentElement.dataset.theme = theme;
  document.getElementById('theme').title = `Colour theme: ${theme}`;
  stored(() => localStorage.setItem('upcast-theme', theme));
}

function currentTheme() {
  return document.documentElement.dataset.theme || 'auto';
}

function showAtlases() {
  for (const slot of document.querySelectorAll('.atlas-slot'))
    showAtlas(runs[Number(slot.dataset.run)], slot);
}

function start() {
  document.documentElement.classList.add('has-script');
  const wanted = stored(() => localStorage.getItem('upcast-theme'));
  setTheme(THEMES.includes(wanted) ? wanted : 'auto');
  const repaint = () => {
    showAtlases();
    route();
  };
  document.getElementById('theme').addEventListener('click', () => {
    setTheme(THEMES[(THEMES.indexOf(currentTheme()) + 1) % THEMES.length]);
    repaint();
  });
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', repaint);
  const picker = document.getElementById('run');
  picker.append(...runs.map((run, i) => h('option', {value: i}, `${run.title} (${run.source})`)));
  picker.addEventListener('change', () => {
    const {view, name} = parseHash(location.hash);
    location.hash = `#${view}${name ? `/${encodeURIComponent(name)}` : ''}?run=${picker.value}`;
  });
  document.getElementById('accuracy-link').hidden = DATA.accuracy.n === 0;
  enhanceLines();
  enhanceKnown();
  showAtlases();
  startHistory();
  startSearch();
  window.addEventListener('hashchange', route);
  route();
}

start();
