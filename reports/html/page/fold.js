// Folds the cases of a call into the cells of a table: all cases with the same operands on two of
// its axes become one cell.

function isFailure(verdict) {
  return verdict >= 3 && verdict !== VERDICT.withinChoice && verdict !== VERDICT.missing;
}

/** Collects what one side answers in the cases of a cell. */
class Answers {
  constructor() {
    this.counts = new Map();
  }

  add(byte) {
    this.counts.set(byte, (this.counts.get(byte) || 0) + 1);
  }

  /** The dtypes that occur among the answers. */
  dtypes() {
    return [...this.counts.keys()].filter((byte) => byte < ANSWER.refusal);
  }

  /** The answer byte to show: the only dtype, else the only answer. -1 if there are several answers. */
  one() {
    const dtypes = this.dtypes();
    if (dtypes.length === 1) return dtypes[0];
    if (dtypes.length > 1) return -1;
    const all = [...this.counts.keys()];
    return all.length === 1 || all.every((byte) => byte >= 64 && byte < 253) ? all[0] : -1;
  }

  isUnanimous() {
    return this.counts.size === 1;
  }
}

class Cell {
  constructor() {
    this.n = 0;
    this.bad = 0;
    this.known = 0;
    this.unjudged = 0;
    this.worst = VERDICT.agree;
    this.subject = new Answers();
    this.oracle = new Answers();
  }

  add(columns, at) {
    const verdict = columns.verdict[at];
    this.n += 1;
    if (verdict !== VERDICT.agree) {
      if (isFailure(verdict)) this.bad += 1;
      if (verdict === VERDICT.known) this.known += 1;
      if (verdict === VERDICT.notJudged) this.unjudged += 1;
      this.worst = worse(this.worst, verdict);
    }
    this.subject.add(columns.subject[at]);
    this.oracle.add(columns.oracle[at]);
  }
}

/** A call as a table of two of its axes. For each other axis, `picks[axis]` is the number of an item, or 'any'. */
class Grid {
  constructor(run, call) {
    this.run = run;
    this.call = call;
    this.axes = run.axesOf(call);
    this.strides = [];
    let stride = 1;
    for (let axis = this.axes.length - 2; axis >= 0; axis--) {
      this.strides[axis] = stride;
      stride *= this.axes[axis].items.length;
    }
    this.chooseAxes();
  }

  /**
   * Chooses the axes of rows and columns: the first two operands. For a unary op: the default dtype or out=, and
   * the operand.
   */
  chooseAxes() {
    const byRole = (role) =>
        this.axes.map((axis, i) => (axis.role === role ? i : -1)).filter((i) => i >= 0);
    const operands = byRole('operand');
    const outs = byRole('out');
    this.isList = operands.length === 0 || Boolean(this.run.summed);
    if (operands.length >= 2) {
      [this.y, this.x] = operands;
    } else if (operands.length === 1 && outs.length > 0) {
      [this.y, this.x] = [operands[0], outs[0]];
    } else {
      [this.y, this.x] = [this.axes.length - 1, operands.length ? operands[0] : 0];
    }
  }

  others() {
    return this.axes.map((_, axis) => axis).filter((axis) => axis !== this.y && axis !== this.x);
  }

  /** The first choice on an axis: float32 with dimensions, else the first item. */
  defaultPick(axis) {
    const {items, role} = this.axes[axis];
    const isUsual = ({kind, dtype}) =>
        DATA.dtypes[dtype]?.name === 'float32' && (role === 'default' || kind === 0);
    return Math.max(0, items.findIndex(isUsual));
  }

  /**
   * For each item of an axis, over all choices on the other axes, the unexplained cases: [{bad, worst}]. The rows'
   * columns must be loaded.
   */
  badByItem(axis) {
    const items = this.axes[axis].items.map(() => ({bad: 0, worst: VERDICT.agree}));
    this.call.rows.forEach((row, number) => {
      if (row.bad === 0) return;
      row.loaded.verdict.forEach((verdict, at) => {
        if (!isFailure(verdict)) return;
        const item = items[this.axes[axis].role === 'default' ?
            number :
            Math.floor(at / this.strides[axis]) % items.length];
        item.bad += 1;
        item.worst = worse(item.worst, verdict);
      });
    });
    return items;
  }

  /** All (row, offset) that the picks on the other axes mean. The two axes of the table are at item 0. */
  combinations(picks) {
    let combinations = [{row: this.call.rows[0], at: 0}];
    for (const axis of this.others()) {
      const pick = picks[axis];
      const items = pick === 'any' ? this.axes[axis].items.map((_, i) => i) : [pick];
      combinations =
          combinations.flatMap(({row, at}) => items.map((item) => this.moved(row, at, axis, item)));
    }
    return combinations;
  }

  moved(row, at, axis, item) {
    if (this.axes[axis].role === 'default') return {row: this.call.rows[item], at};
    return {row, at: at + item * this.strides[axis]};
  }

  /** Folds the cases into cells[y][x], for every item y and x of the table's two axes. */
  async fold(picks) {
    await Promise.all(this.call.rows.map((row) => this.run.rowColumns(row)));
    const combinations = this.combinations(picks);
    return this.axes[this.y].items.map((_, y) => this.axes[this.x].items.map((__, x) => {
      const cell = new Cell();
      for (const combination of combinations) {
        const {row, at} = this.at(combination, y, x);
        cell.add(row.loaded, at);
      }
      return cell;
    }));
  }

  at(combination, y, x) {
    const down = this.moved(combination.row, combination.at, this.y, y);
    return this.moved(down.row, down.at, this.x, x);
  }

  /** The cases of one cell, the worst first. */
  cases(picks, y, x) {
    const cases = this.combinations(picks).map((combination) => this.at(combination, y, x));
    const rank = ({row, at}) => severity(row.loaded.verdict[at]);
    return cases.map((entry, i) => [entry, i])
        .sort((a, b) => rank(b[0]) - rank(a[0]) || a[1] - b[1])
        .map(([entry]) => entry);
  }

  /** The cell and the picks to which a case belongs. */
  place(row, at) {
    const positions = this.axes.map(
        (axis, i) =>
            (axis.role === 'default' ? this.call.rows.indexOf(row) :
                                       Math.floor(at / this.strides[i]) % axis.items.length));
    const picks = {};
    for (const axis of this.others()) picks[axis] = positions[axis];
    return {picks, y: positions[this.y], x: positions[this.x], positions};
  }
}
