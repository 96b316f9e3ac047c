// A chart of one scalar tag over the selected runs.
import type { RefObject } from "preact";
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { getSeries, type SeriesRequest } from "../core/api_series";
import { theme } from "../core/colors";
import { csv, exactValue, formatValue } from "../core/format";
import { groupOfRank, selection, slotsOfGroups, tags } from "../core/model";
import { fileName, savePng, saveText } from "../core/save";
import { requestsOf } from "../core/series";
import { useSize } from "../core/size";
import { useEvent, useStore } from "../core/store";
import { t as text, useText } from "../core/text";
import { inTurn } from "../core/turns";
import { setOwn, setView, view } from "../core/view";
import { type Axis, defaultView, isCounted, type View } from "../core/view_state";
import { xText } from "./axis_text";
import { ChartHeader, notesOf, type Shown, Tools } from "./chart_header";
import {
  axisOfServer,
  heldAsColumns,
  labelsOf,
  noCurves,
  smoothColumns,
  useLines,
} from "./chart_lines";
import { Surface } from "./chart_surface";
import { groupLines, linesAgainst } from "./derived";
import { drawPlot, labelFont, layOut, type Plot, plotSvg, prepare, type Style } from "./draw";
import { CurveLegend } from "./legend";
import { type Line, toLine } from "./line";
import { ChartOptions } from "./options";
import { RankHeatMap } from "./rank_heat";
import { RankNotes } from "./rank_notes";
import { RankTable } from "./rank_table";
import { StatisticsTable } from "./statistics_table";
import { ValueTable } from "./value_table";

/**
 * `beside`: tags on the same axis whose requests are among the others. `curves`: the tags, if `tag`
 * is their main tag. `bySamples`: the same values by samples, for that axis.
 */
export interface ChartProps {
  tag: string;
  requests: readonly SeriesRequest[];
  bySamples?: { tag: string; requests: readonly SeriesRequest[] } | undefined;
  beside?: readonly string[];
  curves?: readonly string[] | undefined;
  compact?: boolean;
}

/**
 * The lines as CSV. A row is a point, or a column of the range with its least and greatest value.
 */
export function linesCsv(lines: readonly Line[], axis: Axis = "step"): string {
  const rows: (string | number)[][] = [
    ["run", "rank", axis === "samples" ? axis : "step", "time", "count", "value", "min", "max"],
  ];
  for (const line of lines) {
    for (let i = 0; i < line.x.length; i++) {
      rows.push([
        line.label,
        line.rank,
        line.steps[i]!,
        line.times[i]!,
        line.count?.[i] ?? 1,
        exactValue(line.last[i]!),
        exactValue(line.lo[i]!),
        exactValue(line.hi[i]!),
      ]);
    }
  }
  return csv(rows.map((row) => row.map((field, i) => (i > 0 ? rawNumber(field) : field))));
}

function rawNumber(field: string | number): string | number {
  const number = Number(field);
  return typeof field === "string" && field !== "" && Number.isFinite(number) ? number : field;
}

const noRequests: readonly SeriesRequest[] = [];

/** The series on the x axis. A chart that has none by samples, or a second tag, is by steps. */
function onAxis(
  { tag, requests, bySamples }: ChartProps,
  { axis, range }: Pick<View, "axis" | "range">,
  alone: boolean,
) {
  if (axis !== "samples") return { tag, requests, axis, range };
  if (bySamples && alone) return { ...bySamples, axis, range };
  return { tag, requests, axis: "step" as const, range: null };
}

/** The chart's lines and how they are shown. */
function useChart(props: ChartProps, width: number, visible: boolean) {
  const { tag, compact = false } = props;
  const all = useStore(view);
  const now = compact ? defaultView : all;
  const own = now.own.scalars;
  const full = !compact && own.full === tag;
  const scalars = useStore(tags).list;
  const chosen = useStore(selection);
  const requestsFor = (name: string) => {
    const found =
      full && name !== ""
        ? scalars.find((one) => one.kind === "scalar" && one.tag === name)
        : undefined;
    return found ? requestsOf(found, chosen) : noRequests;
  };
  const { smoothing, group, newest } = now;
  const against = requestsFor(own.against).length > 0 ? own.against : "";
  const asked = onAxis(props, now, against === "" && !(full && own.second));
  const { axis } = asked;
  const range = against ? null : asked.range;
  const points = group !== "" || against !== "";
  // Means are of every rank, and ranks share no times.
  const banded = !points && isCounted(axis) && own.ranks !== "lines";
  const curves = props.curves ?? noCurves;
  const main = useLines(
    { ...asked, curves, range, smoothing, points, newest, banded },
    width,
    visible,
  );
  const right = useLines(
    {
      tag: own.second,
      requests: against ? noRequests : requestsFor(own.second),
      axis,
      range,
      smoothing: 0,
      points: false,
      newest,
      banded,
    },
    width,
    visible,
  );
  const over = useLines(
    {
      tag: against,
      requests: against ? requestsFor(against) : noRequests,
      axis,
      range,
      smoothing: 0,
      points: true,
      newest,
      banded: false,
    },
    width,
    visible,
  );
  const lines = useMemo(() => {
    if (!main.lines || (against && !over.lines)) return null;
    const joined = against ? linesAgainst(main.lines, over.lines!) : main.lines;
    if (!group) return joined;
    return groupLines(
      joined,
      ({ run, rank }) => groupOfRank(run, rank, group),
      slotsOfGroups(group),
      smoothing,
    );
  }, [main.lines, over.lines, against, group, smoothing]);
  const levels = useMemo(
    () =>
      compact ? [] : now.levels.filter((level) => level.tag === tag).map(({ value }) => value),
    [compact, now.levels, tag],
  );
  const { log, logX, clip } = now;
  const rangeY = full ? own.rangeY : null;
  const resumedWord = useText()("resumed");
  const shown = main.axis;
  const style = useMemo<Style>(
    () => ({
      axis: shown,
      log,
      range,
      compact,
      against,
      levels,
      logX,
      clip,
      rangeY,
      resumedWord,
    }),
    [shown, log, range, compact, against, levels, logX, clip, rangeY, resumedWord],
  );
  const second = right.lines ?? noLines;
  return {
    now,
    asked,
    full,
    style,
    lines,
    second,
    /** What is known of the ranks of runs that have many, of each tag. */
    ranks: main.ranks,
    error: main.error ?? right.error ?? over.error,
    loading: main.loading || right.loading || over.loading,
    /** Whether means and pairs were computed from columns rather than points. */
    rough: points && (main.columned || over.columned),
  };
}

type ChartState = ReturnType<typeof useChart>;

const noLines: readonly Line[] = [];

/**
 * Draws after each of the `changes`: at once, or one chart a turn, since the strokes of twenty
 * lines become pixels when the turn ends and take longer than all else. A chart that waits keeps
 * its turn and draws what is newest then.
 */
function useDrawing(
  canvas: RefObject<HTMLCanvasElement>,
  draw: () => void,
  atOnce: boolean,
  changes: readonly unknown[],
): void {
  const newest = useEvent(draw);
  const queued = useRef(false);
  useLayoutEffect(() => {
    if (canvas.current) canvas.current.dataset.drawn = "no";
  }, [canvas, ...changes]);
  useEffect(() => {
    if (atOnce) newest();
    else if (!queued.current) {
      queued.current = true;
      inTurn(() => {
        queued.current = false;
        newest();
        return true;
      });
    }
  }, [newest, atOnce, ...changes]);
}

/** Saves the values of all requests in the range. */
async function saveCsv({ asked, now: { newest } }: ChartState): Promise<void> {
  const { tag, requests, axis } = asked;
  const [from, to] = asked.range ?? [null, null];
  const range = { axis: axisOfServer(axis), from, to, columns: smoothColumns, times: true, newest };
  const series = await getSeries(requests, range);
  const label = labelsOf(requests, tag);
  const all = series.flatMap((one) => toLine(one, axis, 0, label(one), 0, 0) ?? []);
  saveText(fileName(tag, "csv"), linesCsv(all, axis), "text/csv");
}

function titleOf({ tag, requests }: ChartProps, chart: ChartState, plot: Plot | null): string {
  const { lines, style } = chart;
  const ends = plot
    ? [plot.x.lo, plot.x.hi].map((end) =>
        style.against ? formatValue(end) : xText(style.axis, end),
      )
    : ["–", "–"];
  // A mean is of several lines, and several lines may be ranks of one run.
  const means = lines?.filter((line) => line.members) ?? noLines;
  const count =
    means.length > 0
      ? means.reduce((sum, line) => sum + line.members!.runs, 0)
      : lines && new Set(lines.map(({ run }) => run)).size;
  return text("chartOf", tag, count ?? requests.length, ...ends);
}

export function LineChart(props: ChartProps) {
  const { tag, beside = [], curves = noCurves, compact = false } = props;
  const t = useText();
  const scheme = useStore(theme);
  const box = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const { width, height, visible } = useSize(box);
  const chart = useChart(props, width, visible);
  const { now, full, style, lines, second, error, loading, rough } = chart;
  const { asked } = chart;
  const manyRanks = compact
    ? []
    : chart.ranks.filter((of) => of.tag === asked.tag).map(({ run }) => run);
  const how = manyRanks.length > 0 ? now.own.scalars.ranks : "";
  const [from, to] = (isCounted(asked.axis) && asked.range) || [null, null];
  const ranksRange = { from, to, columns: Math.max(20, width) };
  const [shown, setShown] = useState<Shown>("");
  const plot = useMemo(
    () => (lines && width > 0 ? layOut(lines, width, height, style, second) : null),
    [lines, second, width, height, style],
  );
  const draw = () => {
    if (!canvas.current || width === 0) return;
    const context = prepare(canvas.current, width, height);
    if (plot && lines) drawPlot(context, plot, lines, style, scheme, second);
    canvas.current.dataset.drawn = plot ? "yes" : "no";
  };
  useDrawing(canvas, draw, !lines, [plot, lines, scheme, width, height, shown]);
  const onFull = () => setOwn("scalars", { full: full ? "" : tag, rangeY: null });
  const pinned = now.pins.includes(tag);
  const onPin = () =>
    setView({ pins: pinned ? now.pins.filter((other) => other !== tag) : [...now.pins, tag] });
  const onSvg = () => {
    const context = canvas.current!.getContext("2d")!;
    context.font = labelFont;
    const measure = (label: string) => context.measureText(label).width;
    const name = [tag, ...beside].join(", ");
    const svg = plotSvg(plot!, lines!, style, scheme, second, name, measure);
    saveText(fileName(tag, "svg"), svg, "image/svg+xml");
  };
  // The box stays when a table replaces the chart, since requests depend on its size.
  const surface = (
    <div class="chart" ref={box}>
      {shown === "values" && lines ? (
        <ValueTable lines={lines} axis={style.axis} tag={tag} />
      ) : shown === "statistics" && lines ? (
        <StatisticsTable lines={lines} tag={tag} />
      ) : how === "table" ? (
        <RankTable runs={manyRanks} tag={asked.tag} range={ranksRange} />
      ) : how === "heat" ? (
        <RankHeatMap
          run={manyRanks[0]!}
          tag={asked.tag}
          range={ranksRange}
          several={new Set(lines?.map(({ run }) => run)).size > 1}
          width={width}
          height={height}
        />
      ) : (
        <>
          <canvas ref={canvas} aria-hidden="true" />
          {error && !lines && <span class="state danger">{t("failed", error.message)}</span>}
          {!lines && !error && <span class="state">{t("loading")}…</span>}
          {lines && !plot && !loading && <span class="state">–</span>}
          <Surface
            lines={lines ?? noLines}
            plot={plot}
            style={style}
            title={titleOf(props, chart, plot)}
            tag={tag}
            onFull={onFull}
            onPin={onPin}
          />
        </>
      )}
    </div>
  );
  if (compact) return surface;
  const mains = lines?.filter((line) => !line.beside) ?? noLines;
  const columned =
    rough || (now.smoothing > 0 && lines?.some((line) => line.smoothed && !line.exact) === true);
  return (
    <article class={`card${full ? " full" : ""}`} aria-label={tag} aria-busy={loading}>
      <ChartHeader
        tag={tag}
        beside={beside}
        full={full}
        notes={notesOf(plot, columned)}
        last={mains.length === 1 ? mains[0]!.last.at(-1) : undefined}
      >
        <Tools
          tag={tag}
          shown={shown}
          csvExact={!lines?.some(heldAsColumns)}
          drawn={shown === "" && how !== "table" && how !== "heat" && plot !== null}
          pinned={pinned}
          full={full}
          onShow={(what) => setShown(shown === what ? "" : what)}
          onCsv={() => void saveCsv(chart)}
          onPng={() => savePng(fileName(tag, "png"), picture(canvas.current!, tag))}
          onSvg={onSvg}
          onPin={onPin}
          onFull={onFull}
        />
      </ChartHeader>
      {asked.axis !== "samples" && <RankNotes found={chart.ranks} tag={tag} />}
      {curves.length > 0 && <CurveLegend curves={curves} tag={tag} lines={lines ?? noLines} />}
      {full && <ChartOptions tag={tag} />}
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
