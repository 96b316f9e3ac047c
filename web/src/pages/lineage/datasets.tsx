// The stages of the runs' dataset pipelines side by side, beginning at the source.
import { type DatasetStage, getRunFacts } from "../../core/api";
import { formatCount, keepEnd, shortValue } from "../../core/format";
import { get } from "../../core/http";
import { revision, runOf, slots } from "../../core/model";
import { useLoaded, useStore } from "../../core/store";
import { useText } from "../../core/text";
import { goTo, setOwn } from "../../core/view";
import { Failed, Loading } from "../../widgets/notice";
import { Swatch } from "../../widgets/swatch";

const runsAtMost = 20;

export interface Stage {
  name: string;
  settings: Readonly<Record<string, string>>;
}

const shown = (value: unknown) => (typeof value === "string" ? value : JSON.stringify(value));

function settingsOf(node: DatasetStage): Record<string, string> {
  const settings: Record<string, string> = {};
  for (const [key, value] of Object.entries(node.parameters ?? {}))
    if (key !== "op_type") settings[key] = shown(value);
  const operations = (node.operations ?? []).map((operation) => {
    const { tensor_op_name: name, tensor_op_params: given } = ((
      operation as { parameters?: Record<string, unknown> }
    ).parameters ?? {}) as Record<string, string | undefined>;
    return name === undefined
      ? shown(operation)
      : given && given !== "None" && given !== "{}"
        ? `${name} ${given}`
        : name;
  });
  if (operations.length > 0) settings.operations = operations.join(", ");
  return settings;
}

/** The stages of a pipeline from the source to the training, branches one after the other. */
export function stagesOf(root: DatasetStage): Stage[] {
  return [
    ...(root.children ?? []).flatMap(stagesOf),
    { name: String(root.op_type ?? root.parameters?.op_type ?? "?"), settings: settingsOf(root) },
  ];
}

export interface StageRow {
  stage: string;
  setting: string;
  values: (string | undefined)[];
  differs: boolean;
}

/**
 * One row for each setting of a stage, with a value for each run. Stages of the same name are
 * numbered ("Map 2"), so that rows match even if a run has an additional stage.
 */
export function stageRows(pipelines: readonly (readonly Stage[])[]): StageRow[] {
  const columns = pipelines.map((stages) => {
    const seen = new Map<string, number>();
    const all = new Map<string, Readonly<Record<string, string>>>();
    for (const { name, settings } of stages) {
      const nth = (seen.get(name) ?? 0) + 1;
      seen.set(name, nth);
      all.set(nth > 1 ? `${name} ${nth}` : name, settings);
    }
    return all;
  });
  // In the order of the longest pipeline. Stages that it lacks come last.
  const longest = columns.reduce(
    (a, b) => (b.size > a.size ? b : a),
    new Map<string, Readonly<Record<string, string>>>(),
  );
  const stages = [
    ...new Set([...longest.keys(), ...columns.flatMap((column) => [...column.keys()])]),
  ];
  return stages.flatMap((stage) => {
    const settings = [
      ...new Set(columns.flatMap((column) => Object.keys(column.get(stage) ?? {}))),
    ];
    return (settings.length > 0 ? settings : [""]).map((setting): StageRow => {
      const values = columns.map((column) =>
        column.has(stage)
          ? (column.get(stage)![setting] ?? (setting === "" ? "✓" : undefined))
          : undefined,
      );
      return { stage, setting, values, differs: values.some((value) => value !== values[0]) };
    });
  });
}

export function Datasets({ selected }: { selected: readonly string[] }) {
  const t = useText();
  const held = useStore(slots);
  const asked = selected.slice(0, runsAtMost);
  const { data, error } = useLoaded(
    `${useStore(revision)}\n${asked.join("\n")}`,
    async (signal) => {
      const all = await Promise.all(
        asked.map(async (run) => {
          const { graphs } = await getRunFacts(run, signal);
          if (!graphs.some(({ kind }) => kind === "dataset")) return [];
          const { dataset } = await get("dataset", { run }, signal);
          return dataset ? [{ run, stages: stagesOf(dataset) }] : [];
        }),
      );
      return all.flat();
    },
  );
  if (error) return <Failed error={error} />;
  if (!data) return <Loading />;
  if (data.length === 0)
    return (
      <p class="muted" role="status">
        {t("noDatasets")}
      </p>
    );
  const rows = stageRows(data.map(({ stages }) => stages));
  return (
    <>
      <p class="muted" role="status">
        {t("datasetsSay", formatCount(data.length), formatCount(asked.length))}{" "}
        {data.length > 1 &&
          (rows.some(({ differs }) => differs) ? t("datasetsDiffer") : t("datasetsEqual"))}
      </p>
      <div class="grid-wrap tall" tabIndex={0} role="region" aria-label={t("datasets")}>
        <table class="data datasets">
          <thead>
            <tr>
              <th scope="col">{t("stage")}</th>
              <th scope="col">{t("setting")}</th>
              {data.map(({ run }) => (
                <th key={run} scope="col">
                  <Swatch slot={held.get(run)} />{" "}
                  <button
                    type="button"
                    class="plain"
                    title={t("datasetGraph")}
                    onClick={() => {
                      goTo("graphs");
                      setOwn("graphs", { run, graph: "dataset" }, true);
                    }}
                  >
                    {keepEnd(runOf(run)?.name ?? run, 24)}
                  </button>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(({ stage, setting, values, differs }, i) => (
              <tr key={`${stage} ${setting}`} class={differs && data.length > 1 ? "differs" : ""}>
                <td>{rows[i - 1]?.stage === stage ? "" : <b>{stage}</b>}</td>
                <td class="mono">{setting}</td>
                {values.map((value, k) => (
                  <td key={data[k]!.run} class="mono" title={value}>
                    {value === undefined ? "–" : shortValue(value, 44)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}
