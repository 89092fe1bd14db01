'use strict';
// The data island, as reports/html/page_json.cc writes it. "packed": base64(deflate(JSON)).
// "columns": a list of objects as an array for each name; {} of an empty list (rowsOf).
//   dtypes [{name, short, category, bytes}] by code, refusals [name], verdicts [name],
//   blames [name] (reports/blame.h)
//   looks  [{css, glyph, severity}] by verdict, missing: that of a case that did not run
//          (reports/verdict_look.h)
//   runs [{subject, oracle, names {subject, oracle}: what people call them, source, ran
//     wrong    [who is wrong, as a sentence without its full stop] by blame, of a case without a record
//     known    [{name, reason, selector, links [{text, address: https}], class, witness,
//              blame: a name, wrong: as a sentence}] by id - 1
//     axes     packed [[{text, kind, dtype}]]; kind 0 dim, 1 zero_dim, 2 number, 3 other
//     records  packed [{case, subject, oracle, told: the verdict as a sentence, wrong: who
//              is, as a sentence, verdict: its data (oracle/verdict_json.h)}]
//     ops      [{name, family, ran, known, bad, unjudged, worst: the most severe verdict}]
//     tallies  packed, an entry an op: [{dtypes [{dtype, subject, oracle, cases, known, bad,
//              unjudged, worst}],
//              truth: recorded differences in value by whom the truth is with: {subject, oracle,
//              neither, undecided}}]
//     summed   how many cases are counted, but not listed; 0 if all are listed
//     rows     packed columns, an entry a row: schema, form, def (numbers in schema_texts, ...),
//              tpl, shape (a number in `shapes`), n, bad, known, worst (agree where all cases
//              agree), first (less where the row before ends); shapes [{axes [number], outs: the
//              positions of those that give out=}]; ops: how many rows each op has;
//              cases [{row, steps}]; summed, where not all cases are listed, an entry a row: [{row,
//              steps of the places that are listed, sums [{verdict, n}] of the others}];
//              planes {verdict, known, subject, difference, wrong}: a number in `planes` for each row of
//              more than 256 listed cases
//     planes   [base64(deflate(bytes))]: a byte for each listed case of a row, the last axis fastest;
//              the number -1 stands for zeros only
//     small    {verdict, known, subject, difference, wrong}: base64(deflate(bytes)) of all other rows, one
//              after the other
//     stories  null or {cases [number], pack, cpp, python, packs [packed]}: story i is in pack
//              i / pack: {explanation, operands [{name, text, elements, values [value]}],
//              elements [{index, operands [value], subject: value, oracle: value}], cpp, python,
//              why, noPython, needs: what programs call, where that is not LibTorch}; a value is {value, bits, exact: where `value` is another}; programs
//              begin with the common texts `cpp` and `python`, or `why` says why not, or noPython
//              of Python alone}
//     books    null or packed {rows [less the one before], sets [number],
//              places [[where each book's plane begins in its planes, or -1]] by number}}]
//   books    null or [{name, title, version, planes: base64(deflate(bytes))}] of answers; 128 is
//            added to a dtype where the result is weakly typed
//   accuracy {sides, n, rows: packed [{op, dtype, side, version, attributes, max, mean, rounded,
//            misplaced, undecided, inputs, isExhaustive, bound: or null, worst [{input, ulp}],
//            edges, histogram, date}]}; an infinite number is null
//   changes  columns {change, line, before, after, case: of the first run, or -1}
//   campaigns [{target, findings [{signature, line, subject, oracle}]
//     samples  columns {seconds, cases, features, findings}
//     ops      columns {op, possible, asked, answered}, of tuples}]
//   findings packed [{name, issue: Markdown, cpp}] of what was measured
// `difference` is oracle xor subject; `wrong` a blame, 0 where the case's known difference says it.

/**
 * The functions that draw a view, or add to what C++ wrote of it, by the view's name: SHOW.map({run, name, query,
 * section, isNew}).
 */
const SHOW = {};

/**
 * What a view adds to the search, by the word that `in:` takes: FIND.accuracy = {title, items()}. An item has
 * values for each of the search keys that it knows (query.js), and `shown: {name, text, href}`.
 */
const FIND = {};

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
  differ: 3,  // the dtype differs; other kinds of difference look the same
  crash: 10,
  timeout: 11,
  expectation: 12,
  withinChoice: 13,
  missing: 255
};

/** The code of the dtype with this name, or -1. */
const dtypeNamed = (name) => DATA.dtypes.findIndex((dtype) => dtype.name === name);

async function inflate(text) {
  const bytes = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

async function inflateJson(text) {
  return JSON.parse(new TextDecoder().decode(await inflate(text)));
}

/** The objects of a list that is stored as one array for each name. */
function rowsOf(columns) {
  const names = Object.keys(columns);
  return (columns[names[0]] || [])
      .map((_, i) => Object.fromEntries(names.map((name) => [name, columns[name][i]])));
}

/** An object with the result of `of` for each column, by the column's name. */
const mapColumns = (columns, of) =>
    Object.fromEntries(Object.entries(columns).map(([name, column]) => [name, of(column)]));

/** Like mapColumns, for a function `of` that returns promises. */
async function loadColumns(columns, of) {
  const loaded = await Promise.all(Object.values(columns).map(of));
  return mapColumns(columns, () => loaded.shift());
}

/** What an axis of a row varies: an operand, an out= tensor, an attribute, or whole lines. */
function axisRole(row, position, items) {
  if (row.outs.includes(position)) return 'out';
  if (row.form === 'cases') return 'lines';
  const isNamed = row.tpl.includes(`={${position}}`);
  const isText = items.every((item) => item.kind === 3);
  return isText || (isNamed && items.every((item) => item.kind === 2)) ? 'attribute' : 'operand';
}

/** Makes one axis of a call: of an operand, an out= tensor, an attribute, or the default dtype. */
function makeAxis(role, name, items) {
  return {role, name, items, kinds: [...new Set(items.map((item) => item.kind))]};
}

/** A call: rows that differ in their default dtype only. `rows[i]` has the default dtype `defaults[i]`. */
class Call {
  constructor(op, first) {
    this.op = op;
    this.schema = first.schema;
    this.form = first.form;
    this.template = withoutDefault(first.tpl);
    this.rows = [];
    this.bad = 0;
    this.known = 0;
    this.worst = VERDICT.agree;
  }

  add(row) {
    this.rows.push(row);
    this.bad += row.bad;
    this.known += row.known;
    this.worst = worse(this.worst, row.worst);
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

/** Numbers from the steps between them. */
function sumsOf(steps) {
  let last = 0;
  return steps.map((step) => last += step);
}

/**
 * Makes the rows of all ops from the packed data. Rows with few cases get their columns at once. A row's `n` says how
 * many of its cases are listed, its `count` how many there are.
 */
function unpackRows(packed, small) {
  const shapes = packed.shapes.map((shape, number) => ({...shape, number}));
  const cases = new Map(packed.cases.map(({row, steps}) => [row, sumsOf(steps)]));
  const summed = new Map(packed.summed.map(({row, steps, sums}) => [row, {places: sumsOf(steps), sums}]));
  let first = 0;
  let plane = 0;
  let offset = 0;
  return packed.tpl.map((tpl, i) => {
    const count = packed.n[i];
    const {places, sums = []} = summed.get(i) || {};
    const n = places ? places.length : count;
    first += packed.first[i];
    const shape = shapes[packed.shape[i]];
    const row = {
      kind: `${packed.schema[i]} ${packed.form[i]} ${packed.def[i]}`,
      schema: packed.schema_texts[packed.schema[i]],
      form: packed.form_texts[packed.form[i]],
      def: packed.def_texts[packed.def[i]],
      tpl,
      shape,
      axes: shape.axes,
      outs: shape.outs,
      cases: cases.get(i),
      places,
      sums,
      first,
      count,
      n,
      bad: packed.bad[i],
      known: packed.known[i],
      worst: packed.worst[i]
    };
    first += count;
    if (n > 256) {
      const number = plane++;
      row.planes = mapColumns(packed.planes, (column) => column[number]);
    } else {
      row.loaded = columnsOf(mapColumns(small, (column) => column.subarray(offset, offset + n)));
      offset += n;
    }
    return row;
  });
}

const columnsOf = ({verdict, known, subject, difference, wrong}) =>
    ({verdict, known, subject, wrong, oracle: subject.map((byte, i) => byte ^ difference[i])});

class Run {
  constructor(raw, number) {
    Object.assign(this, raw);
    this.number = number;
    this.title = `${raw.names.subject} against ${raw.names.oracle}`;
    this.columns = new Map();
    this.packs = new Map();
    this.ready = this.load(raw);
  }

  async load(raw) {
    const [axes, records, tallies, rows, small, books] = await Promise.all([
      inflateJson(raw.axes), inflateJson(raw.records), inflateJson(raw.tallies),
      inflateJson(raw.rows), loadColumns(raw.small, inflate), raw.books && inflateJson(raw.books)
    ]);
    const list = unpackRows(rows, small);
    let row = 0;
    for (const [i, step] of books?.rows.entries() || [])
      list[row += step].books = books.places[books.sets[i]];
    let next = 0;
    this.ops.forEach((op, i) => {
      Object.assign(op, tallies[i]);
      op.rows = list.slice(next, next += rows.ops[i]);
      op.calls = callsOf(op);
    });
    this.axes = axes;
    this.records = new Map(records.map((record) => [record.case, record]));
  }

  /** The bytes of a plane, or a promise of them if it must be inflated. */
  plane(number, size) {
    if (number < 0) return new Uint8Array(size);
    if (!this.columns.has(number)) {
      this.columns.set(number, inflate(this.planes[number]).then((bytes) => {
        this.columns.set(number, bytes);
        return bytes;
      }));
    }
    return this.columns.get(number);
  }

  /** The offsets of a row's cases that have a record. */
  recordsOf(row) {
    this.recorded ||= Float64Array.from(this.records.keys()).sort();
    if (row.cases || row.places) {
      row.recorded ||= [...Array(row.n).keys()].filter((at) => this.records.has(caseNumber(row, at)));
      return row.recorded;
    }
    let low = 0;
    let high = this.recorded.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.recorded[middle] < row.first)
        low = middle + 1;
      else
        high = middle;
    }
    const found = [];
    for (; this.recorded[low] < row.first + row.n; low++) found.push(this.recorded[low] - row.first);
    return found;
  }

  /** Inflates all planes in spare time, so that the first search finds them. */
  async warm() {
    await this.ready;
    for (const number of this.planes.keys()) {
      if (number % 16 === 0) await new Promise((resolve) => requestIdleCallback(resolve));
      this.plane(number, 0);
    }
  }

  /**
   * Loads the columns of a row. The column of the oracle then holds its answers, not their xor with the subject's.
   */
  async rowColumns(row) {
    row.loaded ||=
        columnsOf(await loadColumns(row.planes, (number) => this.plane(number, row.n)));
    return row.loaded;
  }

  /** The story of a case: what the report tells beyond its columns. Null if the case has none. */
  async story(index) {
    const at = this.stories ? this.stories.cases.indexOf(index) : -1;
    if (at < 0) return null;
    const number = Math.floor(at / this.stories.pack);
    if (!this.packs.has(number)) this.packs.set(number, inflateJson(this.stories.packs[number]));
    const story = (await this.packs.get(number))[at % this.stories.pack];
    const whole = (start, rest) => (rest === null ? null : start + rest);
    return {
      ...story,
      cpp: whole(this.stories.cpp, story.cpp),
      python: whole(this.stories.python, story.python)
    };
  }

  /** The axes of a call. The default dtype is the last one. */
  axesOf(call) {
    const first = call.rows[0];
    let operand = 0;
    const axes = first.axes.map((number, position) => {
      const items = this.axes[number];
      const role = axisRole(first, position, items);
      if (role === 'out') return makeAxis(role, 'out=', items);
      if (role !== 'operand') {
        const name = call.template.match(new RegExp(`(\\w+)=\\{${position}\\}`));
        return makeAxis(role, name ? name[1] : 'case', items);
      }
      operand += 1;
      return makeAxis('operand', `operand ${operand}`, items);
    });
    const defaults = call.rows.map(
        (row) => ({text: row.def, kind: 3, dtype: dtypeNamed(row.def)}));
    axes.push(makeAxis('default', 'default dtype', defaults));
    return axes;
  }

  findOp(name) {
    return this.ops.find((op) => op.name === name);
  }

  /**
   * The op, call, row, place and offset of the case with a number. Null if the run has no such case. The offset is -1
   * if the case is not listed.
   */
  locate(index) {
    for (const op of this.ops) {
      for (const call of op.calls) {
        for (const row of call.rows) {
          const place = row.cases ? row.cases.indexOf(index) : index - row.first;
          if (place >= 0 && place < row.count)
            return {op, call, row, place, at: row.places ? row.places.indexOf(place) : place};
        }
      }
    }
    return null;
  }
}

/** The place of a listed case among all cases of its row: the last axis fastest, or as its list has them. */
const placeIn = (row, at) => (row.places ? row.places[at] : at);

/** The offsets of those places of a row that are listed. */
const listedAt = (row, places) =>
    (row.places ? places.map((place) => row.places.indexOf(place)).filter((at) => at >= 0) : places);

function caseNumber(row, at) {
  const place = placeIn(row, at);
  return row.cases ? row.cases[place] : row.first + place;
}

const caseLine = (run, row, at) => lineAt(run, row, placeIn(row, at));

/** The line of the case at a place of a row, from the row's template. `{k}` after a `]` is a value list (reports/run_plan.h). */
function lineAt(run, row, place) {
  const tokens = [];
  let rest = place;
  for (let axis = row.axes.length; axis-- > 0;) {
    const items = run.axes[row.axes[axis]];
    tokens[axis] = items[rest % items.length].text;
    rest = Math.floor(rest / items.length);
  }
  return row.tpl.replace(
      /(\]?)\{(\d+)\}/g,
      (whole, bracket, axis) => (bracket || !(axis in tokens) ? whole : tokens[axis]));
}
