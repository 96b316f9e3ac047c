// The ranks of a run and its steps as a heat map of their distances from the median.
import { useEffect, useRef, useState } from "preact/hooks";
import { getRankHeat, type RankHeat, type RanksRange } from "../core/api_ranks";
import { css, divergingEnds, readTokens, type Theme, theme } from "../core/colors";
import { formatCount, formatValue } from "../core/format";
import { revision, runOf } from "../core/model";
import { useEvent, useLoaded, useStore } from "../core/store";
import { useText } from "../core/text";
import { labelFont, prepare } from "./draw";
import { percent } from "./rank_notes";

const left = 52;
const bottom = 22;
const top = 6;
const right = 12;

/** The distance of a cell's value from its median as a fraction; NaN if there is none. */
export function distanceOf({ value, median }: RankHeat, cell: number): number {
  const [x, m] = [value[cell]!, median[cell]!];
  if (x === m) return 0;
  return Number.isFinite(x) && m !== 0 ? (x - m) / Math.abs(m) : NaN;
}

/** The distance that has the full colour: what 99 % of the cells stay below, but at least 5 %. */
export function scaleOf(heat: RankHeat): number {
  const sizes = Float64Array.from(heat.value, (_, cell) => Math.abs(distanceOf(heat, cell)))
    .filter(Number.isFinite)
    .sort();
  return Math.max(0.05, sizes[Math.floor(0.99 * (sizes.length - 1))] ?? 0);
}

/** The steps of a column, the first and the last. */
export function stepsOf({ from, to, columns, steps }: RankHeat, column: number): [number, number] {
  if (steps) return [steps[column]!, steps[column]!];
  const width = (to - from + 1) / columns;
  const begin = from + Math.ceil(column * width);
  return [begin, Math.max(begin, from + Math.ceil((column + 1) * width) - 1)];
}

function colorOf(distance: number, scale: number, scheme: Theme): string {
  const share = Math.min(1, Math.abs(distance) / scale);
  const { middle, below, above } = divergingEnds[scheme];
  const end = distance < 0 ? below : above;
  const mix = (k: 0 | 1 | 2) => Math.round(middle[k] + (end[k] - middle[k]) * share);
  return css([mix(0), mix(1), mix(2)]);
}

function draw(
  canvas: HTMLCanvasElement,
  heat: RankHeat,
  width: number,
  height: number,
  scheme: Theme,
): void {
  const context = prepare(canvas, width, height);
  const tokens = readTokens();
  const scale = scaleOf(heat);
  const { columns, rows } = heat;
  const [w, h] = [(width - left - right) / columns, (height - top - bottom) / rows.length];
  // Whole pixels of the screen, since those in part would show as lines between the cells.
  const ratio = context.getTransform().a;
  const edge = (at: number) => Math.round(at * ratio) / ratio;
  for (let cell = 0; cell < columns * rows.length; cell++) {
    if (heat.recorded[cell] === 0) continue;
    const distance = distanceOf(heat, cell);
    context.fillStyle = Number.isNaN(distance) ? tokens.text : colorOf(distance, scale, scheme);
    const [x, y] = [left + (cell % columns) * w, top + Math.floor(cell / columns) * h];
    context.fillRect(edge(x), edge(y), edge(x + w) - edge(x), edge(y + h) - edge(y));
  }
  context.font = labelFont;
  context.fillStyle = tokens.muted;
  context.textBaseline = "middle";
  context.textAlign = "right";
  const each = Math.max(1, Math.ceil(14 / h));
  rows.forEach(([first, last], i) => {
    if (i % each === 0)
      context.fillText(
        first === last ? `${first}` : `${first}–${last}`,
        left - 6,
        top + (i + 0.5) * h,
      );
  });
  context.textBaseline = "top";
  context.textAlign = "left";
  context.fillText(formatCount(heat.from), left, height - bottom + 6);
  context.textAlign = "right";
  context.fillText(formatCount(heat.to), width - right, height - bottom + 6);
}

/** A heat map of ranks and steps. Pointing at a cell shows its values, in the words of `format`. */
export function HeatCanvas(props: {
  heat: RankHeat | undefined;
  label: string;
  width: number;
  height: number;
  format?: (value: number) => string;
}) {
  const { heat, label, width, height, format = (value) => formatValue(value, 6) } = props;
  const scheme = useStore(theme);
  const canvas = useRef<HTMLCanvasElement>(null);
  const [place, setPlace] = useState<{ x: number; y: number; cell: number } | null>(null);
  const newest = useEvent(() => {
    if (canvas.current && heat && width > 0) draw(canvas.current, heat, width, height, scheme);
    if (canvas.current) canvas.current.dataset.drawn = heat ? "yes" : "no";
  });
  useEffect(() => newest(), [newest, heat, width, height, scheme]);
  const point = (event: PointerEvent) => {
    if (!heat) return;
    const bounds = canvas.current!.getBoundingClientRect();
    const column = Math.floor(
      ((event.clientX - bounds.left - left) / (width - left - right)) * heat.columns,
    );
    const row = Math.floor(
      ((event.clientY - bounds.top - top) / (height - top - bottom)) * heat.rows.length,
    );
    const inside = column >= 0 && column < heat.columns && row >= 0 && row < heat.rows.length;
    setPlace(
      inside ? { x: event.clientX, y: event.clientY, cell: row * heat.columns + column } : null,
    );
  };
  return (
    <>
      <canvas
        ref={canvas}
        role="img"
        aria-label={label}
        onPointerMove={point}
        onPointerLeave={() => setPlace(null)}
      />
      {heat && place && <CellText heat={heat} place={place} format={format} />}
    </>
  );
}

export function RankHeatMap(props: {
  run: string;
  tag: string;
  range: RanksRange;
  several: boolean;
  width: number;
  height: number;
}) {
  const { run, tag, range, several, width, height } = props;
  const t = useText();
  const key = JSON.stringify([run, tag, range.from, range.to, useStore(revision)]);
  const { data, error } = useLoaded(key, (signal) => getRankHeat(run, tag, range, signal));
  const heat = data?.shown;
  return (
    <>
      <HeatCanvas heat={heat} label={t("heatOf", tag)} width={width} height={height} />
      {!heat && (
        <span class="state">{error ? t("failed", error.message) : `${t("loading")}…`}</span>
      )}
      {heat && (
        <span class="heat-key muted" title={t("heatKey", percent(scaleOf(heat)))}>
          {several ? `${runOf(run)?.name ?? run} ` : ""}±{percent(scaleOf(heat))} <b>■</b> NaN
        </span>
      )}
    </>
  );
}

function CellText({
  heat,
  place,
  format,
}: {
  heat: RankHeat;
  place: { x: number; y: number; cell: number };
  format: (value: number) => string;
}) {
  const t = useText();
  const { cell } = place;
  const [first, last] = heat.rows[Math.floor(cell / heat.columns)]!;
  const [from, to] = stepsOf(heat, cell % heat.columns).map(formatCount);
  const distance = distanceOf(heat, cell);
  return (
    <div
      class="float"
      role="tooltip"
      style={{
        left: `${Math.max(4, Math.min(place.x + 16, innerWidth - 280))}px`,
        top: `${Math.max(4, Math.min(place.y + 12, innerHeight - 80))}px`,
      }}
    >
      <b>
        {t("rankNumber", first === last ? first : `${first}–${last}`)}
        {t("listComma")}
        {t("stepAt", from === to ? from! : `${from}–${to}`)}
      </b>
      <div>
        {heat.recorded[cell] === 0
          ? t("nothingRecorded")
          : t("valueAndMedian", format(heat.value[cell]!), format(heat.median[cell]!))}
        {Number.isFinite(distance) && distance !== 0
          ? `${t("listComma")}${distance > 0 ? "+" : "−"}${percent(distance)}`
          : ""}
      </div>
    </div>
  );
}
