// A chart of one scalar tag over the selected runs.
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { getSeries, type SeriesWish } from "../api";
import { hue, theme } from "../colors";
import { csv, exactValue, formatCount, formatDuration, formatTime, formatValue, keepEnd } from "../format";
import { revision, runOf, slots } from "../model";
import { IconButton } from "../parts/icons";
import { Swatch } from "../parts/runs_table";
import { useLoaded, useStore } from "../store";
import { useText } from "../text";
import { setView, view, type Axis, type View } from "../view";
import { cursor } from "./cursor";
import { drawPlot, layOut, prepare, type Look, type Plot } from "./draw";
import { nearest, toLine, type Line } from "./line";
import { fileName, savePng, saveText } from "./save";
import { useSize } from "./size";
import { ValueTable } from "./value_table";

// With this many columns points come exact up to twice as many: what is smoothed, or saved as CSV, are then the values
// themselves.
export const smoothColumns = 10000;

export interface ChartProps { tag: string; wishes: readonly SeriesWish[]; compact?: boolean }

export function xText(axis: Axis, value: number): string {
  if (axis === "step") return formatCount(value);
  return axis === "relative" ? formatDuration(value) : formatTime(value);
}

function labelOf(wish: SeriesWish, wishes: readonly SeriesWish[]): string {
  const name = runOf(wish.run)?.name ?? wish.run;
  return wishes.some((other) => other.run === wish.run && other.rank !== wish.rank) ? `${name} #${wish.rank}` : name;
}

/** Loads what the chart shows; the old lines stay until the new ones are there. */
function useLines({ tag, wishes }: ChartProps, now: View, width: number, visible: boolean) {
  const held = useStore(slots);
  const rounds = useStore(revision);
  const { axis, range, smoothing } = now;
  const columns = smoothing > 0 ? smoothColumns : Math.max(100, Math.round(width - 60));
  const key = width > 0 ? JSON.stringify([tag, wishes, axis, range, columns, rounds]) : "";
  const shown = useRef("");
  if (visible || shown.current === "") shown.current = visible ? key : "";
  const loaded = useLoaded(shown.current, () =>
    getSeries(wishes, { axis, from: range?.[0] ?? null, to: range?.[1] ?? null, columns }).then((series) => ({ series, axis })));
  const lines = useMemo(() => {
    if (!loaded.data) return null;
    return loaded.data.series.flatMap((series) => {
      const slot = held.get(series.run);
      if (slot === undefined) return [];
      const line = toLine(series, loaded.data!.axis, runOf(series.run)?.first_time ?? 0, labelOf(series, wishes), slot, smoothing);
      return line ? [line] : [];
    });
  }, [loaded.data, held, smoothing]);
  return { ...loaded, lines, axis: loaded.data?.axis ?? axis };
}

interface CursorTableProps { lines: readonly Line[]; at: number; axis: Axis; y: number; plot: Plot; place: { x: number; y: number } }

/** What every line has at the cursor, sorted as the lines lie there. */
function CursorTable({ lines, at, axis, y, plot, place }: CursorTableProps) {
  const t = useText();
  const rows = lines
    .map((line) => ({ line, i: nearest(line.x, at) }))
    .filter(({ i }) => i >= 0)
    .map(({ line, i }) => {
      const many = line.count !== null && line.count[i]! > 1;
      const value = line.smoothed ? line.smoothed[i]! : line.last[i]!;
      const text = many && !line.smoothed ? `${formatValue(line.lo[i]!)} … ${formatValue(line.hi[i]!)}` : formatValue(value, 6);
      return { line, text, value, step: line.steps[i]!, distance: Math.abs(plot.y.at(value) - y) };
    })
    .sort((a, b) => b.value - a.value);
  const near = rows.reduce<number>((best, row, i) => (row.distance < (rows[best]?.distance ?? Infinity) ? i : best), 0);
  const left = place.x + 16 + 300 > innerWidth ? Math.max(4, place.x - 316) : place.x + 16;
  const first = Math.max(0, Math.min(near - 7, rows.length - 15));
  return (
    <div class="float" role="tooltip" style={{ left: `${left}px`, top: `${Math.max(4, Math.min(place.y + 12, innerHeight - 60 - 18 * Math.min(15, rows.length)))}px` }}>
      <b>{axis === "step" ? t("stepAt", xText(axis, at)) : xText(axis, at)}</b>
      <table>
        <tbody>
          {rows.slice(first, first + 15).map((row, i) => (
            <tr key={`${row.line.run} ${row.line.rank}`} class={first + i === near ? "near" : ""}>
              <td><Swatch slot={row.line.slot} /></td><td>{keepEnd(row.line.label, 28)}</td><td class="number">{row.text}</td>
              <td class="number muted">{axis === "step" ? "" : t("stepAt", formatCount(row.step))}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function zoomed(plot: Plot, factor: number, around: number): [number, number] {
  const { lo, hi } = plot.x;
  return [around - (around - lo) * factor, around + (hi - around) * factor];
}

interface SurfaceProps { lines: readonly Line[]; plot: Plot | null; look: Look; title: string; onFull: () => void }

/** What reacts: pointer, wheel and keys; draws the cursor and the range that is being dragged. */
function Surface({ lines, plot, look, title, onFull }: SurfaceProps) {
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
    if (lines.length > 100) return;
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
  useEffect(() => {
    // The wheel scrolls the page, and zooms only with Ctrl: the browser must then be told not to zoom itself.
    const wheel = (event: WheelEvent) => {
      if (!event.ctrlKey || !plot) return;
      event.preventDefault();
      const x = plot.x.invert(event.offsetX);
      setView({ range: zoomed(plot, event.deltaY > 0 ? 1.25 : 0.8, x) }, true);
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
    else if (event.key === "+" || event.key === "=") setView({ range: zoomed(plot, 0.5, middle) });
    else if (event.key === "-") setView({ range: zoomed(plot, 2, middle) });
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
            setView({ range: [ends[0]!, ends[1]!] });
          }
          setDrag(null);
        }}
        onPointerCancel={() => setDrag(null)}
        onPointerLeave={() => { setPlace(null); if (!drag) cursor.set(null); }}
        onDblClick={() => setView({ range: null })} />
      {place && plot && at !== null && lines.length > 0 && <CursorTable lines={lines} at={at} axis={look.axis} y={place.py} plot={plot} place={place} />}
      {plot?.bad.marks.length ? <span class="hidden-text">{t("notFinite", plot.bad.nan + plot.bad.infinite)}</span> : null}
    </>
  );
}

/** Whether a line has more points than are ever asked for exactly: its CSV holds columns. */
export function heldAsColumns(line: Line): boolean {
  return line.inRange > 2 * smoothColumns;
}

/** All that is held of the lines, as CSV: a row a point, or a column of the range with its least and greatest value. */
export function linesCsv(lines: readonly Line[]): string {
  const rows: (string | number)[][] = [["run", "rank", "step", "time", "count", "value", "min", "max"]];
  for (const line of lines) {
    for (let i = 0; i < line.x.length; i++) {
      rows.push([line.label, line.rank, line.steps[i]!, line.times[i]!, line.count?.[i] ?? 1, exactValue(line.last[i]!), exactValue(line.lo[i]!), exactValue(line.hi[i]!)]);
    }
  }
  return csv(rows.map((row) => row.map((field, i) => (i > 0 ? rawNumber(field) : field))));
}

function rawNumber(field: string | number): string | number {
  const number = Number(field);
  return typeof field === "string" && field !== "" && Number.isFinite(number) ? number : field;
}

export function LineChart(props: ChartProps) {
  const t = useText();
  const { tag, wishes, compact = false } = props;
  const now = useStore(view);
  const scheme = useStore(theme);
  const box = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const { width, height, visible } = useSize(box);
  const { lines, axis, loading, error } = useLines(props, compact ? { ...now, smoothing: 0, range: null, log: false, axis: "step" } : now, width, visible);
  const look: Look = { axis, log: !compact && now.log, range: compact ? null : now.range, compact };
  const [table, setTable] = useState(false);
  const plot = useMemo(() => (lines && width > 0 ? layOut(lines, width, height, look) : null), [lines, width, height, look.axis, look.log, look.range]);
  useEffect(() => {
    if (!canvas.current || width === 0) return;
    const context = prepare(canvas.current, width, height);
    if (plot && lines) drawPlot(context, plot, lines, look, scheme);
  }, [plot, lines, scheme, width, height, table]);
  const full = !compact && now.full === tag;
  const onFull = () => setView({ full: full ? "" : tag });
  const title = t("chartOf", tag, lines?.length ?? wishes.length, plot ? xText(axis, plot.x.lo) : "–", plot ? xText(axis, plot.x.hi) : "–");
  const csvOfAll = async () => {
    const { range } = now;
    const series = await getSeries(wishes, { axis: now.axis, from: range?.[0] ?? null, to: range?.[1] ?? null, columns: smoothColumns });
    const all = series.flatMap((one) => toLine(one, now.axis, 0, labelOf(one, wishes), 0, 0) ?? []);
    saveText(fileName(tag, "csv"), linesCsv(all), "text/csv");
  };
  // The box stays when the table takes the chart's place: its size is what the lines are asked for by.
  const surface = (
    <div class="chart" ref={box}>
      {table && lines ? <ValueTable lines={lines} axis={axis} tag={tag} /> : (
        <>
          <canvas ref={canvas} aria-hidden="true" data-drawn={plot ? "yes" : "no"} />
          {error && !lines && <span class="state danger">{t("failed", error.message)}</span>}
          {!lines && !error && <span class="state">{t("loading")}…</span>}
          {lines && !plot && !loading && <span class="state">–</span>}
          <Surface lines={lines ?? []} plot={plot} look={look} title={title} onFull={onFull} />
        </>
      )}
    </div>
  );
  if (compact) return surface;
  const only = lines?.length === 1 ? lines[0] : undefined;
  const lastValue = only?.last[only.last.length - 1];
  const csvExact = !lines?.some(heldAsColumns);
  const columned = now.smoothing > 0 && lines?.some((line) => !line.exact);
  return (
    <article class={`card${full ? " full" : ""}`} aria-label={tag} aria-busy={loading}>
      <header>
        <h3 class="tag" title={tag}>{keepEnd(tag, full ? 120 : 44)}</h3>
        {plot && plot.bad.nan > 0 && <span class="danger">{t("nanMarks", formatCount(plot.bad.nan))}</span>}
        {plot && plot.bad.infinite > 0 && <span class="danger">{t("infMarks", formatCount(plot.bad.infinite))}</span>}
        {columned && <span class="muted">{t("smoothedColumns", formatCount(smoothColumns))}</span>}
        <span class="end">
          <span class="tools">
            <IconButton name="table" label={`${table ? t("showChart") : t("showTable")}: ${tag}`} pressed={table} onClick={() => setTable(!table)} />
            <IconButton name="download" label={`${t("saveCsv")}: ${tag}${csvExact ? "" : `; ${t("csvColumns", formatCount(smoothColumns))}`}`} onClick={() => void csvOfAll()} />
            <IconButton name="picture" label={`${t("savePng")}: ${tag}`} disabled={table} onClick={() => savePng(fileName(tag, "png"), picture(canvas.current!, tag))} />
            <IconButton name={full ? "shrink" : "grow"} label={`${full ? t("leaveFull") : t("fullScreen")}: ${tag}`} onClick={onFull} />
          </span>
          {lastValue !== undefined && <b>{formatValue(lastValue)}</b>}
        </span>
      </header>
      {surface}
    </article>
  );
}

/** The chart as it is drawn, on the page's background and under its tag. */
function picture(drawn: HTMLCanvasElement, tag: string): HTMLCanvasElement {
  const ratio = drawn.width / drawn.clientWidth;
  const whole = document.createElement("canvas");
  whole.width = drawn.width;
  whole.height = drawn.height + 28 * ratio;
  const context = whole.getContext("2d")!;
  const style = getComputedStyle(document.body);
  context.fillStyle = style.backgroundColor;
  context.fillRect(0, 0, whole.width, whole.height);
  context.fillStyle = style.color;
  context.font = `${13 * ratio}px ${style.fontFamily}`;
  context.fillText(tag, 10 * ratio, 19 * ratio);
  context.drawImage(drawn, 0, 28 * ratio);
  return whole;
}
