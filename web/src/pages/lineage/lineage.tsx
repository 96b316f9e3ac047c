// Lineage: parallel coordinates over the settings and results of runs. A brush filters the table
// below.
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { LineageTable } from "../../core/api";
import { css, hue, theme, viridisOf } from "../../core/colors";
import { recordLineage } from "../../core/examples";
import { csv, formatCount, formatValue, keepEnd, lineageText } from "../../core/format";
import { get } from "../../core/http";
import { revision, runOf, runs, select, selection, slots } from "../../core/model";
import { toQuery } from "../../core/query";
import { saveText } from "../../core/save";
import { useSetting } from "../../core/setting";
import { useSize } from "../../core/size";
import { useEvent, useLoaded, useStore } from "../../core/store";
import { useText } from "../../core/text";
import { useOwn, view } from "../../core/view";
import { Empty, Failed, Loading } from "../../widgets/notice";
import { Swatch } from "../../widgets/swatch";
import {
  type AxisOf,
  axisOf,
  kept,
  type Row,
  readBrushes,
  shareOn,
  ticksOf,
  withScalars,
  writeBrush,
} from "./axes";
import { bestOf, compareValues, faultOf, lessIsBetter } from "./best";
import { Datasets } from "./datasets";
import { type Importances, importanceOf, runsAtLeast } from "./importance";
import { Scatter, Spread } from "./plots";

const axesAtFirst = 8;
const linesAtMost = 2000;
const rowsAtMost = 500;
const height = 300;
const top = 34;
const bottom = height - 14;

/** The default objective: the least value of the scalar that most runs have as objective. */
export function objectiveOf(
  list: readonly { objective?: string }[],
  keys: readonly string[],
): string {
  const counts = new Map<string, number>();
  for (const { objective } of list)
    if (objective) counts.set(objective, (counts.get(objective) ?? 0) + 1);
  const [most] = [...counts].sort((a, b) => b[1] - a[1]);
  const key = most ? `min(${most[0]})` : "";
  return keys.includes(key) ? key : "";
}

// Fewer values have no distribution worth a picture.
const plottedFrom = 3;

// Fewer runs keep their own colours.
const ownColoursAtMost = 12;

interface PlotProps {
  rows: readonly Row[];
  axes: readonly AxisOf[];
  shown: readonly number[];
  objective: number;
  byObjective: boolean;
  brushes: ReadonlyMap<string, readonly [number, number]>;
  onBrush: (key: string, brush: [number, number] | null) => void;
}

function Parallel({ rows, axes, shown, objective, byObjective, brushes, onBrush }: PlotProps) {
  const t = useText();
  const scheme = useStore(theme);
  const held = useStore(slots);
  const box = useRef<HTMLDivElement>(null);
  const drag = useRef<{ key: string; from: number } | null>(null);
  const { width } = useSize(box);
  const inner = Math.max(width, shown.length * 118);
  const x = (i: number) => 50 + (shown.length > 1 ? (i / (shown.length - 1)) * (inner - 130) : 0);
  const y = (share: number) => bottom - share * (bottom - top);
  const inside = new Set(kept(rows, axes, shown, brushes).map((row) => row.run));
  const shareAt = (event: PointerEvent) => {
    const bounds = box.current!.getBoundingClientRect();
    return Math.min(1, Math.max(0, (bottom - (event.clientY - bounds.top)) / (bottom - top)));
  };
  const lines = rows.slice(0, linesAtMost).map((row) => {
    let path = "";
    let open = false;
    shown.forEach((column, i) => {
      const share = shareOn(axes[column]!, row.values[column]);
      if (Number.isNaN(share)) open = false;
      else {
        // A value alone is a dot: a line without a length.
        path += `${open ? "L" : "M"}${x(i).toFixed(1)} ${y(share).toFixed(1)}${open ? "" : "h0"}`;
        open = true;
      }
    });
    const slot = held.get(row.run);
    const share =
      objective >= 0 && byObjective ? shareOn(axes[objective]!, row.values[objective]) : NaN;
    const color = Number.isNaN(share)
      ? slot === undefined
        ? "currentcolor"
        : hue(scheme, slot)
      : css(viridisOf(scheme === "dark" ? 0.25 + 0.75 * share : 0.85 * share));
    return { row, path, color, inside: inside.has(row.run), slot };
  });
  return (
    <div ref={box} class="grid-wrap" tabIndex={0} role="region" aria-label={t("lineage")}>
      <svg width={inner} height={height} role="group" aria-label={t("brushHint")}>
        {lines.map(({ row, path, color, inside: within, slot }) => (
          <path
            key={row.run}
            d={path}
            fill="none"
            stroke-linecap="round"
            stroke={within ? color : "currentcolor"}
            stroke-width={slot === undefined ? 1.25 : 2}
            opacity={within ? 0.9 : 0.08}
          >
            <title>{runOf(row.run)?.name ?? row.run}</title>
          </path>
        ))}
        {shown.map((column, i) => {
          const axis = axes[column]!;
          const brush = brushes.get(axis.key);
          return (
            <g key={axis.key}>
              <line x1={x(i)} x2={x(i)} y1={top} y2={bottom} stroke="currentcolor" opacity="0.6" />
              <text x={x(i)} y={14} text-anchor="middle" font-size="12" fill="currentcolor">
                {keepEnd(axis.key, 16)}
                <title>{axis.key}</title>
              </text>
              {ticksOf(axis, 8, 0.05).map(({ share, text }) => (
                <text key={text} class="of-axis" x={x(i) + 5} y={y(share) + 3}>
                  {text}
                </text>
              ))}
              {brush && (
                <rect
                  x={x(i) - 8}
                  width="16"
                  y={y(brush[1])}
                  height={Math.max(2, y(brush[0]) - y(brush[1]))}
                  fill="currentcolor"
                  opacity="0.25"
                />
              )}
              <rect
                x={x(i) - 12}
                width="24"
                y={top - 6}
                height={bottom - top + 12}
                fill="transparent"
                data-axis={axis.key}
                onPointerDown={(event) => {
                  event.currentTarget.setPointerCapture(event.pointerId);
                  drag.current = { key: axis.key, from: shareAt(event) };
                }}
                onPointerMove={(event) => {
                  if (drag.current?.key !== axis.key) return;
                  const ends = [drag.current.from, shareAt(event)].sort((a, b) => a - b);
                  if (ends[1]! - ends[0]! > 0.01) onBrush(axis.key, [ends[0]!, ends[1]!]);
                }}
                onPointerUp={(event) => {
                  if (drag.current && Math.abs(drag.current.from - shareAt(event)) <= 0.01)
                    onBrush(axis.key, null);
                  drag.current = null;
                }}
              />
            </g>
          );
        })}
      </svg>
    </div>
  );
}

/** The importance of parameters, computed from the runs that are kept. */
function Importance({
  table,
  rows,
  objective,
  parameter,
  onChoose,
}: {
  table: LineageTable;
  rows: readonly Row[];
  objective: number;
  parameter: number;
  onChoose: (key: string) => void;
}) {
  const t = useText();
  const [found, setFound] = useState<Importances | null>(null);
  const key = `${objective}\n${rows.map((row) => row.run).join("\n")}`;
  const compute = useEvent(() => importanceOf(table.columns, rows, objective));
  useEffect(() => {
    let wanted = true;
    setFound(null);
    void compute().then((result) => wanted && setFound(result));
    return () => {
      wanted = false;
    };
  }, [table, key]);
  if (!found) return <Loading />;
  if (!found.parameters)
    return (
      <p class="muted" role="status">
        {t("importanceRefused", runsAtLeast, found.runs)}
      </p>
    );
  const most = Math.max(1e-9, ...found.parameters.map(({ permutation }) => permutation));
  return (
    <section aria-label={t("importance")}>
      <div class="group">
        <h2>{t("importance")}</h2>
        <span class="muted">
          {t("importanceOf", table.columns[objective]!.key, formatCount(found.runs))}
        </span>
      </div>
      <div class="grid-wrap" tabIndex={0} role="region" aria-label={t("importance")}>
        <table class="data importance">
          <thead>
            <tr>
              <th scope="col">{t("parameter")}</th>
              <th scope="col">{t("permutation")}</th>
              <th scope="col">{t("correlation")}</th>
            </tr>
          </thead>
          <tbody>
            {found.parameters.map(({ key: name, permutation, correlation }) => (
              <tr key={name}>
                <td title={name}>
                  <button
                    type="button"
                    class="plain"
                    aria-pressed={table.columns[parameter]?.key === name}
                    onClick={() => onChoose(name)}
                  >
                    {keepEnd(name, 40)}
                  </button>
                </td>
                <td class="share">
                  <i style={{ width: `${(100 * permutation) / most}%` }} />
                  {permutation.toFixed(2)}
                </td>
                <td>{correlation === null ? "–" : correlation.toFixed(2).replace("-", "−")}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

/** Why a run cannot be the best; nothing if it can. */
function FaultWord({ run, objective }: { run: string; objective: string }) {
  const t = useText();
  const fault = objective === "" ? null : faultOf(runOf(run), objective);
  if (!fault) return null;
  return <span class="muted"> {t(fault === "nan" ? "nanAtEnd" : "stateKilled")}</span>;
}

function Table({
  table,
  rows,
  objective,
}: {
  table: LineageTable;
  rows: readonly Row[];
  objective: number;
}) {
  const t = useText();
  const held = useStore(slots);
  const [own, setSort] = useState<{ column: number; down: boolean } | null>(null);
  const name = table.columns[objective]?.key ?? "";
  // The best run comes first until a column head is clicked.
  const sort = own ?? {
    column: objective,
    down: objective >= 0 && !lessIsBetter(name),
  };
  const sorted = useMemo(() => {
    if (sort.column < 0) return rows;
    const value = (row: Row) => row.values[sort.column] ?? null;
    // By the objective, runs that cannot be the best come after those that can.
    const late = (row: Row) => Number(own === null && faultOf(runOf(row.run), name) !== null);
    return [...rows].sort(
      (a, b) => late(a) - late(b) || compareValues(value(a), value(b), sort.down),
    );
  }, [rows, sort.column, sort.down, own, name]);
  return (
    <div class="grid-wrap" tabIndex={0} role="region" aria-label={t("runs")}>
      <table class="data">
        <thead>
          <tr>
            <th scope="col">{t("name")}</th>
            {table.columns.map((column, i) => (
              <th
                key={column.key}
                scope="col"
                aria-sort={sort.column === i ? (sort.down ? "descending" : "ascending") : "none"}
              >
                <button
                  type="button"
                  class="plain"
                  title={t("sortBy", column.key)}
                  onClick={() => setSort({ column: i, down: sort.column === i && !sort.down })}
                >
                  {keepEnd(column.key, 24)}
                  {sort.column === i ? (sort.down ? " ↓" : " ↑") : ""}
                </button>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {sorted.slice(0, rowsAtMost).map((row) => (
            <tr key={row.run}>
              <td>
                <Swatch slot={held.get(row.run)} /> {runOf(row.run)?.name ?? row.run}
                <FaultWord run={row.run} objective={name} />
              </td>
              {table.columns.map((column, i) => (
                <td key={column.key} title={lineageText(row.values[i])}>
                  {keepEnd(lineageText(row.values[i]), 28)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {rows.length > rowsAtMost && (
        <p class="muted">
          {t("pointsShown", rowsAtMost, formatCount(rows.length))}. {t("csvHasRows")}
        </p>
      )}
    </div>
  );
}

/** The run with the best objective, the rule, and the runs that are not compared. */
function BestRun({
  rows,
  objective,
  name,
}: {
  rows: readonly Row[];
  objective: number;
  name: string;
}) {
  const t = useText();
  const { row, value, compared, faults } = bestOf(rows, objective, name, runOf);
  const faulty = faults.nan + faults.killed;
  if (compared + faulty < 2) return null;
  const left = [
    ...(faults.nan > 0 ? [t("endsInNan", formatCount(faults.nan))] : []),
    ...(faults.killed > 0 ? [t("wereKilled", formatCount(faults.killed))] : []),
  ];
  return (
    <p class="best">
      {row ? (
        <>
          {t("bestOf", formatCount(compared))}
          <button type="button" onClick={() => select([row.run])}>
            {runOf(row.run)?.name ?? row.run}
          </button>{" "}
          {t("hasValue", name, formatValue(value))}{" "}
          {t(lessIsBetter(name) ? "lessWins" : "moreWins")}
        </>
      ) : (
        t("noBest", formatCount(rows.length))
      )}{" "}
      {left.length > 0 && <span class="muted">{t("notCompared", left.join(t("listComma")))}</span>}
    </p>
  );
}

export function Lineage() {
  const t = useText();
  const { query } = useStore(view);
  const [own, change] = useOwn("lineage");
  const { datasets } = own;
  const rounds = useStore(revision);
  const { list } = useStore(runs);
  const { data: recorded, error } = useLoaded(`${query}\n${rounds}`, (signal) =>
    get("lineage", { query: toQuery(query) }, signal),
  );
  const data = useMemo(() => recorded && withScalars(recorded, list), [recorded, list]);
  const brushes = useMemo(() => readBrushes(own.brushes), [own.brushes]);
  const setBrushes = (next: ReadonlyMap<string, readonly [number, number]>) =>
    change({ brushes: [...next].map(([key, brush]) => writeBrush(key, brush)) }, true);
  const axes = useMemo(
    () =>
      (data?.columns ?? []).map((column, i) =>
        axisOf(
          column,
          data!.rows.map((row) => row.values[i] ?? null),
        ),
      ),
    [data],
  );
  const selected = useStore(selection);
  const [written, setWritten] = useSetting("axes");
  const chosen = written === "" ? null : written.split("\n");
  if (error && !data) return <Failed error={error} />;
  if (!data) return <Loading />;
  if (data.columns.length === 0) return <Empty title={t("noLineage")} code={recordLineage} />;
  const aim =
    own.objective ||
    objectiveOf(
      list,
      axes.map(({ key }) => key),
    );
  const objective = axes.findIndex((axis) => axis.key === aim);
  // By default the columns that differ between runs, and the objective at the end.
  const telling = axes
    .map((_, i) => i)
    .filter(
      (i) =>
        i !== objective &&
        (axes[i]!.numeric ? axes[i]!.lo !== axes[i]!.hi : axes[i]!.names.length > 1),
    );
  const first = telling.length > 1 ? telling : axes.map((_, i) => i).filter((i) => i !== objective);
  const shown =
    chosen === null
      ? [...first.slice(0, axesAtFirst - 1), ...(objective >= 0 ? [objective] : [])]
      : axes.map((_, i) => i).filter((i) => chosen.includes(axes[i]!.key));
  const parameter = axes.findIndex((axis, i) => i !== objective && axis.key === own.parameter);
  const rows = kept(data.rows, axes, shown, brushes);
  // What a run reached before it diverged says nothing for its settings.
  const sound = rows.filter((row) => faultOf(runOf(row.run), aim) === null);
  const toggle = (key: string) => {
    const list = shown.map((i) => axes[i]!.key);
    setWritten(
      (list.includes(key) ? list.filter((other) => other !== key) : [...list, key]).join("\n"),
    );
  };
  const save = () =>
    saveText(
      "lineage.csv",
      csv([
        ["run", ...data.columns.map((column) => column.key)],
        ...rows.map((row) => [
          row.run,
          ...row.values.map((value) =>
            typeof value === "number" ? value : value === null ? "" : String(value),
          ),
        ]),
      ]),
      "text/csv",
    );
  return (
    <>
      <div class="bar">
        <button type="button" aria-pressed={!datasets} onClick={() => change({ datasets: false })}>
          {t("settingsShown")}
        </button>
        <button type="button" aria-pressed={datasets} onClick={() => change({ datasets: true })}>
          {t("datasets")}
        </button>
      </div>
      {datasets ? (
        <Datasets selected={selected} />
      ) : (
        <>
          <div class="bar">
            <label>
              {t("objective")}
              <select
                value={aim}
                onChange={(event) =>
                  change({ objective: event.currentTarget.value, parameter: "" })
                }
              >
                {objective < 0 && <option value="">–</option>}
                {axes
                  .filter((axis) => axis.numeric)
                  .map((axis) => (
                    <option key={axis.key} value={axis.key}>
                      {axis.key}
                    </option>
                  ))}
              </select>
            </label>
            <details>
              <summary>{t("parameters")}</summary>
              {axes.map((axis, i) => (
                <label key={axis.key}>
                  <input
                    type="checkbox"
                    checked={shown.includes(i)}
                    onChange={() => toggle(axis.key)}
                    aria-label={t("showAxis", axis.key)}
                  />
                  {axis.key}
                </label>
              ))}
            </details>
            <span class="muted" role="status">
              {t("kept", formatCount(rows.length), formatCount(data.rows.length))}
            </span>
            <button type="button" onClick={() => select(rows.map((row) => row.run))}>
              {t("selectKept")}
            </button>
            <button
              type="button"
              disabled={brushes.size === 0}
              onClick={() => setBrushes(new Map())}
            >
              {t("keyReset")}
            </button>
            <button type="button" onClick={save}>
              {t("saveCsv")}
            </button>
            <span class="muted">{t("brushHint")}</span>
          </div>
          {objective >= 0 && (
            <BestRun rows={rows} objective={objective} name={axes[objective]!.key} />
          )}
          <Parallel
            rows={data.rows}
            axes={axes}
            shown={shown}
            objective={objective}
            byObjective={own.objective !== "" || data.rows.length > ownColoursAtMost}
            brushes={brushes}
            onBrush={(key, brush) => {
              const next = new Map(brushes);
              if (brush) next.set(key, brush);
              else next.delete(key);
              setBrushes(next);
            }}
          />
          {objective >= 0 && sound.length >= plottedFrom && (
            <div class="two">
              <Importance
                table={data}
                rows={sound}
                objective={objective}
                parameter={parameter}
                onChoose={(key) => change({ parameter: key })}
              />
              <div>
                <label class="part">
                  {t("scatterOver")}{" "}
                  <select
                    value={parameter >= 0 ? own.parameter : ""}
                    onChange={(event) => change({ parameter: event.currentTarget.value })}
                  >
                    <option value="">–</option>
                    {axes
                      .filter((_, i) => i !== objective)
                      .map(({ key }) => (
                        <option key={key} value={key}>
                          {key}
                        </option>
                      ))}
                  </select>
                </label>
                {parameter >= 0 ? (
                  <Scatter rows={rows} axes={axes} parameter={parameter} objective={objective} />
                ) : (
                  <Spread
                    name={axes[objective]!.key}
                    values={sound
                      .map((row) => row.values[objective])
                      .filter((value) => typeof value === "number")}
                  />
                )}
              </div>
            </div>
          )}
          <Table table={data} rows={rows} objective={objective} />
        </>
      )}
    </>
  );
}
