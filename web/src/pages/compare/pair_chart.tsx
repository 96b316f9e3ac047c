// The curves of a tag in two runs, and below them their ratio on the same axis of steps.
import { useEffect, useMemo, useRef } from "preact/hooks";
import { Surface } from "../../chart/chart_surface";
import { drawPlot, layOut, type Plot, prepare, type Style } from "../../chart/draw";
import { type Line, toLine } from "../../chart/line";
import type { ComparedRank, ComparedTag } from "../../core/api_compare";
import { getSeries, type Series, type SeriesRequest } from "../../core/api_series";
import { theme } from "../../core/colors";
import { formatCount } from "../../core/format";
import { revision, runOf, slots } from "../../core/model";
import { useSize } from "../../core/size";
import { useLoaded, useStore } from "../../core/store";
import { useText } from "../../core/text";
import { view } from "../../core/view";
import type { Range } from "../../core/view_state";
import { Swatch } from "../../widgets/swatch";

/** The slots of the two runs; those that are not selected get free ones. */
function useSlots(a: string, b: string): readonly [number, number] {
  const held = useStore(slots);
  const ofA = held.get(a) ?? 0;
  const ofB = held.get(b) ?? ofA + 1;
  return [ofA, ofB === ofA ? ofA + 1 : ofB];
}

/** The steps that both charts show; null: there are none. */
function stepsOf(lines: readonly Line[]): Range | null {
  const ends = lines.flatMap(({ steps }) => (steps.length > 0 ? [steps[0]!, steps.at(-1)!] : []));
  const [lo, hi] = [Math.min(...ends), Math.max(...ends)];
  return lo < hi ? [lo, hi] : null;
}

interface PanelProps {
  lines: readonly Line[];
  plot: Plot | null;
  style: Style;
  title: string;
  tag: string;
  width: number;
  height: number;
}

function Panel({ lines, plot, style, title, tag, width, height }: PanelProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const scheme = useStore(theme);
  useEffect(() => {
    if (!canvas.current || width === 0) return;
    const context = prepare(canvas.current, width, height);
    if (plot) drawPlot(context, plot, lines, style, scheme);
    canvas.current.dataset.drawn = plot ? "yes" : "no";
  }, [plot, lines, style, scheme, width, height]);
  return (
    <>
      <canvas ref={canvas} aria-hidden="true" />
      <Surface
        lines={lines}
        plot={plot}
        style={style}
        title={title}
        tag={tag}
        onFull={() => {}}
        onPin={() => {}}
      />
    </>
  );
}

interface PairProps {
  a: string;
  b: string;
  tag: ComparedTag;
  rank: ComparedRank;
}

/** The lines of A, of B, and of their ratio, as far as they are there. */
function usePair({ a, b, tag, rank }: PairProps, width: number, range: Range | null) {
  const [slotA, slotB] = useSlots(a, b);
  const round = useStore(revision);
  const t = useText();
  const ofA: SeriesRequest = { run: a, tag: tag.tag, rank: rank.rank };
  const ofB: SeriesRequest = { run: b, tag: tag.tag_b, rank: rank.rank_b };
  const requests = [ofA, ofB, { ...ofB, over: ofA }];
  const columns = Math.max(100, Math.round(width - 60));
  const [from, to] = range ?? [null, null];
  const key = width === 0 ? "" : JSON.stringify([requests, from, to, columns, round]);
  const loaded = useLoaded(key, () =>
    getSeries(requests, { axis: "step", from, to, columns, times: false }),
  );
  const { data } = loaded;
  const ratioName = t("ratioOf", tag.tag);
  const lines = useMemo(() => {
    const line = (series: Series | undefined, label: string, slot: number) =>
      (series && toLine(series, "step", 0, label, slot, 0)) ?? [];
    const name = (side: string, run: string) => `${side} ${runOf(run)?.name ?? run}`;
    return {
      both: data
        ? [line(data[0], name("A", a), slotA), line(data[1], name("B", b), slotB)].flat()
        : null,
      ratio: data ? [line(data[2], ratioName, slotB)].flat() : null,
    };
  }, [data, a, b, slotA, slotB, ratioName]);
  return { ...loaded, ...lines, slotA, slotB };
}

export function PairChart(props: PairProps) {
  const { a, b, tag, rank } = props;
  const t = useText();
  const box = useRef<HTMLDivElement>(null);
  const below = useRef<HTMLDivElement>(null);
  const { width, height } = useSize(box);
  const { height: low } = useSize(below);
  const now = useStore(view);
  // The range of the page is one of steps only if its axis is.
  const chosen = now.axis === "step" ? now.range : null;
  const { both, ratio, error, loading, slotA, slotB } = usePair(props, width, chosen);
  const leaves = rank.verdict === "leaves" ? rank.leaves?.step : undefined;
  const word = t("leavesHere");
  const { log } = now;
  const plots = useMemo(() => {
    const range = chosen ?? stepsOf(both ?? []);
    const mark = leaves === undefined ? null : { at: leaves, word };
    const style: Style = { axis: "step", log, range, compact: false, mark };
    const styleBelow: Style = {
      ...style,
      log: false,
      levels: [1],
      mark: mark && { ...mark, word: "" },
    };
    const place = (lines: readonly Line[] | null, tall: number, how: Style, leastLeft = 0) =>
      lines && width > 0 && tall > 0 ? layOut(lines, width, tall, { ...how, leastLeft }) : null;
    const leastLeft = Math.max(
      place(both, height, style)?.left ?? 0,
      place(ratio, low, styleBelow)?.left ?? 0,
    );
    return {
      style,
      styleBelow,
      above: place(both, height, style, leastLeft),
      below: place(ratio, low, styleBelow, leastLeft),
    };
  }, [both, ratio, width, height, low, chosen, leaves, word, log]);
  const title = (text: string) =>
    leaves === undefined ? text : `${text}, ${t("leavesAt", formatCount(leaves))}`;
  const several = tag.ranks.length > 1 ? ` · ${t("rankNumber", rank.rank)}` : "";
  return (
    <article class="card pair" aria-label={t("curvesOf", tag.tag)} aria-busy={loading}>
      <header>
        <h2 class="tag">
          {tag.tag}
          {several}
        </h2>
        <span class="end pair-key">
          <span>
            <Swatch slot={slotA} /> A {runOf(a)?.name ?? a}
          </span>
          <span>
            <Swatch slot={slotB} /> B {runOf(b)?.name ?? b}
          </span>
        </span>
      </header>
      {error && <p class="danger">{t("failed", error.message)}</p>}
      <div class="chart" ref={box}>
        <Panel
          lines={both ?? []}
          plot={plots.above}
          style={plots.style}
          title={title(t("curvesOf", tag.tag))}
          tag={tag.tag}
          width={width}
          height={height}
        />
        {!both && !error && <span class="state">{t("loading")}…</span>}
      </div>
      <h3>{t("ratioOf", tag.tag)}</h3>
      <div class="chart ratio" ref={below}>
        <Panel
          lines={ratio ?? []}
          plot={plots.below}
          style={plots.styleBelow}
          title={title(t("ratioOf", tag.tag))}
          tag={tag.tag}
          width={width}
          height={low}
        />
        {ratio?.length === 0 && <span class="state">{t("noRatio")}</span>}
      </div>
    </article>
  );
}
