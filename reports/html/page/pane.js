// What the pane of the promotion map shows before a cell is chosen: the op's cases that a query
// finds.

const closeButton = (onclose) =>
    h('button', {type: 'button', class: 'close', 'aria-label': 'Close', onclick: onclose}, '×');

/** What the pane shows before a cell of the map is chosen. */
function emptyPanel(run, op) {
  return h(
      'aside', {class: 'panel empty'},
      h('p', {}, 'Choose a cell to see its cases, what each side answers, and the line to paste.'),
      op.bad ? h('p', {}, h('a', {href: opHash(run, op)}, ...countMarks({...op, known: 0})), ' unexplained') : null);
}

/** The cases of an op that a query finds. Null if there is no query, or none that can be read. */
async function queriedCases(run, op, q) {
  if (!q) return null;
  let terms;
  try {
    terms = parseQuery(q);
  } catch (error) {
    if (!(error instanceof QueryError)) throw error;
    return null;
  }
  const ofOp = {key: 'op', negated: false, test: (name) => name === op.name, text: `op:${op.name}`};
  const found = new FoundCases();
  await findCases(run, [ofOp, ...terms], found, () => false);
  await loadPlaces(found.first());
  return found;
}

/** A pane that lists exactly the cases of an op that a query finds. */
function foundPanel(run, op, q, found, onclose) {
  const shown = found.first().slice(0, CASES_SHOWN);
  const all = `${queryTerm('op', op.name)} ${q} in:cases${runs.length > 1 ? ` subject:"${run.subject}"` : ''}`;
  return h(
      'aside', {class: 'panel found', 'aria-label': 'Cases that the query finds'},
      h('header', {},
        h('h3', {}, `${counted(found.n, 'case')} `, h('a', {href: searchHash(all)}, h('code', {}, q))),
        closeButton(onclose)),
      h('p', {class: 'tallies'},
        ...found.byVerdict().flatMap(([verdict, count]) => [chip(verdict), ` ${grouped(count)} `])),
      ...[unlistedNote(found)].filter(Boolean),
      ...shown.map(({row, at}) => caseCard(run, row, at)),
      found.n > shown.length ?
          h('p', {class: 'more'}, `and ${grouped(found.n - shown.length)} more; `,
            h('a', {href: searchHash(all)}, 'all in the search')) :
          null);
}

/** The query of a map's address at which the map shows the given case. */
function queryAt(run, op, {row, at}, query) {
  const call = op.calls.find((each) => each.rows.includes(row));
  const place = new URLSearchParams(caseMapHash(run, {op, call, row, at}).split('?')[1]);
  place.delete('cell');
  for (const key of ['q', 'view']) if (query.has(key)) place.set(key, query.get(key));
  return place;
}

/** Marks the cells of the map that contain found cases. */
function markFound(table, {grid, picks}, found) {
  for (const {row, at} of found.first()) {
    if (!grid.call.rows.includes(row)) continue;
    const place = grid.place(row, at);
    const isShown = grid.others().every((axis) => picks[axis] === 'any' || picks[axis] === place.picks[axis]);
    if (isShown) table.querySelector(`td[data-y="${place.y}"][data-x="${place.x}"]`)?.classList.add('found');
  }
}
