// The script of the page that "sightline export --format html" writes. It draws charts as the
// dashboard does.

import { drawPlot, layOut, type Plot, prepare, type Style } from "./chart/draw";
import { type Line, nearest } from "./chart/line";
import { followTheme, theme } from "./core/colors";
import { formatCount, formatValue } from "./core/format";
import "./tokens.css";
import "./export.css";

const none = new Float64Array(0);

/**
 * `columns`: base64 of step offset (uint32), minimum, maximum (float32) of each; a step is first +
 * scale * offset.
 */
export function lineOf(columns: string, first: number, scale: number): Line {
  const view = new DataView(Uint8Array.from(atob(columns), (c) => c.charCodeAt(0)).buffer);
  const count = view.byteLength / 12;
  const array = (of: (at: number) => number) =>
    Float64Array.from({ length: count }, (_, i) => of(12 * i));
  const x = array((at) => first + scale * view.getUint32(at, true));
  const lo = array((at) => view.getFloat32(at + 4, true));
  const hi = array((at) => view.getFloat32(at + 8, true));
  const flag = (of: (value: number) => boolean, values: Float64Array) =>
    values.map((value) => Number(of(value)));
  return {
    run: "",
    rank: 0,
    label: "",
    slot: 0,
    exact: lo.every((value, i) => Object.is(value, hi[i])),
    inRange: count,
    x,
    lo,
    hi,
    first: lo,
    last: hi,
    count: null,
    steps: x,
    times: none,
    nan: flag(Number.isNaN, lo),
    up: flag((value) => value === Infinity, hi),
    down: flag((value) => value === -Infinity, lo),
    smoothed: null,
  };
}

function setUp(canvas: HTMLCanvasElement): void {
  const { c = "", s = "0", k = "1" } = canvas.dataset;
  const line = lineOf(c, Number(s), Number(k));
  const note = canvas.parentElement!.querySelector("p")!;
  const all = note.textContent;
  let range: [number, number] | null = null;
  let drag: [number, number] | null = null;
  let plot: Plot | null = null;
  const draw = () => {
    const { clientWidth: width, clientHeight: height } = canvas;
    if (width === 0) return;
    const style: Style = { axis: "step", log: false, range, compact: false };
    const context = prepare(canvas, width, height);
    plot = layOut([line], width, height, style);
    if (plot) drawPlot(context, plot, [line], style, theme.get());
    if (!drag || !plot) return;
    context.globalAlpha = 0.15;
    context.fillRect(
      Math.min(...drag),
      plot.top,
      Math.abs(drag[1] - drag[0]),
      plot.bottom - plot.top,
    );
    context.globalAlpha = 1;
  };
  const at = (event: PointerEvent) => {
    const x = event.clientX - canvas.getBoundingClientRect().left;
    return plot ? Math.min(plot.right, Math.max(plot.left, x)) : x;
  };
  canvas.addEventListener("pointerdown", (event) => {
    drag = [at(event), at(event)];
    canvas.setPointerCapture(event.pointerId);
  });
  canvas.addEventListener("pointermove", (event) => {
    if (drag) {
      drag[1] = at(event);
      draw();
    }
    const i = plot ? nearest(line.x, plot.x.invert(at(event))) : -1;
    if (i < 0) return;
    const [lo, hi] = [line.lo[i]!, line.hi[i]!];
    note.textContent = `step ${formatCount(line.x[i]!)}: ${formatValue(lo, 7)}${Object.is(lo, hi) ? "" : ` to ${formatValue(hi, 7)}`}`;
  });
  canvas.addEventListener("pointerleave", () => {
    note.textContent = all;
  });
  canvas.addEventListener("pointerup", () => {
    if (drag && plot && Math.abs(drag[1] - drag[0]) > 4) {
      const [a, b] = [plot.x.invert(drag[0]), plot.x.invert(drag[1])];
      range = a < b ? [a, b] : [b, a];
    }
    drag = null;
    draw();
  });
  canvas.addEventListener("dblclick", () => {
    range = null;
    draw();
  });
  new ResizeObserver(draw).observe(canvas);
  theme.subscribe(() => requestAnimationFrame(draw));
  draw();
}

function start(): void {
  followTheme();
  const sight = new IntersectionObserver(
    (entries) => {
      for (const { isIntersecting, target } of entries) {
        if (!isIntersecting) continue;
        sight.unobserve(target);
        setUp(target as HTMLCanvasElement);
      }
    },
    { rootMargin: "300px" },
  );
  for (const canvas of document.querySelectorAll("canvas")) sight.observe(canvas);
  document.querySelector("input")!.addEventListener("input", (event) => {
    const text = (event.target as HTMLInputElement).value.toLowerCase();
    for (const figure of document.querySelectorAll("figure"))
      figure.hidden = !figure
        .querySelector("figcaption")!
        .textContent!.toLowerCase()
        .includes(text);
  });
}

if (typeof document !== "undefined" && typeof IntersectionObserver !== "undefined") start();
