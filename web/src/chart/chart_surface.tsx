// Pointer, wheel and keys on a chart, and its cursor with the table.
import type { RefObject } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { hue, type Theme, theme } from "../core/colors";
import { useEvent, useStore } from "../core/store";
import { useText } from "../core/text";
import { setView, view, withOwn } from "../core/view";
import { cursor } from "./cursor";
import { CursorTable, PinnedTable } from "./cursor_tables";
import { isCrowd, liftLine, type Plot, prepare, type Style } from "./draw";
import { type Line, nearest } from "./line";
import type { Scale } from "./scale";

function nearestLine(lines: readonly Line[], plot: Plot, at: number, y: number): Line | null {
  let best: Line | null = null;
  let least = Infinity;
  for (const line of lines) {
    const i = nearest(line.x, at);
    const distance = i < 0 ? NaN : Math.abs(plot.y.at((line.smoothed ?? line.last)[i]!) - y);
    if (distance < least) {
      least = distance;
      best = line;
    }
  }
  return best;
}

function zoomed(plot: Plot, factor: number, around: number): [number, number] {
  const { lo, hi } = plot.x;
  return [around - (around - lo) * factor, around + (hi - around) * factor];
}

interface SurfaceProps {
  lines: readonly Line[];
  plot: Plot | null;
  style: Style;
  title: string;
  tag: string;
  onFull: () => void;
  onPin: () => void;
}
/** What was dragged over, in pixels; `both`: in both directions. */
interface Drag {
  x: [number, number];
  y: [number, number];
  both: boolean;
}
/** Where the pointer is in the window, and its height in the chart. */
interface Place {
  x: number;
  y: number;
  py: number;
}

function drawDrag(context: CanvasRenderingContext2D, plot: Plot, drag: Drag, scheme: Theme): void {
  context.fillStyle = hue(scheme, 0);
  context.globalAlpha = 0.15;
  const [top, bottom] = drag.both
    ? [Math.min(...drag.y), Math.max(...drag.y)]
    : [plot.top, plot.bottom];
  context.fillRect(Math.min(...drag.x), top, Math.abs(drag.x[1] - drag.x[0]), bottom - top);
  context.globalAlpha = 1;
}

/** The vertical line, and a ring at each line's value; of a crowd, the line that is nearest. */
function drawCursor(
  context: CanvasRenderingContext2D,
  plot: Plot,
  lines: readonly Line[],
  at: number,
  place: Place | null,
  scheme: Theme,
): void {
  const px = Math.round(plot.x.at(at)) + 0.5;
  context.setLineDash([2, 3]);
  context.beginPath();
  context.moveTo(px, plot.top);
  context.lineTo(px, plot.bottom);
  context.stroke();
  context.setLineDash([]);
  if (isCrowd(lines)) {
    const near = place && nearestLine(lines, plot, at, place.py);
    if (near) liftLine(context, plot, near, scheme);
    return;
  }
  for (const line of lines) {
    const i = nearest(line.x, at);
    const value = i < 0 ? NaN : (line.smoothed ?? line.last)[i]!;
    if (!Number.isFinite(plot.y.at(value))) continue;
    context.strokeStyle = hue(scheme, line.slot);
    context.beginPath();
    context.arc(plot.x.at(line.x[i]!), plot.y.at(value), 3.5, 0, 7);
    context.stroke();
  }
}

/** Draws the cursor and the dragged range above the chart, after each rendering. */
function useOverlay(
  canvas: RefObject<HTMLCanvasElement>,
  plot: Plot | null,
  lines: readonly Line[],
  at: number | null,
  drag: Drag | null,
  place: Place | null,
): void {
  const scheme = useStore(theme);
  const marked = useRef(false);
  useEffect(() => {
    if (!plot || !canvas.current) return;
    // An empty canvas that stays empty is left alone, since each one that is cleared slows panning.
    const inside = at !== null && at >= plot.x.lo && at <= plot.x.hi;
    const marks = drag !== null || inside;
    if (!marks && !marked.current) return;
    marked.current = marks;
    const context = prepare(canvas.current, plot.width, plot.height);
    if (drag) drawDrag(context, plot, drag, scheme);
    context.strokeStyle = getComputedStyle(canvas.current).color;
    if (inside) drawCursor(context, plot, lines, at, place, scheme);
  });
}

/** The next or previous place of the longest line; null if there is none. */
function placeBeside(lines: readonly Line[], at: number | null, by: number): number | null {
  const longest = lines.reduce<Line | null>(
    (best, line) => (best && best.x.length >= line.x.length ? best : line),
    null,
  );
  if (!longest || longest.x.length === 0) return null;
  const now = at === null ? (by > 0 ? -1 : longest.x.length) : nearest(longest.x, at);
  return longest.x[Math.min(longest.x.length - 1, Math.max(0, now + by))]!;
}

/** The values at two pixels, the smaller one first. */
function ends([a, b]: readonly [number, number], scale: Scale): [number, number] {
  const [from, to] = [scale.invert(a), scale.invert(b)];
  return from < to ? [from, to] : [to, from];
}

const clamp = (value: number, least: number, most: number) =>
  Math.min(most, Math.max(least, value));

// A drag of fewer pixels is a click.
const slack = 4;

/** Pointer, wheel and keys: what they point at, drag over and keep. */
function useSurface({ lines, plot, style, tag, onFull, onPin }: SurfaceProps) {
  const at = useStore(cursor);
  const box = useRef<HTMLDivElement>(null);
  const [drag, setDrag] = useState<Drag | null>(null);
  const [pinned, setPinned] = useState<{ at: number; x: number; y: number } | null>(null);
  const [place, setPlace] = useState<Place | null>(null);
  // The range is one on the x axis of the page, which may not be that of this chart.
  const zoomTo = useEvent((range: [number, number], replace?: boolean) => {
    if (!style.against && style.axis === view.get().axis) setView({ range }, replace);
  });
  useEffect(() => {
    // The wheel scrolls the page and zooms only with Ctrl; the browser must not zoom then.
    const wheel = (event: WheelEvent) => {
      if (!event.ctrlKey || !plot) return;
      event.preventDefault();
      const x = plot.x.invert(event.offsetX);
      zoomTo(zoomed(plot, event.deltaY > 0 ? 1.25 : 0.8, x), true);
    };
    box.current!.addEventListener("wheel", wheel, { passive: false });
    return () => box.current?.removeEventListener("wheel", wheel);
  }, [plot]);
  const move = (by: number) => {
    const next = placeBeside(lines, at, by);
    if (!plot || next === null) return;
    const bounds = box.current!.getBoundingClientRect();
    cursor.set(next);
    setPlace({ x: bounds.left + plot.x.at(next), y: bounds.top + plot.top, py: plot.top });
  };
  const local = (event: PointerEvent): [number, number] => {
    const bounds = box.current!.getBoundingClientRect();
    return [event.clientX - bounds.left, event.clientY - bounds.top];
  };
  const handlers = {
    onKeyDown: (event: KeyboardEvent) => {
      if (!plot) return;
      const middle = at ?? (plot.x.lo + plot.x.hi) / 2;
      if (event.key === "ArrowRight") move(event.shiftKey ? 10 : 1);
      else if (event.key === "ArrowLeft") move(event.shiftKey ? -10 : -1);
      else if (event.key === "+" || event.key === "=") zoomTo(zoomed(plot, 0.5, middle));
      else if (event.key === "-") zoomTo(zoomed(plot, 2, middle));
      else if (event.key === "f") onFull();
      else if (event.key === "p") onPin();
      else if (event.key === "Enter" && at !== null && place)
        setPinned({ at, x: place.x, y: place.y });
      else return;
      event.preventDefault();
    },
    onBlur: () => {
      setPlace(null);
      cursor.set(null);
    },
    onPointerDown: (event: PointerEvent) => {
      if (event.button !== 0 || !plot) return;
      box.current!.setPointerCapture(event.pointerId);
      const [px, py] = local(event);
      const [x, y] = [clamp(px, plot.left, plot.right), clamp(py, plot.top, plot.bottom)];
      setDrag({ x: [x, x], y: [y, y], both: event.shiftKey });
    },
    onPointerMove: (event: PointerEvent) => {
      if (!plot) return;
      const [px, py] = local(event);
      const [x, y] = [clamp(px, plot.left, plot.right), clamp(py, plot.top, plot.bottom)];
      if (drag) setDrag({ ...drag, x: [drag.x[0], x], y: [drag.y[0], y] });
      cursor.set(plot.x.invert(x));
      setPlace({ x: event.clientX, y: event.clientY, py });
    },
    onPointerUp: (event: PointerEvent) => {
      if (drag && plot && Math.abs(drag.x[1] - drag.x[0]) > slack) {
        const range = ends(drag.x, plot.x);
        // A range of values makes sense for one tag only, so its chart fills the page.
        if (drag.both && !style.against)
          setView({
            range,
            own: withOwn("scalars", { rangeY: ends(drag.y, plot.y), full: tag }),
          });
        else zoomTo(range);
      } else if (drag && plot && at !== null && !style.compact)
        setPinned({ at, x: event.clientX, y: event.clientY });
      setDrag(null);
    },
    onPointerCancel: () => setDrag(null),
    onPointerLeave: () => {
      setPlace(null);
      if (!drag) cursor.set(null);
    },
    onDblClick: () => {
      setPinned(null);
      setView({ range: null, own: withOwn("scalars", { rangeY: null }) });
    },
  };
  const unpin = () => {
    setPinned(null);
    box.current?.focus();
  };
  return { box, at, drag, pinned, place, handlers, unpin };
}

/** Handles pointer, wheel and keys; draws the cursor and the dragged range. */
export function Surface(props: SurfaceProps) {
  const { lines, plot, style, title } = props;
  const t = useText();
  const canvas = useRef<HTMLCanvasElement>(null);
  const { box, at, drag, pinned, place, handlers, unpin } = useSurface(props);
  useOverlay(canvas, plot, lines, at, drag, place);
  return (
    <>
      <canvas ref={canvas} aria-hidden="true" />
      <div ref={box} class="surface" role="img" tabIndex={0} aria-label={title} {...handlers} />
      {pinned && plot && (
        <PinnedTable
          key={pinned.at}
          lines={lines}
          at={pinned.at}
          style={style}
          place={pinned}
          onClose={unpin}
        />
      )}
      {place && plot && !pinned && at !== null && lines.length > 0 && (
        <CursorTable lines={lines} at={at} style={style} y={place.py} plot={plot} place={place} />
      )}
      {plot?.bad.marks.length ? (
        <span class="hidden-text">{t("notFinite", plot.bad.nan + plot.bad.infinite)}</span>
      ) : null}
    </>
  );
}
