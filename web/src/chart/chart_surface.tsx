// Pointer, wheel and keys on a chart, and its cursor with the table.
import { useEffect, useRef, useState } from "preact/hooks";
import { hue, theme } from "../core/colors";
import {
  formatCount,
  formatDuration,
  formatTime,
  formatValue,
  keepEnd,
  naturally,
} from "../core/format";
import { useEvent, useStore } from "../core/store";
import { t as text, useText } from "../core/text";
import { setView, withOwn } from "../core/view";
import type { Axis } from "../core/view_state";
import { IconButton } from "../widgets/icons";
import { Swatch } from "../widgets/swatch";
import { cursor } from "./cursor";
import { greatestFirst, nearestFirst, rowsAt } from "./cursor_rows";
import { isCrowd, liftLine, type Plot, prepare, type Style } from "./draw";
import { type Line, nearest } from "./line";

export function xText(axis: Axis, value: number): string {
  if (axis === "step") return formatCount(value);
  return axis === "relative" ? formatDuration(value) : formatTime(value);
}

function headOf(at: number, { axis, against }: Style): string {
  if (against) return `${keepEnd(against, 28)} ${formatValue(at, 6)}`;
  return axis === "step" ? text("stepAt", xText(axis, at)) : xText(axis, at);
}

interface CursorTableProps {
  lines: readonly Line[];
  at: number;
  style: Style;
  y: number;
  plot: Plot;
  place: { x: number; y: number };
}

const shownAtCursor = 15;

function CursorTable({ lines, at, style, y, plot, place }: CursorTableProps) {
  const t = useText();
  const rows = rowsAt(lines, at, (value) => Math.abs(plot.y.at(value) - y));
  rows.sort(nearestFirst);
  const more = rows.length - shownAtCursor;
  const left = place.x + 16 + 300 > innerWidth ? Math.max(4, place.x - 316) : place.x + 16;
  const stepShown = style.axis !== "step" || style.against;
  return (
    <div
      class="float"
      role="tooltip"
      style={{
        left: `${left}px`,
        top: `${Math.max(4, Math.min(place.y + 12, innerHeight - 60 - 18 * Math.min(shownAtCursor + 1, rows.length)))}px`,
      }}
    >
      <b>{headOf(at, style)}</b>
      <table>
        <tbody>
          {rows.slice(0, shownAtCursor).map((row, i) => (
            <tr key={`${row.line.label}`} class={i === 0 && row.distance < Infinity ? "near" : ""}>
              <td>
                <Swatch slot={row.line.slot} />
              </td>
              <td>{keepEnd(row.name, 28)}</td>
              <td class="number">{row.text}</td>
              <td class="number muted">
                {stepShown || row.elsewhere ? t("stepAt", formatCount(row.line.steps[row.i]!)) : ""}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {more > 0 && <span class="muted">{t("andMore", formatCount(more))}</span>}
    </div>
  );
}

const pinnedAtMost = 200;

/** The cursor's table after a click: it stays, and can be sorted and copied. */
function PinnedTable({
  lines,
  at,
  style,
  place,
  onClose,
}: Omit<CursorTableProps, "y" | "plot"> & { onClose: () => void }) {
  const t = useText();
  const [byName, setByName] = useState(false);
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => box.current?.focus(), []);
  const rows = rowsAt(lines, at);
  rows.sort(byName ? (a, b) => naturally(a.name, b.name) : greatestFirst);
  const copy = () =>
    void navigator.clipboard?.writeText(
      `run\tstep\tvalue\n${rows.map(({ name, line, i, value }) => `${name}\t${line.steps[i]}\t${value}`).join("\n")}\n`,
    );
  const head = (name: boolean, label: string) => (
    <th scope="col" aria-sort={byName === name ? (name ? "ascending" : "descending") : "none"}>
      <button type="button" class="plain" onClick={() => setByName(name)}>
        {label}
        {byName === name ? (name ? " ↑" : " ↓") : ""}
      </button>
    </th>
  );
  return (
    <div
      class="float pinned"
      ref={box}
      role="dialog"
      aria-label={t("valuesOf", headOf(at, style))}
      tabIndex={-1}
      style={{
        left: `${Math.max(4, Math.min(place.x + 16, innerWidth - 380))}px`,
        top: `${Math.max(4, Math.min(place.y + 12, innerHeight - 320))}px`,
      }}
      onKeyDown={(event) => {
        if (event.key === "Escape") onClose();
        else if (event.key === "c" && !event.ctrlKey && !event.metaKey) copy();
        else return;
        event.stopPropagation();
      }}
    >
      <header>
        <b>{headOf(at, style)}</b>
        <span>
          <IconButton name="copy" label={t("copy")} onClick={copy} />
          <IconButton name="close" label={t("close")} onClick={onClose} />
        </span>
      </header>
      <table class="data">
        <thead>
          <tr>
            {head(true, t("name"))}
            {head(false, t("value"))}
            <th scope="col">{t("step")}</th>
          </tr>
        </thead>
        <tbody>
          {rows.slice(0, pinnedAtMost).map((row) => (
            <tr key={row.line.label}>
              <td>
                <Swatch slot={row.line.slot} /> {keepEnd(row.name, 40)}
              </td>
              <td>{row.text}</td>
              <td>{formatCount(row.line.steps[row.i]!)}</td>
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

interface SurfaceProps {
  lines: readonly Line[];
  plot: Plot | null;
  style: Style;
  title: string;
  tag: string;
  onFull: () => void;
  onPin: () => void;
}
interface Drag {
  x: [number, number];
  y: [number, number];
  both: boolean;
}

/** Handles pointer, wheel and keys; draws the cursor and the dragged range. */
export function Surface({ lines, plot, style, title, tag, onFull, onPin }: SurfaceProps) {
  const t = useText();
  const at = useStore(cursor);
  const scheme = useStore(theme);
  const canvas = useRef<HTMLCanvasElement>(null);
  const box = useRef<HTMLDivElement>(null);
  const [drag, setDrag] = useState<Drag | null>(null);
  const [pinned, setPinned] = useState<{ at: number; x: number; y: number } | null>(null);
  const [place, setPlace] = useState<{ x: number; y: number; py: number } | null>(null);
  const marked = useRef(false);
  useEffect(() => {
    if (!plot || !canvas.current) return;
    // An empty canvas that stays empty is left alone, since each one that is cleared slows panning.
    const marks = drag !== null || (at !== null && at >= plot.x.lo && at <= plot.x.hi);
    if (!marks && !marked.current) return;
    marked.current = marks;
    const context = prepare(canvas.current, plot.width, plot.height);
    if (drag) {
      context.fillStyle = hue(scheme, 0);
      context.globalAlpha = 0.15;
      const [top, bottom] = drag.both
        ? [Math.min(...drag.y), Math.max(...drag.y)]
        : [plot.top, plot.bottom];
      context.fillRect(Math.min(...drag.x), top, Math.abs(drag.x[1] - drag.x[0]), bottom - top);
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
  // If another tag is the x axis there is no range to zoom into.
  const zoomTo = useEvent((range: [number, number], replace?: boolean) => {
    if (!style.against) setView({ range }, replace);
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
  const move = (direction: number) => {
    const longest = lines.reduce<Line | null>(
      (best, line) => (best && best.x.length >= line.x.length ? best : line),
      null,
    );
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
    else if (event.key === "p") onPin();
    else if (event.key === "Enter" && at !== null && place)
      setPinned({ at, x: place.x, y: place.y });
    else return;
    event.preventDefault();
  };
  const clampY = (y: number) => (plot ? Math.min(plot.bottom, Math.max(plot.top, y)) : y);
  const clampX = (x: number) => (plot ? Math.min(plot.right, Math.max(plot.left, x)) : x);
  const local = (event: PointerEvent) => {
    const bounds = box.current!.getBoundingClientRect();
    return { x: event.clientX - bounds.left, y: event.clientY - bounds.top };
  };
  return (
    <>
      <canvas ref={canvas} aria-hidden="true" />
      <div
        ref={box}
        class="surface"
        role="img"
        tabIndex={0}
        aria-label={title}
        onKeyDown={key}
        onBlur={() => {
          setPlace(null);
          cursor.set(null);
        }}
        onPointerDown={(event) => {
          if (event.button !== 0 || !plot) return;
          event.currentTarget.setPointerCapture(event.pointerId);
          const { x, y } = local(event);
          setDrag({ x: [clampX(x), clampX(x)], y: [clampY(y), clampY(y)], both: event.shiftKey });
        }}
        onPointerMove={(event) => {
          if (!plot) return;
          const { x, y } = local(event);
          if (drag) setDrag({ ...drag, x: [drag.x[0], clampX(x)], y: [drag.y[0], clampY(y)] });
          cursor.set(plot.x.invert(clampX(x)));
          setPlace({ x: event.clientX, y: event.clientY, py: y });
        }}
        onPointerUp={(event) => {
          if (drag && plot && Math.abs(drag.x[1] - drag.x[0]) > 4) {
            const ends = (pixels: [number, number], scale: typeof plot.x): [number, number] => {
              const [a, b] = pixels.map((pixel) => scale.invert(pixel)) as [number, number];
              return a < b ? [a, b] : [b, a];
            };
            // A range of values makes sense for one tag only, so its chart fills the page.
            if (drag.both && !style.against)
              setView({
                range: ends(drag.x, plot.x),
                own: withOwn("scalars", { rangeY: ends(drag.y, plot.y), full: tag }),
              });
            else zoomTo(ends(drag.x, plot.x));
          } else if (drag && plot && at !== null && !style.compact)
            setPinned({ at, x: event.clientX, y: event.clientY });
          setDrag(null);
        }}
        onPointerCancel={() => setDrag(null)}
        onPointerLeave={() => {
          setPlace(null);
          if (!drag) cursor.set(null);
        }}
        onDblClick={() => {
          setPinned(null);
          setView({ range: null, own: withOwn("scalars", { rangeY: null }) });
        }}
      />
      {pinned && plot && (
        <PinnedTable
          key={pinned.at}
          lines={lines}
          at={pinned.at}
          style={style}
          place={pinned}
          onClose={() => {
            setPinned(null);
            box.current?.focus();
          }}
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
