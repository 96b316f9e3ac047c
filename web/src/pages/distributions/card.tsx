// The card of one series of histograms: its chart or table, and the slider over its steps.
import type { ComponentChildren, RefObject } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { drawDistribution, type Mode, type Placed } from "../../chart/distribution";
import { prepare } from "../../chart/draw";
import { percentilesOf, shares } from "../../chart/percentiles";
import type { Histogram } from "../../core/api";
import { hue, theme } from "../../core/colors";
import { formatCount, formatValue, keepEnd } from "../../core/format";
import { runOf, slots } from "../../core/model";
import { fileName, savePng, saveText } from "../../core/save";
import type { OneSeries } from "../../core/series";
import { useSize } from "../../core/size";
import { useStore } from "../../core/store";
import { useText } from "../../core/text";
import { IconButton } from "../../widgets/icons";
import { Stepper } from "../../widgets/stepper";
import { Swatch } from "../../widgets/swatch";
import { histogramCsv, notDrawn, useHistograms, whyNotDrawn } from "./histograms";

const shareName = (share: number) =>
  share === 0 ? "min" : share === 1 ? "max" : `${share * 100} %`;

function Bucket({
  value,
  at,
  place,
}: {
  value: Histogram;
  at: number | null;
  place: { x: number; y: number };
}) {
  const t = useText();
  const k =
    at === null
      ? -1
      : value.edges.findIndex(
          (edge, i) => i < value.counts.length && at >= edge && at < value.edges[i + 1]!,
        );
  const parts = at === null ? percentilesOf(value) : null;
  return (
    <div
      class="float"
      role="tooltip"
      style={{ left: `${Math.min(place.x + 14, innerWidth - 260)}px`, top: `${place.y + 14}px` }}
    >
      <b>{t("stepAt", formatCount(value.step))}</b>
      {k >= 0 && (
        <div>
          {t(
            "bucket",
            formatValue(value.edges[k]!),
            formatValue(value.edges[k + 1]!),
            formatCount(value.counts[k]!),
          )}
        </div>
      )}
      {parts?.map((part, i) => (
        <div key={i}>
          <span class="muted">{shareName(shares[i]!)}</span> {formatValue(part)}
        </div>
      ))}
      <div class="muted">
        {t("elements", formatCount(value.count ?? value.counts.reduce((a, b) => a + b, 0)))}
      </div>
    </div>
  );
}

const inner = shares.slice(1, -1);

function DistributionTable({ values, tag }: { values: readonly Histogram[]; tag: string }) {
  const t = useText();
  return (
    <div class="values" tabIndex={0} role="region" aria-label={t("valuesOf", tag)}>
      <table class="data">
        <thead>
          <tr>
            <th scope="col">{t("step")}</th>
            <th scope="col">{t("count")}</th>
            <th scope="col">{t("minOf")}</th>
            <th scope="col">{t("maxOf")}</th>
            {inner.map((share) => (
              <th key={share} scope="col">
                {shareName(share)}
              </th>
            ))}
            <th scope="col">NaN</th>
          </tr>
        </thead>
        <tbody>
          {values.map((value, i) => (
            <tr key={i}>
              <td>{formatCount(value.step)}</td>
              <td>{formatCount(value.count ?? value.counts.reduce((a, b) => a + b, 0))}</td>
              <td>{value.min === undefined ? "–" : formatValue(Number(value.min))}</td>
              <td>{value.max === undefined ? "–" : formatValue(Number(value.max))}</td>
              {(percentilesOf(value, inner) ?? inner.map(() => NaN)).map((part, k) => (
                <td key={k}>{Number.isNaN(part) ? "–" : formatValue(part)}</td>
              ))}
              <td>{value.nan ?? 0}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface ChartProps {
  canvas: RefObject<HTMLCanvasElement>;
  values: readonly Histogram[];
  /** The number of recorded steps. */
  total: number;
  mode: Mode;
  color: string;
  label: string;
  /** Shown while there is nothing to draw. */
  children: ComponentChildren;
  /** The index of the histogram to highlight unless another is pointed at; -1: none. */
  chosen: number;
}

const within = (values: readonly unknown[], i: number) =>
  Math.min(values.length - 1, Math.max(0, i));

/** Draws the histograms. The pointer or the arrow keys highlight one. */
function Chart({ canvas, values, total, mode, color, label, children, chosen }: ChartProps) {
  const t = useText();
  const box = useRef<HTMLDivElement>(null);
  const { width, height } = useSize(box);
  const [pointed, setPointed] = useState(-1);
  const [place, setPlace] = useState<{ x: number; y: number; at: number | null } | null>(null);
  const placed = useRef<Placed | null>(null);
  useEffect(() => setPointed(-1), [chosen]);
  const shown = pointed < 0 ? chosen : within(values, pointed);
  useEffect(() => {
    if (!canvas.current || width === 0 || values.length === 0) return;
    const context = prepare(canvas.current, width, height);
    const picture = { context, values, width, height, color, chosen: shown };
    placed.current = drawDistribution(picture, mode);
  }, [canvas, values, mode, width, height, color, shown]);
  const move = (by: number) =>
    setPointed(within(values, (shown < 0 ? values.length - 1 : shown) + by));
  const point = (event: PointerEvent) => {
    if (!placed.current) return;
    const bounds = (event.currentTarget as Element).getBoundingClientRect();
    const [x, y] = [event.clientX - bounds.left, event.clientY - bounds.top];
    setPointed(within(values, placed.current.hit(x, y)));
    const at = mode === "percentiles" ? null : placed.current.x.invert(x);
    setPlace({ x: event.clientX, y: event.clientY, at });
  };
  const value = values[shown];
  return (
    <div class="chart" ref={box}>
      <canvas ref={canvas} aria-hidden="true" data-drawn={values.length > 0 ? "yes" : "no"} />
      {children}
      <div
        class="surface"
        role="img"
        tabIndex={0}
        aria-label={`${label}: ${value ? t("stepAt", formatCount(value.step)) : t("shownSteps", values.length, total)}`}
        onKeyDown={(event) => {
          if (event.key === "ArrowDown" || event.key === "ArrowRight") move(1);
          else if (event.key === "ArrowUp" || event.key === "ArrowLeft") move(-1);
          else return;
          event.preventDefault();
        }}
        onPointerMove={point}
        onPointerLeave={() => {
          setPointed(-1);
          setPlace(null);
        }}
      />
      {place && value && <Bucket value={value} at={place.at} place={place} />}
    </div>
  );
}

interface HeaderProps {
  series: OneSeries;
  data: { values: readonly unknown[]; total: number } | null;
  table: boolean;
  onTable: () => void;
  onCsv: () => void;
  onPng: () => void;
}

function Header({ series, data, table, onTable, onCsv, onPng }: HeaderProps) {
  const t = useText();
  const { run, tag, rank, several } = series;
  const held = useStore(slots);
  const name = runOf(run)?.name ?? run;
  const label = `${tag}, ${name}`;
  const other = table ? t("showChart") : t("showTable");
  return (
    <header>
      <Swatch slot={held.get(run)} />
      <span title={name}>
        {keepEnd(name, 30)}
        {several ? ` #${rank}` : ""}
      </span>
      <span class="end">
        <span class="tools">
          <IconButton name="table" label={`${other}: ${label}`} pressed={table} onClick={onTable} />
          <IconButton name="download" label={`${t("saveCsv")}: ${label}`} onClick={onCsv} />
          <IconButton
            name="picture"
            label={`${t("savePng")}: ${label}`}
            disabled={table}
            onClick={onPng}
          />
        </span>
        {data && (
          <span class="muted">
            {t("shownSteps", formatCount(data.values.length), formatCount(data.total))}
          </span>
        )}
      </span>
    </header>
  );
}

/** Which histograms are not drawn, and why; above all the one at the slider. */
function NotDrawn({ histograms }: { histograms: ReturnType<typeof useHistograms> }) {
  const t = useText();
  const { data, current, unread } = histograms;
  if (!data) return null;
  const here = unread ? t("histogramUnread", unread.message) : current ? whyNotDrawn(current) : "";
  const step = formatCount(current?.step ?? 0);
  const of = formatCount(data.values.length);
  return (
    <>
      {here && (
        <p class="danger" role="status">
          {unread || data.total === 1 ? here : t("atStepWhy", step, here)}
        </p>
      )}
      {data.total > 1 &&
        notDrawn(data.values).map(({ count, why }) => (
          <p key={why} class="muted">
            {count === 1 ? t("notDrawnOne", of, why) : t("notDrawn", formatCount(count), of, why)}
          </p>
        ))}
    </>
  );
}

export function DistributionCard({ series, mode }: { series: OneSeries; mode: Mode }) {
  const t = useText();
  const { run, tag } = series;
  const slot = useStore(slots).get(run) ?? 0;
  const color = hue(useStore(theme), slot);
  const box = useRef<HTMLElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const histograms = useHistograms(series, useSize(box).seen);
  const { data, error, values, places, index, chosen, goTo } = histograms;
  const [table, setTable] = useState(false);
  const label = `${tag}, ${runOf(run)?.name ?? run}`;
  return (
    <article class="card" ref={box} aria-label={label}>
      <Header
        series={series}
        data={data}
        table={table}
        onTable={() => setTable(!table)}
        onCsv={() => saveText(fileName(tag, "csv"), histogramCsv(values), "text/csv")}
        onPng={() => savePng(fileName(tag, "png"), canvas.current!)}
      />
      {table ? (
        <DistributionTable values={values} tag={tag} />
      ) : (
        <Chart
          canvas={canvas}
          values={values}
          total={data?.total ?? 0}
          mode={mode}
          color={color}
          label={label}
          chosen={chosen}
        >
          {error && <span class="state danger">{t("failed", error.message)}</span>}
          {!data && !error && <span class="state">{t("loading")}…</span>}
        </Chart>
      )}
      <NotDrawn histograms={histograms} />
      {places && places.steps.length > 1 && (
        <Stepper
          places={places}
          at={index < 0 ? places.steps.length - 1 : index}
          label={label}
          onStep={goTo}
        />
      )}
    </article>
  );
}
