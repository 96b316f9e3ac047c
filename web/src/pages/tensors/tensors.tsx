// Tensors: any recorded step, NumPy-like slices, colours, statistics, npy.
import { useEffect, useRef, useState } from "preact/hooks";
import {
  exportedKind,
  getNpy,
  getPlaces,
  getTensor,
  getTensorHistogram,
  getTensorStats,
  type Histogram,
  type Place,
  type TagOfRuns,
  type TensorStats,
} from "../../core/api";
import { css, divergingOf, inkOn, viridisOf } from "../../core/colors";
import { recordTensor } from "../../core/examples";
import { readFilter } from "../../core/filter";
import { exactValue, formatCount, formatValue, keepEnd } from "../../core/format";
import { get } from "../../core/http";
import { revision, runOf, selection, slots, tags } from "../../core/model";
import { fileName, saveBlob } from "../../core/save";
import { type OneSeries, seriesOf } from "../../core/series";
import { useSetting, useSwitch } from "../../core/setting";
import { useSize } from "../../core/size";
import { useLoaded, useStore } from "../../core/store";
import { useText } from "../../core/text";
import { useOwn, view } from "../../core/view";
import { DifferenceChoice, isRun, otherOf } from "../../widgets/difference_choice";
import { useMore } from "../../widgets/more";
import { Empty, Failed, Loading } from "../../widgets/notice";
import { placeOf, Stepper, spotOf } from "../../widgets/stepper";
import { Swatch } from "../../widgets/swatch";
import { TagFilter } from "../../widgets/tag_filter";
import { type Comparison, compare, indexOf } from "./compare";

const rowsAtMost = 64;
const columnsAtMost = 32;

/** The default slice: as much of the first matrix as a table can show. */
export function firstSlice(shape: readonly number[]): string {
  if (shape.length === 0) return "";
  const parts = shape.map((size, i) => {
    const fromEnd = shape.length - i;
    if (fromEnd > 2) return "0";
    const most = fromEnd === 1 ? (shape.length === 1 ? rowsAtMost * 8 : columnsAtMost) : rowsAtMost;
    return size > most ? `:${most}` : ":";
  });
  return `[${parts.join(", ")}]`;
}

/**
 * The table of a slice: the last dimension goes across, the others go down. A vector has eight
 * values in a row.
 */
export function tableOf(shape: readonly number[], size: number): { rows: number; columns: number } {
  if (shape.length === 0) return { rows: Math.min(1, size), columns: 1 };
  if (shape.length === 1) return { rows: Math.ceil(size / 8), columns: Math.min(8, size) };
  const columns = shape[shape.length - 1]!;
  return { rows: columns > 0 ? size / columns : 0, columns };
}

/** `most`: the greatest difference if differences are shown, or else null. */
function Grid({
  stats,
  data,
  colored,
  most,
}: {
  stats: TensorStats;
  data: Float64Array;
  colored: boolean;
  most: number | null;
}) {
  const t = useText();
  const shape = stats.sliced ?? stats.shape;
  const { rows, columns } = tableOf(shape, data.length);
  const [r, c] = [Math.min(rows, rowsAtMost), Math.min(columns, columnsAtMost)];
  const span = stats.max - stats.min;
  return (
    <>
      {(r < rows || c < columns) && <p class="muted">{t("cutOff", r, rows, c, columns)}</p>}
      <div class="grid-wrap" tabIndex={0} role="region" aria-label={t("showTable")}>
        <table class="tensor">
          <thead>
            <tr>
              <th scope="col">
                <span class="hidden-text">{t("shape")}</span>
              </th>
              {Array.from({ length: c }, (_, i) => (
                <th key={i} scope="col">
                  {i}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {Array.from({ length: r }, (_, j) => (
              <tr key={j}>
                <th scope="row">{shape.length === 1 ? j * columns : j}</th>
                {Array.from({ length: c }, (_, i) => {
                  const at = j * columns + i;
                  if (at >= data.length) return <td key={i} />;
                  const value = data[at]!;
                  if (!Number.isFinite(value))
                    return (
                      <td key={i} class="danger">
                        {formatValue(value)}
                      </td>
                    );
                  const color =
                    most === null
                      ? viridisOf(span > 0 ? (value - stats.min) / span : 0.5)
                      : divergingOf(most > 0 ? value / most : 0);
                  return (
                    <td
                      key={i}
                      title={exactValue(value)}
                      style={
                        colored
                          ? { background: css(color), color: inkOn(color) }
                          : { background: "", color: "" }
                      }
                    >
                      {formatValue(value)}
                    </td>
                  );
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}

function Facts({ stats }: { stats: TensorStats }) {
  const t = useText();
  const facts: [string, string][] = [
    [t("shape"), `[${stats.shape.join(", ")}]`],
    [t("dtype"), stats.dtype],
    [t("slice"), `[${(stats.sliced ?? stats.shape).join(", ")}]`],
    [t("minOf"), formatValue(stats.min, 6)],
    [t("maxOf"), formatValue(stats.max, 6)],
    [t("mean"), formatValue(stats.mean, 6)],
    [t("std"), formatValue(stats.std, 6)],
    ["NaN", formatCount(stats.nan ?? 0)],
    ["∞", formatCount((stats.positive_inf ?? 0) + (stats.negative_inf ?? 0))],
  ];
  return (
    <div class="facts">
      {facts.map(([name, value]) => (
        <span key={name}>
          <span class="muted">{name}</span> <b>{value}</b>
        </span>
      ))}
    </div>
  );
}

function Differs({ found, shape }: { found: Comparison; shape: readonly number[] }) {
  const t = useText();
  if (found.unequal === 0) return <p role="status">{t("tensorsEqual")}</p>;
  return (
    <p role="status">
      {t(
        "tensorsDiffer",
        formatCount(found.unequal),
        formatCount(found.by.length),
        formatValue(found.most, 6),
        indexOf(found.mostAt, shape),
        formatValue(found.relative, 4),
        indexOf(found.first, shape),
      )}
    </p>
  );
}

/** The histogram of a slice. */
function Bars({ place, slice }: { place: Place; slice: string }) {
  const t = useText();
  const { data, error } = useLoaded(`${JSON.stringify(place)}${slice}`, (signal) =>
    getTensorHistogram(place, slice, signal),
  );
  if (error) return <Failed error={error} />;
  if (!data || data.counts.length === 0) return null;
  const { edges, counts }: Histogram = data;
  const [lo, hi] = [edges[0]!, edges[edges.length - 1]!];
  const most = Math.max(1, ...counts);
  const x = (value: number) => (hi > lo ? ((value - lo) / (hi - lo)) * 600 : 0);
  return (
    <svg
      class="bars-of"
      viewBox="0 0 600 112"
      role="img"
      aria-label={t("bucket", formatValue(lo), formatValue(hi), formatCount(data.count ?? 0))}
    >
      {counts.map((count, i) => (
        <rect
          key={i}
          x={x(edges[i]!)}
          y={96 - (count / most) * 92}
          width={Math.max(1, (hi > lo ? x(edges[i + 1]!) - x(edges[i]!) : 600) - 1)}
          height={(count / most) * 92}
        >
          <title>
            {t("bucket", formatValue(edges[i]!), formatValue(edges[i + 1]!), formatCount(count))}
          </title>
        </rect>
      ))}
      <text x="0" y="109">
        {formatValue(lo)}
      </text>
      <text x="600" y="109" text-anchor="end">
        {formatValue(hi)}
      </text>
    </svg>
  );
}

function TensorCard({
  series,
  colored,
  bars,
  against,
}: {
  series: OneSeries;
  colored: boolean;
  bars: boolean;
  against: string;
}) {
  const t = useText();
  const { run, tag, rank, kind } = series;
  const held = useStore(slots);
  const rounds = useStore(revision);
  const [{ step: wanted }, change] = useOwn("tensors");
  const box = useRef<HTMLElement>(null);
  const { seen } = useSize(box);
  const { data: places, error } = useLoaded(
    seen ? `${kind}\n${run}\n${tag}\n${rank}\n${rounds}` : "",
    (signal) => getPlaces({ run, kind, tag, rank }, signal),
  );
  const at = places ? placeOf(places.steps, wanted) : -1;
  const place: Place = { run, kind, tag, rank, at: places?.at[at] ?? "" };
  const key = places && at >= 0 ? JSON.stringify(place) : "";
  const whole = useLoaded(key, (signal) => getTensorStats(place, signal));
  const [kept, keep] = useSetting(`slice ${tag} ${run} ${rank}`);
  const [written, setWritten] = useState(kept);
  const slice = kept || (whole.data ? firstSlice(whole.data.shape) : "");
  const loaded = whole.data !== null;
  useEffect(() => {
    if (loaded) setWritten(slice);
  }, [loaded, slice]);
  const ready =
    key !== "" && whole.data !== null && (slice !== "" || whole.data.shape.length === 0);
  const { data, error: refused } = useLoaded(ready ? `${key}${slice}` : "", (signal) =>
    getTensor(place, slice, signal),
  );
  const its = useLoaded(
    seen && isRun(against, run) ? `${against}\n${tag}\n${rank}\n${rounds}` : "",
    (signal) => getPlaces({ run: against, kind, tag, rank }, signal),
  );
  const other = places && at >= 0 ? otherOf(series, places, at, against, its.data) : null;
  const compared = useLoaded(ready && other ? JSON.stringify([other, slice]) : "", (signal) =>
    getTensor(other!, slice, signal),
  );
  const found = other && data && compared.data ? compare(data.data, compared.data.data) : null;
  const sliced = data ? (data.stats.sliced ?? data.stats.shape) : [];
  const name = runOf(run)?.name ?? run;
  const label = `${nameOf(tag)}, ${name}`;
  return (
    <article class="card" ref={box} aria-label={label}>
      <header>
        <Swatch slot={held.get(run)} />
        <span title={name}>
          {keepEnd(name, 40)}
          {series.several ? ` #${rank}` : ""}
        </span>
        <span class="end">
          <label>
            {t("slice")}{" "}
            <input
              type="text"
              class="mono"
              aria-label={`${t("slice")}: ${label}`}
              title={t("sliceHint")}
              value={written}
              onInput={(event) => setWritten(event.currentTarget.value)}
              onChange={(event) => keep(event.currentTarget.value.trim())}
            />
          </label>
          <button
            type="button"
            disabled={!data}
            onClick={() =>
              void getNpy(place, slice).then((blob) => saveBlob(fileName(nameOf(tag), "npy"), blob))
            }
          >
            {t("saveNpy")}
          </button>
        </span>
      </header>
      {error && !places && <Failed error={error} />}
      {whole.error && <Failed error={whole.error} />}
      {refused && <Failed error={refused} />}
      {!data && !error && !refused && !whole.error && <Loading />}
      {data && <Facts stats={data.stats} />}
      {data && bars && <Bars place={place} slice={slice} />}
      {other && compared.error && <Failed error={compared.error} />}
      {other && data && compared.data && !found && (
        <p class="warning">
          {t(
            "otherSize",
            `[${sliced.join(", ")}]`,
            `[${(compared.data.stats.sliced ?? compared.data.stats.shape).join(", ")}]`,
          )}
        </p>
      )}
      {found && <Differs found={found} shape={sliced} />}
      {data && (
        <Grid
          stats={data.stats}
          data={found?.by ?? data.data}
          colored={colored}
          most={found ? found.most : null}
        />
      )}
      {places && places.steps.length > 0 && (
        <Stepper
          places={places}
          at={at}
          label={label}
          onStep={(index) =>
            places.steps[index] !== undefined && change({ step: spotOf(places.steps, index) }, true)
          }
        />
      )}
    </article>
  );
}

/** The .npy files of the selected runs, as tags. */
function useExported(selected: readonly string[]): TagOfRuns[] {
  const { data } = useLoaded(selected.slice(0, 20).join("\n"), async (signal) => {
    const tags = new Map<string, TagOfRuns>();
    await Promise.all(
      selected.slice(0, 20).map(async (run) => {
        for (const { folder, tag } of (await get("exported", { run }, signal)).tensors) {
          const key = `${folder}\n${tag}`;
          const known = tags.get(key) ?? { kind: exportedKind, tag: key, ranks: [0], runs: [] };
          tags.set(key, { ...known, runs: [...known.runs, run] });
        }
      }),
    );
    return [...tags.values()].sort((a, b) =>
      a.tag.localeCompare(b.tag, undefined, { numeric: true }),
    );
  });
  return data ?? [];
}

/** The tag without an exported tensor's folder. */
const nameOf = (tag: string) => tag.slice(tag.indexOf("\n") + 1);

export function Tensors() {
  const t = useText();
  const { list, loaded } = useStore(tags);
  const selected = useStore(selection);
  const { filter } = useStore(view);
  const [{ against, bars }, change] = useOwn("tensors");
  const [colored, setColored] = useSwitch("colours", true);
  const rule = readFilter(filter);
  const tensors = [...list.filter((tag) => tag.kind === "tensor"), ...useExported(selected)];
  const matching = tensors.filter((tag) => rule.matches(nameOf(tag.tag)));
  const { shown, end } = useMore(matching.length, 6, filter);
  if (!loaded) return <Loading />;
  if (tensors.length === 0) return <Empty title={t("noTensors")} code={recordTensor} />;
  return (
    <>
      <div class="bar" role="group" aria-label={t("tensors")}>
        <TagFilter error={rule.error} />
        <button type="button" aria-pressed={colored} onClick={() => setColored(!colored)}>
          {t("colour")}
        </button>
        <button type="button" aria-pressed={bars} onClick={() => change({ bars: !bars })}>
          {t("histogram")}
        </button>
        <DifferenceChoice
          against={against}
          selected={selected}
          onChange={(next) => change({ against: next })}
        />
      </div>
      {matching.length === 0 && !rule.error && <Empty title={t("noTagMatch", filter)} />}
      {matching.slice(0, shown).map((tag) => (
        <section key={`${tag.kind} ${tag.tag}`} aria-label={nameOf(tag.tag)}>
          <div class="group">
            <h2 class="mono">{nameOf(tag.tag)}</h2>
            {tag.kind === exportedKind && (
              <span class="muted">{t("npyOf", tag.tag.split("\n")[0]!)}</span>
            )}
          </div>
          {seriesOf(tag, selected).map((series) => (
            <TensorCard
              key={`${series.run} ${series.rank}`}
              series={series}
              colored={colored}
              bars={bars}
              against={against}
            />
          ))}
        </section>
      ))}
      {end}
    </>
  );
}
