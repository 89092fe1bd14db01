'use strict';
// The data island, as reports/html/page_json.cc writes it:
//   dtypes [[name, short, category, bytes]] by code, refusals [name], verdicts [name],
//   runs [{subject, oracle, source, ran, known [[name, reason]] by id - 1,
//     axes     base64(deflate(JSON)): [[[token, kind, dtype]]]; kind 0 dim, 1 zero_dim, 2 number, 3
//     other records  base64(deflate(JSON)): [[case, subject, oracle, detail]] planes
//     [base64(deflate(bytes))] ops      [{name, family, ran, known, bad, unjudged,
//                dtypes [[code, subject, oracle, cases, known, bad, unjudged]],
//                rows [{schema, form, def, tpl, axes [number], outs [position], first, cases?, n,
//                bad,
//                       known, planes [verdict, known, subject, oracle xor subject]}]}]}]
// A plane has a byte for each case of its row, the last axis fastest; -1 stands for zeros only.

const DATA = JSON.parse(document.getElementById('upcast-data').textContent);

const KIND_NAMES = ['dim', 'zero-dim', 'number', 'other'];
const ANSWER = {
  refusal: 64,
  notRun: 253,
  timeout: 254,
  crash: 255
};
const VERDICT = {
  agree: 0,
  known: 1,
  notJudged: 2,
  crash: 10,
  timeout: 11,
  missing: 255
};

async function inflate(text) {
  const bytes = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

async function inflateJson(text) {
  return JSON.parse(new TextDecoder().decode(await inflate(text)));
}

/** One axis of a call: an operand, an out= tensor, an attribute, or the default dtype. */
function makeAxis(role, name, items) {
  return {role, name, items, kinds: [...new Set(items.map((item) => item.kind))]};
}

/** Rows that differ in their default dtype only: `rows[i]` runs under `defaults[i]`. */
class Call {
  constructor(op, first) {
    this.op = op;
    this.schema = first.schema;
    this.form = first.form;
    this.template = withoutDefault(first.tpl);
    this.rows = [];
    this.bad = 0;
    this.known = 0;
  }

  add(row) {
    this.rows.push(row);
    this.bad += row.bad;
    this.known += row.known;
  }
}

function withoutDefault(template) {
  return template.replace(/ @default=\S+/, '');
}

function callsOf(op) {
  const calls = new Map();
  for (const row of op.rows) {
    const key = [row.schema, row.form, withoutDefault(row.tpl), row.axes.join()].join('\n');
    if (!calls.has(key)) calls.set(key, new Call(op, row));
    calls.get(key).add(row);
  }
  return [...calls.values()];
}

class Run {
  constructor(raw, number) {
    Object.assign(this, raw);
    this.number = number;
    this.columns = new Map();
    this.ready = this.load(raw);
    for (const op of this.ops) op.calls = callsOf(op);
  }

  async load(raw) {
    const [axes, records] = await Promise.all([inflateJson(raw.axes), inflateJson(raw.records)]);
    this.axes = axes.map((axis) => axis.map(([text, kind, dtype]) => ({text, kind, dtype})));
    this.records = new Map(records.map((record) => [record[0], record]));
  }

  plane(number, size) {
    if (number < 0) return Promise.resolve(new Uint8Array(size));
    if (!this.columns.has(number)) this.columns.set(number, inflate(this.planes[number]));
    return this.columns.get(number);
  }

  /** The four columns of a row; the oracle's is not xored any more. */
  async rowColumns(row) {
    if (!row.loaded) {
      const [verdict, known, subject, difference] =
          await Promise.all(row.planes.map((number) => this.plane(number, row.n)));
      row.loaded =
          {verdict, known, subject, oracle: subject.map((byte, i) => byte ^ difference[i])};
    }
    return row.loaded;
  }

  /** The axes of a call, the default dtype last. */
  axesOf(call) {
    const first = call.rows[0];
    let operand = 0;
    const axes = first.axes.map((number, position) => {
      const items = this.axes[number];
      if ((first.outs || []).includes(position)) return makeAxis('out', 'out=', items);
      if (items.every((item) => item.kind === 3)) {
        const name = call.template.match(new RegExp(`(\\w+)=\\{${position}\\}`));
        return makeAxis(
            call.form === 'cases' ? 'lines' : 'attribute', name ? name[1] : 'case', items);
      }
      operand += 1;
      return makeAxis('operand', `operand ${operand}`, items);
    });
    const defaults = call.rows.map(
        (row) => ({text: row.def, kind: 3, dtype: DATA.dtypes.findIndex((d) => d[0] === row.def)}));
    axes.push(makeAxis('default', 'default dtype', defaults));
    return axes;
  }

  findOp(name) {
    return this.ops.find((op) => op.name === name);
  }

  /** The op, call, row and offset of a case number; null where there is none. */
  locate(index) {
    for (const op of this.ops) {
      for (const call of op.calls) {
        for (const row of call.rows) {
          const at = row.cases ? row.cases.indexOf(index) : index - row.first;
          if (at >= 0 && at < row.n) return {op, call, row, at};
        }
      }
    }
    return null;
  }
}

function caseNumber(row, at) {
  return row.cases ? row.cases[at] : row.first + at;
}

/** The line of a row's case; `{k}` behind a `]` is a value list (reports/run_plan.h). */
function caseLine(run, row, at) {
  const tokens = [];
  let rest = at;
  for (let axis = row.axes.length; axis-- > 0;) {
    const items = run.axes[row.axes[axis]];
    tokens[axis] = items[rest % items.length].text;
    rest = Math.floor(rest / items.length);
  }
  return row.tpl.replace(
      /(\]?)\{(\d+)\}/g,
      (whole, bracket, axis) => (bracket || !(axis in tokens) ? whole : tokens[axis]));
}
