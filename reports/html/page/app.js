// Starts the page: routes, theme, and what the script adds to the prerendered sections.

/** The page's views by name, as C++ lists them (html/sections.cc). */
const VIEWS = Object.fromEntries([...document.querySelectorAll('section.view')].map((section) => [section.id, section]));
const PAGE_TITLE = document.title;
const runs = DATA.runs.map((raw, number) => new Run(raw, number));

/** The parts of a hash: "#map/add?call=1" becomes {view, name, query}. */
function parseHash(hash) {
  const [path, query = ''] = hash.replace(/^#/, '').split('?');
  const [view, name = ''] = path.split('/');
  let decoded = name;
  try {
    decoded = decodeURIComponent(name);
  } catch {
    // If an escape in a pasted link is broken, the part is used as written.
  }
  return {view: view || 'summary', name: decoded, query: new URLSearchParams(query)};
}

function isDrawn(view) {
  return VIEWS[view].classList.contains('drawn');
}

/** Whether a view has something to show. A view that no script draws is empty if it has nothing. */
function isThere(view) {
  return Object.hasOwn(VIEWS, view) && (isDrawn(view) || VIEWS[view].childElementCount > 0);
}

/** The part of the hash that names the page. Controls on a page change only the rest of the hash. */
function pageOf({view, name}) {
  return ['case', 'search'].includes(view) ? location.hash : `${view}/${name}`;
}

/** Shows the known difference that a link names: opens its entry and scrolls to it. */
SHOW.known = ({run, name, isNew}) => {
  if (!isNew) return;
  const entry = document.getElementById(`known-${run.number ? `${run.number}-` : ''}${name}`);
  if (!entry) return;
  entry.open = true;
  entry.scrollIntoView();
  entry.focus({preventScroll: true});
};

function nameWindow(shown, {view, name, query}) {
  const detail = view !== shown ? '' : shown === 'search' ? query.get('q') : name;
  document.title = [detail, VIEWS[shown].dataset.title, PAGE_TITLE].filter(Boolean).join(' · ');
}

/** A key that identifies a control of a view. It stays the same when the view is drawn again. */
function controlName(element) {
  const group = element.closest('[role=group]')?.ariaLabel || '';
  const label = element.closest('label')?.querySelector('.label')?.textContent;
  return [element.tagName, group, element.ariaLabel || label || element.textContent].join('\n');
}

/**
 * Keeps the focus where it was. A view is drawn as a whole, so the control with the focus is replaced: its
 * successor gets the focus. Without one the new view gets it, so that Tab goes on from there.
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
  for (const [id, each] of Object.entries(VIEWS)) each.hidden = id !== shown;
  document.documentElement.dataset.prints = isDrawn(shown) ? 'view' : 'all';
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
  const section = VIEWS[shown];
  await SHOW[shown]?.({run, name, query, section, isNew: place.isNew});
  if (!place.isNew) keepFocus(section);
  returnTo(place);
  document.documentElement.dataset.route =
      location.hash;  // a sign that the page is ready, for which tests wait
}

/** Adds copy buttons and links to the map to the lines that C++ wrote. */
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

/**
 * Turns counts of a known difference's cases, which C++ wrote, into links to a search for these cases: of one op,
 * or of all.
 */
function enhanceKnown() {
  for (const text of document.querySelectorAll('[data-known]')) {
    const {known, op} = text.dataset;
    const terms = [queryTerm('known', known), op ? queryTerm('op', op) : 'in:cases'];
    const link = h('a', {href: searchHash(terms.join(' '))});
    link.append(...text.childNodes);
    text.append(link);
  }
}

/** Turns texts that C++ marked with a query into links: to the pane of an op, or to a search. */
function enhanceQueries() {
  for (const text of document.querySelectorAll('[data-query]')) {
    const {query: q, pane, run, subject} = text.dataset;
    const ofRun = runs.length > 1 ? ` ${queryTerm('subject', subject)}` : '';
    const href = pane === undefined ? searchHash(q + ofRun) : mapHash({run: Number(run), op: pane, q});
    const link = h('a', {href});
    link.append(...text.childNodes);
    text.append(link);
  }
}

const THEMES = ['auto', 'light', 'dark'];

function stored(action) {
  try {
    return action();
  } catch {
    return null;  // some browsers give pages that are opened from disk no storage
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
  enhanceLines();
  enhanceKnown();
  enhanceQueries();
  enhanceFindings();
  showAtlases();
  startHistory();
  startSearch();
  window.addEventListener('hashchange', route);
  route();
}

start();
