// What reacts on a chart: pointer, wheel and keys; the cursor and its table.
import { useEffect, useRef, useState } from "preact/hooks";
import { hue, theme } from "../colors";
import { formatCount, formatDuration, formatTime, formatValue, keepEnd } from "../format";
import { Swatch } from "../parts/runs_table";
import { useStore } from "../store";
import { useText } from "../text";
import { setView, type Axis } from "../view";
import { cursor } from "./cursor";
import { isCrowd, liftLine, prepare, type Look, type Plot } from "./draw";
import { nearest, type Line } from "./line";

export function xText(axis: Axis, value: number): string {
  if (axis === "step") return formatCount(value);
  return axis === "relative" ? formatDuration(value) : formatTime(value);
}

interface CursorTableProps { lines: readonly Line[]; at: number; look: Look; y: number; plot: Plot; place: { x: number; y: number } }

/** What every line has at the cursor, sorted as the lines lie there. */
function CursorTable({ lines, at, look: { axis, against }, y, plot, place }: CursorTableProps) {
  const t = useText();
  const rows = lines
    .map((line) => ({ line, i: nearest(line.x, at) }))
    .filter(({ i }) => i >= 0)
    .map(({ line, i }) => {
      const value = line.smoothed ? line.smoothed[i]! : line.last[i]!;
      return { line, i, value, distance: Math.abs(plot.y.at(value) - y) };
    })
    .sort((a, b) => b.value - a.value);
  const near = rows.reduce<number>((best, row, i) => (row.distance < (rows[best]?.distance ?? Infinity) ? i : best), 0);
  const text = ({ line, i, value }: (typeof rows)[number]) =>
    line.count !== null && line.count[i]! > 1 && !line.smoothed ? `${formatValue(line.lo[i]!)} … ${formatValue(line.hi[i]!)}` : formatValue(value, 6);
  const left = place.x + 16 + 300 > innerWidth ? Math.max(4, place.x - 316) : place.x + 16;
  const first = Math.max(0, Math.min(near - 7, rows.length - 15));
  return (
    <div class="float" role="tooltip" style={{ left: `${left}px`, top: `${Math.max(4, Math.min(place.y + 12, innerHeight - 60 - 18 * Math.min(15, rows.length)))}px` }}>
      <b>{against ? `${keepEnd(against, 28)} ${formatValue(at, 6)}` : axis === "step" ? t("stepAt", xText(axis, at)) : xText(axis, at)}</b>
      <table>
        <tbody>
          {rows.slice(first, first + 15).map((row, i) => (
            <tr key={`${row.line.run} ${row.line.rank}`} class={first + i === near ? "near" : ""}>
              <td><Swatch slot={row.line.slot} /></td><td>{keepEnd(row.line.label, 28)}</td><td class="number">{text(row)}</td>
              <td class="number muted">{axis === "step" && !against ? "" : t("stepAt", formatCount(row.line.steps[row.i]!))}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

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

interface SurfaceProps { lines: readonly Line[]; plot: Plot | null; look: Look; title: string; onFull: () => void }

/** What reacts: pointer, wheel and keys; draws the cursor and the range that is being dragged. */
export function Surface({ lines, plot, look, title, onFull }: SurfaceProps) {
  const t = useText();
  const at = useStore(cursor);
  const scheme = useStore(theme);
  const canvas = useRef<HTMLCanvasElement>(null);
  const box = useRef<HTMLDivElement>(null);
  const [drag, setDrag] = useState<[number, number] | null>(null);
  const [place, setPlace] = useState<{ x: number; y: number; py: number } | null>(null);
  useEffect(() => {
    if (!plot || !canvas.current) return;
    const context = prepare(canvas.current, plot.width, plot.height);
    if (drag) {
      context.fillStyle = hue(scheme, 0);
      context.globalAlpha = 0.15;
      context.fillRect(Math.min(...drag), plot.top, Math.abs(drag[1] - drag[0]), plot.bottom - plot.top);
      context.globalAlpha = 1;
    }
    if (at === null || at < plot.x.lo || at > plot.x.hi) return;
    const px = Math.round(plot.x.at(at)) + 0.5;
    context.strokeStyle = getComputedStyle(box.current!).color;
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
  });
  // Where another tag is the x axis there is no range to zoom into.
  const zoomTo = (range: [number, number], replace = false) => {
    if (!look.against) setView({ range }, replace);
  };
  useEffect(() => {
    // The wheel scrolls the page, and zooms only with Ctrl: the browser must then be told not to zoom itself.
    const wheel = (event: WheelEvent) => {
      if (!event.ctrlKey || !plot) return;
      event.preventDefault();
      const x = plot.x.invert(event.offsetX);
      zoomTo(zoomed(plot, event.deltaY > 0 ? 1.25 : 0.8, x), true);
    };
    box.current!.addEventListener("wheel", wheel, { passive: false });
    return () => box.current?.removeEventListener("wheel", wheel);
  }, [plot]);
  const move = (direction: number) => {
    const longest = lines.reduce<Line | null>((best, line) => (best && best.x.length >= line.x.length ? best : line), null);
    if (!plot || !longest || longest.x.length === 0) return;
    const now = at === null ? (direction > 0 ? -1 : longest.x.length) : nearest(longest.x, at);
    const next = longest.x[Math.min(longest.x.length - 1, Math.max(0, now + direction))]!;
    const bounds = box.current!.getBoundingClientRect();
    cursor.set(next);
    setPlace({ x: bounds.left + plot.x.at(next), y: bounds.top + plot.top, py: plot.top });
  };
  const key = (event: KeyboardEvent) => {
    if (!plot) return;
    const middle = at ?? (plot.x.lo + plot.x.hi) / 2;
    if (event.key === "ArrowRight") move(event.shiftKey ? 10 : 1);
    else if (event.key === "ArrowLeft") move(event.shiftKey ? -10 : -1);
    else if (event.key === "+" || event.key === "=") zoomTo(zoomed(plot, 0.5, middle));
    else if (event.key === "-") zoomTo(zoomed(plot, 2, middle));
    else if (event.key === "f") onFull();
    else return;
    event.preventDefault();
  };
  const clampX = (x: number) => (plot ? Math.min(plot.right, Math.max(plot.left, x)) : x);
  const local = (event: PointerEvent) => {
    const bounds = box.current!.getBoundingClientRect();
    return { x: event.clientX - bounds.left, y: event.clientY - bounds.top };
  };
  return (
    <>
      <canvas ref={canvas} aria-hidden="true" />
      <div ref={box} class="surface" role="img" tabIndex={0} aria-label={title} onKeyDown={key}
        onBlur={() => { setPlace(null); cursor.set(null); }}
        onPointerDown={(event) => {
          if (event.button !== 0 || !plot) return;
          event.currentTarget.setPointerCapture(event.pointerId);
          const x = clampX(local(event).x);
          setDrag([x, x]);
        }}
        onPointerMove={(event) => {
          if (!plot) return;
          const { x, y } = local(event);
          if (drag) setDrag([drag[0], clampX(x)]);
          cursor.set(plot.x.invert(clampX(x)));
          setPlace({ x: event.clientX, y: event.clientY, py: y });
        }}
        onPointerUp={() => {
          if (drag && plot && Math.abs(drag[1] - drag[0]) > 4) {
            const ends = drag.map((x) => plot.x.invert(x)).sort((a, b) => a - b);
            zoomTo([ends[0]!, ends[1]!]);
          }
          setDrag(null);
        }}
        onPointerCancel={() => setDrag(null)}
        onPointerLeave={() => { setPlace(null); if (!drag) cursor.set(null); }}
        onDblClick={() => setView({ range: null })} />
      {place && plot && at !== null && lines.length > 0 && <CursorTable lines={lines} at={at} look={look} y={place.py} plot={plot} place={place} />}
      {plot?.bad.marks.length ? <span class="hidden-text">{t("notFinite", plot.bad.nan + plot.bad.infinite)}</span> : null}
    </>
  );
}

