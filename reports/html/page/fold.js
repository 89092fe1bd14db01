// Folds the cases of a call into the cells of two of its axes.

function isFailure(verdict) {
  return verdict >= 3 && verdict !== VERDICT.withinChoice && verdict !== VERDICT.missing;
}

/** What one side answers over the cases of a cell. */
class Answers {
  constructor() {
    this.counts = new Map();
  }

  add(byte) {
    this.counts.set(byte, (this.counts.get(byte) || 0) + 1);
  }

  /** The dtypes among the answers. */
  dtypes() {
    return [...this.counts.keys()].filter((byte) => byte < ANSWER.refusal);
  }

  /** The byte to show: the only dtype, else the only answer; -1 if there are several answers. */
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

/** A call, seen along two axes. `picks[axis]` is an item number for each other axis, or 'any'. */
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

  /** Rows and columns: the first two operands; of a unary op the default dtype or out=, and it. */
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

  /** The first choice of a page: float32 with dimensions, else the first item. */
  defaultPick(axis) {
    const {items, role} = this.axes[axis];
    const isUsual = ({kind, dtype}) =>
        DATA.dtypes[dtype]?.name === 'float32' && (role === 'default' || kind === 0);
    return Math.max(0, items.findIndex(isUsual));
  }

  /**
   * Unexplained cases by the axis' item, over all else: [{bad, worst}]; the rows' columns must be
   * loaded.
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

  /** All (row, offset) of the other axes, the two of the cell left at 0. */
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

  /** cells[y][x] over every item of both axes. */
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

  /** The cell and the picks that a case falls into. */
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
