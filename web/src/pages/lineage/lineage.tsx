// Lineage: settings and results of runs side by side, and the best of them. A brush on an axis filters
// what is below.
import { useMemo } from "preact/hooks";
import type { LineageTable, LineageValue } from "../../core/api";
import { recordLineage } from "../../core/examples";
import { csv, formatCount, formatValue } from "../../core/format";
import { get } from "../../core/http";
import { revision, runOf, runs, select, selection } from "../../core/model";
import { toQuery } from "../../core/query";
import { saveText } from "../../core/save";
import { useSetting } from "../../core/setting";
import { useLoaded, useStore } from "../../core/store";
import { useText } from "../../core/text";
import { useOwn, view } from "../../core/view";
import { Empty, Failed, Loading } from "../../widgets/notice";
import { type AxisOf, axisOf, kept, type Row, readBrushes, withScalars, writeBrush } from "./axes";
import { bestOf, faultOf, lessIsBetter } from "./best";
import { Datasets } from "./datasets";
import { Importance } from "./importance_table";
import { Parallel } from "./parallel";
import { Scatter, Spread } from "./plots";
import { Table } from "./table";

const axesAtFirst = 8;

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

/** The indexes of the axes that are shown at first: those that differ between runs, the objective last. */
function axesShownAtFirst(axes: readonly AxisOf[], objective: number): number[] {
  const others = axes.map((_, i) => i).filter((i) => i !== objective);
  const telling = others.filter((i) =>
    axes[i]!.numeric ? axes[i]!.lo !== axes[i]!.hi : axes[i]!.names.length > 1,
  );
  const first = telling.length > 1 ? telling : others;
  return [...first.slice(0, axesAtFirst - 1), ...(objective >= 0 ? [objective] : [])];
}

/** The table, its axes, and the runs that the brushes keep. */
function useTable(data: LineageTable) {
  const [own, change] = useOwn("lineage");
  const { list } = useStore(runs);
  const [written, setWritten] = useSetting("axes");
  const axes = useMemo(
    () =>
      data.columns.map((column, i) =>
        axisOf(
          column,
          data.rows.map((row) => row.values[i] ?? null),
        ),
      ),
    [data],
  );
  const brushes = useMemo(() => readBrushes(own.brushes), [own.brushes]);
  const keys = axes.map(({ key }) => key);
  const aim = own.objective || objectiveOf(list, keys);
  const objective = keys.indexOf(aim);
  const chosen = written.split("\n");
  const shown =
    written === ""
      ? axesShownAtFirst(axes, objective)
      : axes.map((_, i) => i).filter((i) => chosen.includes(keys[i]!));
  const rows = kept(data.rows, axes, shown, brushes);
  return {
    data,
    axes,
    aim,
    objective,
    parameter: axes.findIndex((axis, i) => i !== objective && axis.key === own.parameter),
    shown,
    brushes,
    rows,
    // What a run reached before it diverged says nothing for its settings.
    sound: rows.filter((row) => faultOf(runOf(row.run), aim) === null),
    toggle: (key: string) => {
      const now = shown.map((i) => keys[i]!);
      const next = now.includes(key) ? now.filter((other) => other !== key) : [...now, key];
      setWritten(next.join("\n"));
    },
    setBrushes: (next: ReadonlyMap<string, readonly [number, number]>) =>
      change({ brushes: [...next].map(([key, brush]) => writeBrush(key, brush)) }, true),
  };
}
type TableState = ReturnType<typeof useTable>;

function saveLineage({ data, rows }: TableState): void {
  const field = (value: LineageValue) =>
    typeof value === "number" ? value : value === null ? "" : String(value);
  const head = ["run", ...data.columns.map((column) => column.key)];
  const body = rows.map((row) => [row.run, ...row.values.map(field)]);
  saveText("lineage.csv", csv([head, ...body]), "text/csv");
}

function Controls({ table }: { table: TableState }) {
  const t = useText();
  const [, change] = useOwn("lineage");
  const { data, axes, aim, objective, shown, brushes, rows, toggle, setBrushes } = table;
  return (
    <div class="bar">
      <label>
        {t("objective")}
        <select
          value={aim}
          onChange={(event) => change({ objective: event.currentTarget.value, parameter: "" })}
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
      <button type="button" disabled={brushes.size === 0} onClick={() => setBrushes(new Map())}>
        {t("keyReset")}
      </button>
      <button type="button" onClick={() => saveLineage(table)}>
        {t("saveCsv")}
      </button>
      <span class="muted">{t("brushHint")}</span>
    </div>
  );
}

/** How much each parameter matters, and the objective over one of them. */
function Plots({ table }: { table: TableState }) {
  const t = useText();
  const [own, change] = useOwn("lineage");
  const { data, axes, objective, parameter, rows, sound } = table;
  return (
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
  );
}

function Settings({ data }: { data: LineageTable }) {
  const [own] = useOwn("lineage");
  const table = useTable(data);
  const { axes, shown, objective, brushes, rows, sound, setBrushes } = table;
  return (
    <>
      <Controls table={table} />
      {objective >= 0 && <BestRun rows={rows} objective={objective} name={axes[objective]!.key} />}
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
      {objective >= 0 && sound.length >= plottedFrom && <Plots table={table} />}
      <Table table={data} rows={rows} objective={objective} />
    </>
  );
}

export function Lineage() {
  const t = useText();
  const { query, separate } = useStore(view);
  const [{ datasets }, change] = useOwn("lineage");
  const rounds = useStore(revision);
  const { list } = useStore(runs);
  const selected = useStore(selection);
  const { data: recorded, error } = useLoaded(`${query}\n${separate}\n${rounds}`, (signal) =>
    get("lineage", { query: toQuery(query), join: separate ? "false" : "true" }, signal),
  );
  const data = useMemo(() => recorded && withScalars(recorded, list), [recorded, list]);
  if (error && !data) return <Failed error={error} />;
  if (!data) return <Loading />;
  if (data.columns.length === 0) return <Empty title={t("noLineage")} code={recordLineage} />;
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
      {datasets ? <Datasets selected={selected} /> : <Settings data={data} />}
    </>
  );
}
