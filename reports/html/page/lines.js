// Finds the case that has a pasted line, or the nearest cases if none has.

const NEAREST_SHOWN = 3;

/** The distances that differences between two arguments count. The nearest case has the lowest sum. */
const APART = {
  argument: 6,  // distance of two calls, for an argument that only one of them has
  kind: 4,      // distance for another kind of operand: with dimensions, without, or a number
  category: 3,
  dtype: 2,
  setting: 2,
  size: 0.1,    // distance for each power of two between the bytes of two dtypes
  shape: 1,
  text: 0.5
};

const withoutBlanks = (text) => text.replace(/\s/g, '');

/** The template of a row without blanks, cut at its placeholders: texts and axis numbers in turn. */
function templateParts(row) {
  if (!row.parts) {
    const parts = lineParts(row.tpl);
    row.parts = parts ? parts[1].split(/(?<!\])\{(\d+)\}/).map(
        (part, i) => (i % 2 ? Number(part) : part)) : [];
  }
  return row.parts;
}

/** For each axis of a row, the distance in case numbers between neighbours on it. */
function rowStrides(run, row) {
  const strides = [];
  let stride = 1;
  for (let axis = row.axes.length; axis-- > 0;) {
    strides[axis] = stride;
    stride *= run.axes[row.axes[axis]].length;
  }
  return strides;
}

/** The places of a row's cases that have the line `wanted`, given without blanks and without the op's name. */
function linePlaces(run, row, wanted) {
  const parts = templateParts(row);
  const strides = rowStrides(run, row);
  const found = [];
  const walk = (i, from, at) => {
    if (i === parts.length) {
      if (from === wanted.length) found.push(at);
    } else if (typeof parts[i] === 'string') {
      if (wanted.startsWith(parts[i], from)) walk(i + 1, from + parts[i].length, at);
    } else {
      run.axes[row.axes[parts[i]]].forEach(({text}, item) => {
        const token = withoutBlanks(text);
        if (wanted.startsWith(token, from)) walk(i + 1, from + token.length, at + item * strides[parts[i]]);
      });
    }
  };
  if (parts.length) walk(0, 0, 0);
  return found;
}

/** The arguments and settings of a line's end, such as "(a,b[1,2],k=v)@default=float64". */
function callParts(rest) {
  const end = rest.lastIndexOf(')');
  const args = [];
  let depth = 0;
  let from = 1;
  for (let at = 1; at <= end; at++) {
    const letter = rest[at];
    if ('([{'.includes(letter)) depth += 1;
    if (at === end || (letter === ',' && depth === 0)) {
      if (at > from) args.push(rest.slice(from, at));
      from = at + 1;
    } else if (')]}'.includes(letter)) {
      depth -= 1;
    }
  }
  return {args, settings: rest.slice(end + 1).split(/(?=@)/).filter(Boolean)};
}

/** The parts of an argument's text: its name, or null if it stands by position, and its value. */
function namedPart(text) {
  const found = text.match(/^(\w+)=(.*)$/s);
  return found ? [found[1], found[2]] : [null, text];
}

/** The parts of an argument's value: {kind, category, dtype, shape}. Only the kind if it is no operand. */
function operandParts(text) {
  const tensor = text.match(/^(?:torch\.)?(\w+)\[([^\]]*)\]/);
  const dtype = tensor && DATA.dtypes.find(({name, short}) => name === tensor[1] || short === tensor[1]);
  if (dtype) return {kind: tensor[2] ? 'dim' : 'zero-dim', category: dtype.category, dtype, shape: tensor[2]};
  const isNumber = /^(True|False|[-+]?(\d|inf|nan|\.\d).*)$/i.test(text);
  if (!isNumber) return {kind: 'text'};
  const category = /^[TF]/.test(text) ? 'bool' : /j$/i.test(text) ? 'complex' : /[.]|nan|inf|\de/i.test(text) ? 'floating' : 'integral';
  return {kind: 'number', category};
}

/** The distance of two arguments; APART has what the differences count. */
function partsApart(wanted, text) {
  if (wanted === text) return 0;
  const [a, b] = [operandParts(wanted), operandParts(text)];
  let apart = APART.text;
  if (a.kind !== b.kind) apart += APART.kind;
  if (a.category !== b.category) apart += APART.category;
  if (a.dtype && b.dtype && a.dtype !== b.dtype)
    apart += APART.dtype + APART.size * Math.abs(Math.log2(a.dtype.bytes / b.dtype.bytes));
  if (a.kind === 'dim' && b.kind === 'dim' && a.shape !== b.shape) apart += APART.shape;
  return apart;
}

/** The item of an axis that is nearest to a wanted argument: [distance, item]. `known` keeps earlier results. */
function nearestToken(run, axis, wanted, known) {
  const key = `${axis} ${wanted}`;
  if (!known.has(key)) {
    let best = [Infinity, 0];
    run.axes[axis].forEach(({text}, item) => {
      const apart = partsApart(wanted, withoutBlanks(text));
      if (apart < best[0]) best = [apart, item];
    });
    known.set(key, best);
  }
  return known.get(key);
}

/**
 * The nearest case of a row to the wanted arguments: {apart: its distance, at: its offset}. The distance is infinite if
 * the row lists only some of its cases.
 */
function nearestInRow(run, row, wanted, known) {
  if (row.places) return {apart: Infinity};
  if (row.form === 'cases') {
    const lines = run.axes[row.axes[0]].map(({text}, at) => {
      const parts = lineParts(text);
      return {apart: parts ? callsApart(callParts(parts[1]), wanted, partsApart) : Infinity, at};
    });
    return lines.reduce((best, each) => (each.apart < best.apart ? each : best));
  }
  const strides = rowStrides(run, row);
  let at = 0;
  const apart = callsApart(callParts(lineParts(row.tpl)?.[1] || '()'), wanted, (said, part) => {
    const place = part.match(/^\{(\d+)\}$/);
    if (!place) return partsApart(said, part);
    const [nearest, item] = nearestToken(run, row.axes[place[1]], said, known);
    at += item * strides[place[1]];
    return nearest;
  });
  return {apart, at};
}

/**
 * The distance of a call from the wanted one: the sum over the arguments of `call`, each compared with the wanted
 * argument of the same name or place.
 */
function callsApart(call, wanted, argumentsApart) {
  const left = wanted.args.map(namedPart);
  let apart = 0;
  for (const part of call.args) {
    const [name, text] = namedPart(part);
    const at = left.findIndex(([other]) => other === name);
    if (at < 0) {
      apart += APART.argument;
      continue;
    }
    const [[, said]] = left.splice(at, 1);
    apart += argumentsApart(said, text);
  }
  const settings = new Set([...call.settings, ...wanted.settings]);
  const both = call.settings.filter((setting) => wanted.settings.includes(setting));
  return apart + APART.argument * left.length + APART.setting * (settings.size - both.length);
}

/** The schemas of the runs whose names are the wanted one or similar to it. */
function schemasNear(wanted) {
  const all = new Set(runs.flatMap((run) => run.ops.flatMap((op) => op.rows.map(({schema}) => schema))));
  const base = (schema) => schema.split('.')[0];
  const ranked = [...all].map((schema) => [
    schema === wanted                             ? 0 :
        base(schema) === base(wanted)             ? 0.5 :
        base(schema) === base(wanted) + '_' || base(schema) + '_' === base(wanted) ? 0.8 :
                                                    lettersApart(base(wanted), base(schema)),
    schema
  ]);
  const least = Math.min(...ranked.map(([apart]) => apart));
  return least > Math.max(2, wanted.length / 3) ?
      new Map() :
      new Map(ranked.filter(([apart]) => apart <= Math.max(least, 0.5)).map(([apart, schema]) => [schema, apart]));
}

/** How a case differs from the wanted line: "int32[4] for int32[3], 2.5 for 5.5". */
function swapsText(line, wanted) {
  const swaps = [];
  callsApart(callParts(lineParts(line)[1]), wanted, (said, text) => {
    if (said !== text) swaps.push(`${text} for ${said}`);
    return 0;
  });
  return swaps.join(', ');
}

/** The cases nearest to a line that no case has: [{run, op, row, at, note}], the nearest first. */
function nearestCases({name, rest}) {
  const wanted = callParts(rest);
  const schemas = schemasNear(name);
  const names = new Set([...schemas.keys()].map((schema) => schema.split('.')[0]));
  const found = [];
  for (const run of runs) {
    const known = new Map();
    for (const op of run.ops) {
      for (const row of op.rows) {
        if (row.form === 'cases' ? !names.has(op.name) : !schemas.has(row.schema)) continue;
        const {apart, at} = nearestInRow(run, row, wanted, known);
        if (apart < Infinity)
          found.push({run, op, row, at, apart: apart + (schemas.get(row.schema) || 0)});
      }
    }
  }
  return found.sort((a, b) => a.apart - b.apart).slice(0, NEAREST_SHOWN).map(
      (place) => ({...place, note: swapsText(caseLine(place.run, place.row, place.at), wanted)}));
}
