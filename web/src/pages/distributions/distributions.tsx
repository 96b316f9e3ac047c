// Distributions: a histogram tag over its steps, as ridges, overlaid, or as a heat map. The counts are the file's.
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import {
  drawDistribution,
  type Mode,
  type Placed,
  placePercentiles,
} from "../../chart/distribution";
import { prepare } from "../../chart/draw";
import { percentilesOf, shares } from "../../chart/percentiles";
import { getHistograms, getPlaces, getValue, type Histogram, toNumber } from "../../core/api";
import { hue, theme } from "../../core/colors";
import { recordHistogram } from "../../core/examples";
import { readFilter } from "../../core/filter";
import { csv, exactValue, formatCount, formatValue, keepEnd } from "../../core/format";
import { revision, runOf, selection, slots, tags } from "../../core/model";
import { fileName, savePng, saveText } from "../../core/save";
import { type OneSeries, seriesOf } from "../../core/series";
import { useSetting } from "../../core/setting";
import { useSize } from "../../core/size";
import { useLoaded, useStore } from "../../core/store";
import { useText } from "../../core/text";
import { setView, view } from "../../core/view";
import { IconButton } from "../../widgets/icons";
import { useMore } from "../../widgets/more";
import { Empty, Loading } from "../../widgets/notice";
import { placeOf, Stepper } from "../../widgets/stepper";
import { Swatch } from "../../widgets/swatch";
import { TagFilter } from "../../widgets/tag_filter";

const stepsAtMost = 200;

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

function histogramCsv(values: readonly Histogram[]): string {
  return csv([
    ["step", "time", "from", "to", "count"],
    ...values.flatMap((value) =>
      value.counts.map((count, k) => [
        value.step,
        value.time,
        Number(exactValue(value.edges[k]!)),
        value.edges[k + 1]!,
        count,
      ]),
    ),
  ]);
}

/** The values with one more among them, in the order of the steps. */
export function withStep(
  values: readonly Histogram[],
  one: Histogram | null,
): readonly Histogram[] {
  if (!one || !(one.counts?.length > 0) || values.some((value) => value.at === one.at))
    return values;
  const after = values.findIndex((value) => value.step > one.step);
  return after < 0 ? [...values, one] : [...values.slice(0, after), one, ...values.slice(after)];
}

function DistributionCard({ series, mode }: { series: OneSeries; mode: Mode }) {
  const t = useText();
  const { run, tag, rank } = series;
  const rounds = useStore(revision);
  const held = useStore(slots);
  const scheme = useStore(theme);
  const box = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const { width, height, visible } = useSize(box);
  const seen = useRef(false);
  seen.current ||= visible;
  const { data, error } = useLoaded(
    seen.current ? `${run} ${tag} ${rank} ${rounds}` : "",
    (signal) => getHistograms(run, tag, rank, stepsAtMost, signal),
  );
  const [chosen, setChosen] = useState(-1);
  const [place, setPlace] = useState<{ x: number; y: number; at: number | null } | null>(null);
  const [table, setTable] = useState(false);
  // Any recorded step: what is drawn of many is a part of them, and the one that was chosen comes to it.
  const [written, setWritten] = useSetting(`step ${tag} ${run} ${rank}`);
  const step = written === "" ? null : Number(written);
  const all = data !== null && data.values.length >= data.total;
  const { data: asked } = useLoaded(
    data && !all ? `${run} ${tag} ${rank} ${rounds}` : "",
    (signal) => getPlaces({ run, kind: "histogram", tag, rank }, signal),
  );
  const places = useMemo(
    () =>
      all
        ? {
            steps: data.values.map((value) => value.step),
            times: data.values.map((value) => value.time),
            at: data.values.map((value) => value.at ?? ""),
          }
        : asked,
    [all, data, asked],
  );
  const at = places && step !== null ? placeOf(places.steps, step) : -1;
  const recorded = places?.at[at];
  const { data: one } = useLoaded(
    recorded === undefined ? "" : `${run} ${tag} ${rank} ${recorded}`,
    async (signal) => {
      const value = await getValue<Histogram>(
        { run, kind: "histogram", tag, rank, at: recorded! },
        signal,
      );
      return { ...value, at: recorded!, edges: (value.edges ?? []).map(toNumber) };
    },
  );
  const values = useMemo(
    () =>
      withStep(
        (data?.values ?? []).filter((value) => value.counts?.length > 0),
        one,
      ),
    [data, one],
  );
  useEffect(() => {
    if (one) setChosen(values.findIndex((value) => value.at === one.at));
  }, [one, values]);
  const placed = useRef<Placed | null>(null);
  useEffect(() => {
    if (!canvas.current || width === 0 || values.length === 0) return;
    const context = prepare(canvas.current, width, height);
    const slot = held.get(run) ?? 0;
    placed.current =
      mode === "percentiles"
        ? placePercentiles(context, values, width, height, scheme, slot, chosen)
        : drawDistribution(context, values, mode, width, height, hue(scheme, slot), chosen);
  }, [values, mode, width, height, scheme, chosen, table]);
  const name = runOf(run)?.name ?? run;
  const move = (by: number) =>
    setChosen((old) =>
      Math.min(values.length - 1, Math.max(0, (old < 0 ? values.length - 1 : old) + by)),
    );
  const value = values[chosen];
  return (
    <article class="card" aria-label={`${tag}, ${name}`}>
      <header>
        <Swatch slot={held.get(run)} />
        <span title={name}>
          {keepEnd(name, 30)}
          {series.several ? ` #${rank}` : ""}
        </span>
        <span class="end">
          <span class="tools">
            <IconButton
              name="table"
              label={`${table ? t("showChart") : t("showTable")}: ${tag}, ${name}`}
              pressed={table}
              onClick={() => setTable(!table)}
            />
            <IconButton
              name="download"
              label={`${t("saveCsv")}: ${tag}, ${name}`}
              onClick={() => saveText(fileName(tag, "csv"), histogramCsv(values), "text/csv")}
            />
            <IconButton
              name="picture"
              label={`${t("savePng")}: ${tag}, ${name}`}
              disabled={table}
              onClick={() => savePng(fileName(tag, "png"), canvas.current!)}
            />
          </span>
          {data && (
            <span class="muted">
              {t("shownSteps", formatCount(data.values.length), formatCount(data.total))}
            </span>
          )}
        </span>
      </header>
      {table ? (
        <DistributionTable values={values} tag={tag} />
      ) : (
        <div class="chart" ref={box}>
          <canvas ref={canvas} aria-hidden="true" data-drawn={values.length > 0 ? "yes" : "no"} />
          {error && <span class="state danger">{t("failed", error.message)}</span>}
          {!data && !error && <span class="state">{t("loading")}…</span>}
          <div
            class="surface"
            role="img"
            tabIndex={0}
            aria-label={`${tag}, ${name}: ${value ? t("stepAt", formatCount(value.step)) : t("shownSteps", values.length, data?.total ?? 0)}`}
            onKeyDown={(event) => {
              if (event.key === "ArrowDown" || event.key === "ArrowRight") move(1);
              else if (event.key === "ArrowUp" || event.key === "ArrowLeft") move(-1);
              else return;
              event.preventDefault();
            }}
            onPointerMove={(event) => {
              if (!placed.current) return;
              const bounds = event.currentTarget.getBoundingClientRect();
              setChosen(
                Math.min(
                  values.length - 1,
                  Math.max(
                    0,
                    placed.current.hit(event.clientX - bounds.left, event.clientY - bounds.top),
                  ),
                ),
              );
              setPlace({
                x: event.clientX,
                y: event.clientY,
                at:
                  mode === "percentiles"
                    ? null
                    : placed.current.x.invert(event.clientX - bounds.left),
              });
            }}
            onPointerLeave={() => {
              setChosen(
                one && step !== null ? values.findIndex(({ at: its }) => its === one.at) : -1,
              );
              setPlace(null);
            }}
          />
          {place && value && <Bucket value={value} at={place.at} place={place} />}
        </div>
      )}
      {places && places.steps.length > 1 && (
        <Stepper
          places={places}
          at={at < 0 ? places.steps.length - 1 : at}
          label={`${tag}, ${name}`}
          onStep={(index) => setWritten(String(places.steps[index] ?? ""))}
        />
      )}
    </article>
  );
}

export function Distributions() {
  const t = useText();
  const { list, loaded } = useStore(tags);
  const selected = useStore(selection);
  const { filter, mode: written } = useStore(view);
  const mode: Mode =
    written === "heat" || written === "overlay" || written === "percentiles" ? written : "ridges";
  const rule = readFilter(filter);
  const histograms = list.filter((tag) => tag.kind === "histogram");
  const matching = histograms.filter((tag) => rule.matches(tag.tag));
  const { shown, end } = useMore(matching.length, 12, filter);
  if (!loaded) return <Loading />;
  if (histograms.length === 0) return <Empty title={t("noDistributions")} code={recordHistogram} />;
  return (
    <>
      <div class="bar" role="group" aria-label={t("distributions")}>
        <TagFilter error={rule.error} />
        {(["ridges", "overlay", "heat", "percentiles"] as const).map((name) => (
          <button
            key={name}
            type="button"
            aria-pressed={mode === name}
            onClick={() => setView({ mode: name === "ridges" ? "" : name })}
          >
            {t(name)}
          </button>
        ))}
      </div>
      {matching.length === 0 && !rule.error && <Empty title={t("noTagMatch", filter)} />}
      <div class="sections">
        {matching.slice(0, shown).map((tag) => {
          const all = seriesOf(tag, selected);
          return (
            <section key={tag.tag} aria-label={tag.tag} class={all.length > 1 ? "several" : ""}>
              <div class="group">
                <h2 class="mono" title={tag.tag}>
                  {tag.tag}
                </h2>
              </div>
              <div class="cards">
                {all.map((series) => (
                  <DistributionCard
                    key={`${series.run} ${series.rank}`}
                    series={series}
                    mode={mode}
                  />
                ))}
              </div>
            </section>
          );
        })}
      </div>
      {end}
    </>
  );
}
