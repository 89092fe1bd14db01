// Restores scroll and focus: a new page begins at its top, and "back" returns to the place that the reader left.

const entries = {
  shown: null,       // number of the history entry that is shown; its state has the same number
  page: null,        // the page of the history entry that is shown
  next: Date.now(),  // above the numbers of an earlier load, which may still be in the history
  left: new Map(),   // for each history entry, the scroll position at which it was left
};

/**
 * Called when the hash changes, with the new page. Returns isNew: whether the page is another one and not a step
 * back to one; and y: the scroll position at which an entry of the history was left, else null.
 */
function enterPage(page) {
  const {shown} = entries;
  const isFirst = shown === null;
  const known = history.state?.entry;
  if (!isFirst && known !== shown) entries.left.set(shown, scrollY);
  const isBack = known !== undefined && known !== shown;
  const y = isBack ? entries.left.get(known) ?? history.state.y ?? 0 : null;
  const isNew = known === undefined && page !== entries.page;
  if (known === undefined) history.replaceState({entry: ++entries.next}, '');
  entries.shown = history.state.entry;
  entries.page = page;
  return {isFirst, isNew, y, entry: entries.shown};
}

/**
 * Makes a list of links a single stop of Tab: one Tab enters it, the next one leaves it. Arrow keys, Home and End
 * move in it. The current link, or the first one, takes the focus.
 */
function makeOneStop(list) {
  const links = () => [...list.querySelectorAll('a[href], summary')].filter((link) => link.checkVisibility());
  const start = list.querySelector('[aria-current]') || list.querySelector('a[href], summary');
  for (const link of list.querySelectorAll('a[href], summary')) link.tabIndex = link === start ? 0 : -1;
  list.addEventListener('focusin', ({target}) => {
    for (const link of list.querySelectorAll('[tabindex="0"]')) link.tabIndex = -1;
    target.tabIndex = 0;
  });
  list.addEventListener('keydown', (event) => {
    const all = links();
    const at = all.indexOf(document.activeElement);
    const to = {
      ArrowDown: at + 1,
      ArrowRight: at + 1,
      ArrowUp: at - 1,
      ArrowLeft: at - 1,
      Home: 0,
      End: all.length - 1
    }[event.key];
    if (at < 0 || to === undefined || !all[to]) return;
    event.preventDefault();
    all[to].focus();
  });
}

/** Moves the keyboard's place to the beginning of a new page, but not out of the search box. */
function startAtTop({isFirst, isNew}) {
  if (isFirst || !isNew) return;
  scrollTo(0, 0);
  if (document.activeElement.id !== 'query')
    document.getElementById('main').focus({preventScroll: true});
}

/** Adds a history entry for a step of the reader within a page that is already drawn. */
function pushEntry(hash) {
  entries.left.set(entries.shown, scrollY);
  entries.shown = ++entries.next;
  history.pushState({entry: entries.shown}, '', hash);
}

/** Called when a page is drawn. Scrolls to where the reader left it, unless another page was opened meanwhile. */
function returnTo({y, entry}) {
  if (y !== null && entry === entries.shown) scrollTo(0, y);
}

function startHistory() {
  history.scrollRestoration = 'manual';  // otherwise the browser scrolls before the page is drawn
  // Saves the scroll position for a reload, which loses all other state. After a step in the
  // history, history.state is already that of another entry before the event comes: then nothing is
  // saved.
  addEventListener('scrollend', () => {
    if (history.state?.entry === entries.shown)
      history.replaceState({entry: entries.shown, y: scrollY}, '');
  });
  // The skip link's own hash names no view, so the script handles the click.
  document.querySelector('.skip').addEventListener('click', (event) => {
    event.preventDefault();
    document.getElementById('main').focus();
  });
}
