// Compares the rule books' answers to calls of two operands with the answers of the run's oracle.

const BOOKS = (DATA.books || []).map((book, number) => ({...book, number}));
const WEAK_BIT = 128;
/** The oracle's reasons to refuse that are about promotion. Any other reason says nothing about a book's rules. */
const PROMOTION_REFUSALS = ['promotion', 'result_cast', 'dtype_mismatch'];

/** The books that answer at least one case of a call. */
const booksOf = (call) =>
    BOOKS.filter(({number}) => call.rows.some((row) => (row.books?.[number] ?? -1) >= 0));

/** The book of a mode such as "book:jax-x64". Nothing if the book answers no case of the call. */
const bookOfMode = (mode, call) => booksOf(call).find(({name}) => mode === `book:${name}`);

/** Collects what a book answers in the cases of a cell. */
class BookAnswers {
  constructor() {
    this.answers = new Answers();
    this.n = 0;
    this.silent = 0;   // cases for which the book has no answer
    this.differs = 0;  // cases in which book and oracle differ
    this.apart =
        0;  // cases that the oracle refuses for a reason outside promotion, or does not answer
    this.isWeak = false;
  }

  add(byte, oracle) {
    const isWeak = byte >= WEAK_BIT && byte < ANSWER.notRun;
    const answer = isWeak ? byte - WEAK_BIT : byte;
    this.answers.add(answer);
    this.isWeak ||= isWeak;
    this.n += 1;
    if (answer === ANSWER.notRun)
      this.silent += 1;
    else if (answer === oracle || (answer === ANSWER.refusal && isRefusal(oracle)))
      return;
    else if (oracle < ANSWER.refusal || PROMOTION_REFUSALS.includes(refusalName(oracle)))
      this.differs += 1;
    else
      this.apart += 1;
  }

  /** The book's answer in words: "float32, weakly typed", "refuses", "says nothing". */
  text() {
    const name = (byte) =>
        ({[ANSWER.refusal]: 'refuses', [ANSWER.notRun]: 'says nothing'}[byte] || answerName(byte));
    const counts = [...this.answers.counts];
    const all = counts.length === 1 ?
        name(counts[0][0]) :
        counts.map(([byte, count]) => `${name(byte)} in ${grouped(count)}`).join(', ');
    return this.isWeak ? `${all}, weakly typed` : all;
  }

  /** How the book's answer compares with the oracle's, in words. */
  comparison(oracle) {
    if (this.differs)
      return this.n === 1 ? `not as ${oracle}` :
                            `not as ${oracle} in ${grouped(this.differs)} of ${grouped(this.n)}`;
    if (this.silent === this.n) return 'not compared';
    return this.apart ? `${oracle} says nothing about promotion` : `as ${oracle}`;
  }

  /** The mark of a cell: ≠ if book and oracle differ, ? if they cannot be compared. Verdicts use other shapes. */
  mark() {
    return this.differs ? '≠' : this.apart ? '?' : '';
  }
}

const isRefusal = (byte) => byte >= ANSWER.refusal && byte < ANSWER.notRun;
const refusalName = (byte) => (isRefusal(byte) ? DATA.refusals[byte - ANSWER.refusal] : '');

/** Adds the book's answers to the cells of a folded call. */
async function foldBook(book, grid, picks, cells) {
  book.bytes ||= inflate(book.planes);
  const bytes = await book.bytes;
  const combinations = grid.combinations(picks);
  cells.forEach((line, y) => line.forEach((cell, x) => {
    cell.book = new BookAnswers();
    for (const combination of combinations) {
      const {row, at} = grid.at(combination, y, x);
      const start = row.books?.[book.number] ?? -1;
      cell.book.add(start < 0 ? ANSWER.notRun : bytes[start + at], row.loaded.oracle[at]);
    }
  }));
}

/** How a cell looks that shows a book's answer. It has the parts of cellLook in grid.js. */
function bookLook({run, book, grid, cells}, y, x) {
  const {book: said, oracle} = cells[y][x];
  const operands = `${grid.axes[grid.y].items[y].text}, ${grid.axes[grid.x].items[x].text}`;
  const short = answerShort(said.answers);
  const partial = said.answers.isUnanimous() ? '' : ' partial';
  return {
    classes: `${tint(said.answers.one())}${partial}${said.differs ? ' book-differs' : ''}`,
    text: said.isWeak ? `${short}*` : short,
    mark: said.mark(),
    sentence: `${operands} → ${book.name}: ${said.text()}; ${run.names.oracle}: ${
        answersText(oracle)} · ${said.comparison(run.names.oracle)}`
  };
}

/** A line above the map: which book is shown, and in how many of the shown cells it differs from the oracle. */
function bookSummary(run, state, cells) {
  const {grid, book, kinds} = state;
  const shown =
      shownItems(grid.axes[grid.y], kinds[0])
          .flatMap((y) => shownItems(grid.axes[grid.x], kinds[1]).map((x) => cells[y][x].book));
  const count = (of) => shown.filter(of).length;
  const silent = count((said) => said.silent === said.n);
  const apart = count((said) => !said.differs && said.apart);
  const rest = [
    silent && `The book says nothing about ${grouped(silent)}.`,
    apart && `${run.names.oracle} says nothing about promotion in ${grouped(apart)}.`
  ].filter(Boolean);
  return h(
      'p', {class: 'lead book-summary'}, h('b', {}, book.name),
      ` (${book.title}, ${book.version}): `, [
        `${grouped(count((said) => said.differs))} of ${counted(shown.length, 'cell differs', 'cells differ')} from ${
            run.names.oracle}.`,
        ...rest
      ].join(' '));
}

/** A note about the chosen cell: the book's answer, and the command that prints the rule. */
function bookNote(run, state, cell, line) {
  const command = `upcast explain --rulebook ${state.book.name} ${quoted(line)}`;
  return h(
      'p', {class: 'note'}, h('b', {}, state.book.name),
      `: ${cell.book.text()}, ${cell.book.comparison(run.names.oracle)}. `, h('code', {}, command),
      copyButton(command));
}

const bookLegend = (run) => legendOf(
    swatch('t-floating w2 book-differs', `not as ${run.names.oracle}`, '≠'),
    swatch('t-floating w2', `${run.names.oracle} has no kernel, or did not run`, '?'),
    swatch('t-floating w2', 'weakly typed', '*'), swatch('t-none', 'the book says nothing'));

/** A control to choose the shown book among those that answer the call. `choose` is called with the new mode. */
function bookPicker(state, choose) {
  if (!state.book) return null;
  return dropdown(
      'rule book',
      booksOf(state.grid.call)
          .map(({name, title, version}) => [name, `${name}: ${title}, ${version}`]),
      state.book.name, (name) => choose(`book:${name}`));
}
