// Draws plots with uPlot, if the build had it (reports/CMakeLists.txt). A table always shows the
// same numbers, for reports without plots and for screen readers.

const canPlot = () => typeof uPlot === 'function';

/** A colour of the current theme, by the name of its CSS variable. */
const styleColour = (name) =>
    getComputedStyle(document.documentElement).getPropertyValue(name).trim();

const PLOT_COLOURS = 5;
const PLOT_INK = 12;  // size of the texts in a plot, in CSS pixels

/** Shapes that tell series apart without colour; the legend shows each next to its name. */
const PLOT_MARKS = [
  ['●', (path, x, y, r) => path.arc(x, y, r, 0, 2 * Math.PI)],
  ['■', (path, x, y, r) => path.rect(x - r, y - r, 2 * r, 2 * r)],
  ['▲', (path, x, y, r) => polygon(path, [[x, y - r], [x + r, y + r], [x - r, y + r]])],
  ['▼', (path, x, y, r) => polygon(path, [[x - r, y - r], [x + r, y - r], [x, y + r]])],
];

function polygon(path, [first, ...rest]) {
  path.moveTo(...first);
  for (const point of rest) path.lineTo(...point);
  path.closePath();
}

/**
 * A path renderer for uPlot. It calls `draw(path, x, y, place)`, in the canvas's pixels, for each value that is not
 * null.
 */
function plotPaths(draw) {
  return (u, series, from, to) => {
    const path = new Path2D();
    for (let i = from; i <= to; ++i) {
      const value = u.data[series][i];
      if (value === null) continue;
      const place = u.data[0][i];
      draw(path, u.valToPos(place, 'x', true), u.valToPos(value, 'y', true), place, u);
    }
    return {stroke: path, fill: path};
  };
}

/** A renderer of marks. Marks of later series are smaller, so that all marks at one place can be seen. */
const markPaths = (number) => plotPaths((path, x, y) => {
  const radius = Math.max(2, 5 - 1.3 * number) * devicePixelRatio;
  path.moveTo(x + radius, y);  // starts a new mark: otherwise a line would join it to the last one
  PLOT_MARKS[number % PLOT_MARKS.length][1](path, x, y, radius);
});

/** A renderer of bars. Bars of several series stand next to each other, around each whole number. */
const barPaths = (number, count) => plotPaths((path, x, y, place, u) => {
  const left = u.valToPos(place - 0.4 + 0.8 * number / count, 'x', true);
  const right = u.valToPos(place - 0.4 + 0.8 * (number + 1) / count, 'x', true);
  const floor = u.bbox.top + u.bbox.height;
  path.rect(left, y, Math.max(1, right - left - devicePixelRatio), floor - y);
});

/** The ticks for which an axis has room. `space` is the width of one tick in pixels. */
function ticksWithRoom(ticks, space, room) {
  const step = Math.max(1, Math.ceil(ticks.length * space / Math.max(1, room)));
  return ticks.filter((_, i) => i % step === 0);
}

/** The settings of an axis for uPlot. Its ticks are [value, text]. */
function plotAxis({ticks, label, isVertical}, holder) {
  const ink = styleColour('--soft');
  const line = {stroke: styleColour('--line'), width: 1};
  const longest = Math.max(...ticks.map(([, text]) => text.length)) * 0.62 * PLOT_INK;
  const font = `${PLOT_INK}px ${getComputedStyle(document.body).fontFamily}`;
  const shown = () =>
      (isVertical ? ticks : ticksWithRoom(ticks, longest + PLOT_INK, holder.clientWidth - 90));
  return {
    scale: isVertical ? 'y' : 'x',
    label,
    font,
    labelFont: font,
    labelSize: 20,
    stroke: ink,
    grid: isVertical ? line : {show: false},
    ticks: {...line, size: 5},
    size: isVertical ? Math.ceil(longest) + 16 : 30,
    splits: () => shown().map(([value]) => value),
    values: () => shown().map(([, text]) => text),
    filter: (u, splits) => splits,  // all ticks are shown; uPlot alone would show powers of ten only
  };
}

function plotOptions(plot, holder, oncursor) {
  const fixed = (range) => () => range;
  return {
    width: holder.clientWidth,
    height: holder.clientHeight,
    legend: {show: false},
    cursor: {y: false, points: {show: false}, drag: {setScale: false, x: false, y: false}},
    scales: {
      x: {time: false, range: fixed(plot.x.range)},
      y: {distr: plot.y.isLog ? 3 : 1, range: fixed(plot.y.range)}
    },
    axes: [plotAxis(plot.x, holder), plotAxis({...plot.y, isVertical: true}, holder)],
    series: [
      {}, ...plot.series.map(({paths, isLine}, i) => {
        const colour = styleColour(`--plot-${i % PLOT_COLOURS}`);
        return {
          paths,
          stroke: colour,
          fill: isLine ? undefined : colour,
          width: isLine ? 2 : 0,
          points: {show: false}
        };
      })
    ],
    hooks: {setCursor: [(u) => oncursor(u.cursor.idx)]}
  };
}

/**
 * plot: {label, hint, size: short, middle or tall (views.css)
 *   x, y      {range: [from, to], ticks: [[value, text]], label, isLog}
 *   places    numbers on x, ascending
 *   series    [{name, mark, values, paths, isLine}], a value or null for each place
 *   say(i)    the sentence of a place; onselect(i), or nothing, on click and Enter}
 * It is drawn while it is seen: uPlot listens on the window, and must not outlive its element.
 */
function plotFigure(plot) {
  const holder = h('div', {
    class: `plot-area ${plot.size}`,
    tabindex: '0',
    role: 'img',
    'aria-label': `Plot: ${plot.label}. The table below says the same; arrow keys read out places.`
  });
  const readout = h('p', {class: 'readout', 'aria-live': 'polite'}, plot.hint);
  let drawn = null;
  let at = null;
  const oncursor = (i) => {
    at = i ?? at;
    readout.textContent = at === null ? plot.hint : plot.say(at);
  };
  new ResizeObserver(() => {
    const width = holder.isConnected ? holder.clientWidth : 0;
    if (!width) {
      drawn?.destroy();
      drawn = null;
    } else if (drawn) {
      drawn.setSize({width, height: holder.clientHeight});
    } else {
      const data = [plot.places, ...plot.series.map(({values}) => values)];
      drawn = new uPlot(plotOptions(plot, holder, oncursor), data, holder);
    }
  }).observe(holder);
  holder.addEventListener('click', () => at !== null && plot.onselect?.(at));
  holder.addEventListener('keydown', (event) => {
    const last = plot.places.length - 1;
    const next = {
      ArrowRight: at === null ? 0 : Math.min(last, at + 1),
      ArrowLeft: at === null ? last : Math.max(0, at - 1),
      Home: 0,
      End: last
    }[event.key];
    if (event.key === 'Enter' && at !== null) plot.onselect?.(at);
    if (next === undefined || !drawn) return;
    event.preventDefault();
    drawn.setCursor({left: drawn.valToPos(plot.places[next], 'x'), top: 1});
    oncursor(next);
  });
  const legend = plot.series.map(
      ({name, mark}, i) => h(
          'li', {},
          h('span', {class: `plot-mark p${i % PLOT_COLOURS}`, 'aria-hidden': 'true'}, mark), name));
  return h(
      'figure', {class: 'plot'}, legend.length > 1 ? h('ul', {class: 'legend'}, ...legend) : null,
      holder, readout);
}

/** An axis of ops: their names at 0, 1, 2, ..., with room for the marks at both ends. */
function opAxis(names) {
  const margin = 0.6 + names.length / 80;
  return {range: [-margin, names.length - 1 + margin], ticks: names.map((name, i) => [i, name])};
}

const SUPERSCRIPTS = '⁰¹²³⁴⁵⁶⁷⁸⁹';

/** A power of ten as text: 10 to the 2 is "100", 10 to the 6 is "10⁶". */
function powerText(exponent) {
  if (exponent < 5) return grouped(10 ** exponent);
  return `10${[...String(exponent)].map((digit) => SUPERSCRIPTS[digit]).join('')}`;
}

/** A logarithmic axis for counts. A count of 1 stands above the axis' lower end, so that it can be seen. */
function countAxis(largest, label) {
  const highest = Math.max(1, Math.ceil(Math.log10(Math.max(1, largest))));
  const step = Math.ceil(highest / 6);
  const ticks = [];
  for (let exponent = 0; exponent <= highest; exponent += step)
    ticks.push([10 ** exponent, powerText(exponent)]);
  return {range: [0.5, 2 * 10 ** highest], ticks, label, isLog: true};
}

/**
 * An axis with even steps: 1, 2 or 5 times a power of ten, and at least `least`. It goes from 0 to the largest
 * value or a little further.
 */
function evenAxis(largest, label, least = 0) {
  const rough = Math.max(largest, 1e-9) / 5;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = Math.max(least, power * [1, 2, 5, 10].find((factor) => factor * power >= rough));
  const ticks = [];
  for (let i = 0; i * step <= largest * 1.02 || i < 2; ++i) {
    const value = Number((i * step).toPrecision(6));
    ticks.push([value, grouped(value)]);
  }
  return {range: [0, Math.max(largest * 1.05, ticks.at(-1)[0])], ticks, label};
}
