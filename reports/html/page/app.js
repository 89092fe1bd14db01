// Routes, theme, and what the script adds to the prerendered sections.

const VIEWS = [
  'summary', 'failures', 'map', 'matrix', 'case', 'compare', 'accuracy', 'search', 'known',
  'changes', 'campaigns', 'systems'
];
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
  const {view, name, query} = parseHash(location.hash);
  const run = runs[Number(query.get('run'))] || runs[0];
  const isThere = VIEWS.includes(view) && (view !== 'compare' || runs.length > 1);
  const shown = isThere ? view : 'summary';
  for (const id of VIEWS) document.getElementById(id).hidden = id !== shown;
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
  keepFocus(section);
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
  document.querySelector('.skip').addEventListener('click', (event) => {
    event.preventDefault();  // its address is no view
    document.getElementById('main').focus();
  });
  enhanceLines();
  showAtlases();
  startSearch();
  window.addEventListener('hashchange', route);
  route();
}

start();
