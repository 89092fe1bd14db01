// Compares the rule books' answers to calls of two operands with the answers of the run's oracle.

const BOOKS = (DATA.books || []).map((book, number) => ({...book, number}));
const WEAK_BIT = 128;
/** The oracle's refusals that are about promotion; any other says nothing about a book's rules. */
const PROMOTION_REFUSALS = ['promotion', 'result_cast', 'dtype_mismatch'];

/** The books that answer a case of the call or more. */
const booksOf = (call) =>
    BOOKS.filter(({number}) => call.rows.some((row) => (row.books?.[number] ?? -1) >= 0));

/** "book:jax-x64" -> that book; nothing if the book cannot be asked the call's cases. */
const bookOfMode = (mode, call) => booksOf(call).find(({name}) => mode === `book:${name}`);

/** What a book answers over the cases of a cell. */
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

  /** In words: "float32, weakly typed", "refuses", "says nothing". */
  text() {
    const name = (byte) =>
        ({[ANSWER.refusal]: 'refuses', [ANSWER.notRun]: 'says nothing'}[byte] || answerName(byte));
    const counts = [...this.answers.counts];
    const all = counts.length === 1 ?
        name(counts[0][0]) :
        counts.map(([byte, count]) => `${name(byte)} in ${grouped(count)}`).join(', ');
    return this.isWeak ? `${all}, weakly typed` : all;
  }

  /** How it compares with the oracle, in words. */
  comparison(oracle) {
    if (this.differs)
      return this.n === 1 ? `not as ${oracle}` :
                            `not as ${oracle} in ${grouped(this.differs)} of ${grouped(this.n)}`;
    if (this.silent === this.n) return 'not compared';
    return this.apart ? `${oracle} says nothing about promotion` : `as ${oracle}`;
  }

  /** Mark of a cell: ≠ if it differs, ? if it cannot tell. Verdicts use other shapes. */
  mark() {
    return this.differs ? '≠' : this.apart ? '?' : '';
  }
}

const isRefusal = (byte) => byte >= ANSWER.refusal && byte < ANSWER.notRun;
const refusalName = (byte) => (isRefusal(byte) ? DATA.refusals[byte - ANSWER.refusal] : '');

/** Puts what the book answers into each cell that the call's fold gave. */
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

/** The look of a cell that shows a book's answer: as cellLook in grid.js. */
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

/** Which book, and in how many of the shown cells it differs. */
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

/** The book's answer for the chosen cell, and the command that prints the rule. */
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

/** The book to show, of those that answer the call; `choose` takes a mode. */
function bookPicker(state, choose) {
  if (!state.book) return null;
  return dropdown(
      'rule book',
      booksOf(state.grid.call)
          .map(({name, title, version}) => [name, `${name}: ${title}, ${version}`]),
      state.book.name, (name) => choose(`book:${name}`));
}
