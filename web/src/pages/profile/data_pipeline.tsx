// Data pipeline: what the batches waited for, the operators with the queues between them, and
// advice.
import { useState } from "preact/hooks";
import { linearTicks, tickLabels } from "../../chart/scale";
import type { DataOperator, DataPipeline } from "../../core/api_profile";
import { formatCount, formatNs, formatShare, formatValue } from "../../core/format";
import { get } from "../../core/http";
import { useLoaded } from "../../core/store";
import { useText } from "../../core/text";
import { Failed, LoadingFile } from "../../widgets/notice";
import { Curve } from "./curve";

function AdviceList({ advice }: { advice: DataPipeline["advice"] }) {
  const t = useText();
  if (advice.length === 0) return null;
  return (
    <ul class="advice">
      {advice.map((one) => (
        <li key={one.rule + one.subject}>
          <b>{one.subject || one.rule}</b> {one.evidence}. <span>{t("try", one.change)}</span>{" "}
          {one.subject && <span class="muted">{t("rule", one.rule)}</span>}
        </li>
      ))}
    </ul>
  );
}

/** The operators as a tree: each one comes after the operator that it feeds, with its depth. */
export function pipelineOrder(
  operators: readonly DataOperator[],
): { use: DataOperator; depth: number }[] {
  const ids = new Set(operators.map((use) => use.id));
  const ordered: { use: DataOperator; depth: number }[] = [];
  const seen = new Set<number>();
  const add = (use: DataOperator, depth: number) => {
    if (seen.has(use.id)) return;
    seen.add(use.id);
    ordered.push({ use, depth });
    for (const child of operators) if (child.parent === use.id) add(child, depth + 1);
  };
  for (const use of operators) if (use.parent === null || !ids.has(use.parent)) add(use, 0);
  for (const use of operators) add(use, 0); // Operators in a cycle, which only a damaged file has.
  return ordered;
}

function QueueCurve({ use, interval }: { use: DataOperator; interval: number }) {
  const t = useText();
  const x = use.samples.map((_, i) => i);
  return (
    <article class="card">
      <header>
        <h3>{t("queueOf", `${use.type}_${use.id}`)}</h3>
      </header>
      <Curve
        label={t("queueOf", `${use.type}_${use.id}`)}
        limit={use.capacity}
        data={{ x, min: use.samples, max: use.samples }}
        xTicks={([lo, hi], wanted) => {
          const ticks = linearTicks(lo, hi, wanted);
          return {
            ticks,
            labels:
              interval > 0
                ? ticks.map((tick) => formatNs(tick * interval * 1e6, 3))
                : tickLabels(ticks),
          };
        }}
      />
    </article>
  );
}

export function DataPipelineView({ profile }: { profile: string }) {
  const t = useText();
  const { data, error } = useLoaded(profile, (signal) => get("profile/data", { profile }, signal));
  const [open, setOpen] = useState<number | null>(null);
  if (error) return <Failed error={error} />;
  if (!data) return <LoadingFile />;
  if (data.batches === 0 && data.operators.length === 0)
    return <p class="muted">{t("noPipeline")}</p>;
  const shown =
    data.operators.find((use) => use.id === open) ??
    data.operators.find((use) => use.samples.length > 0);
  return (
    <>
      {data.batches > 0 && (
        <p>
          {t(
            "batchesSay",
            formatCount(data.batches),
            formatCount(data.empty_batches),
            formatCount(data.full_batches),
            formatNs(data.get_mean),
            formatNs(data.push_mean),
            formatNs(data.total_mean),
          )}{" "}
          {data.get_next > 0 &&
            t("getNextSays", formatCount(data.get_next), formatCount(data.empty_get_next))}{" "}
          {data.machine_busy_percent !== null &&
            t("machineBusy", formatValue(data.machine_busy_percent, 3))}
        </p>
      )}
      <AdviceList advice={data.advice} />
      {data.operators.length > 0 && (
        <div class="grid-wrap" tabIndex={0} role="region" aria-label={t("dataPipeline")}>
          <table class="data">
            <thead>
              <tr>
                <th scope="col">{t("operator")}</th>
                <th scope="col">{t("workers")}</th>
                <th scope="col">{t("queue")}</th>
                <th scope="col">{t("queueUsage")}</th>
                <th scope="col">{t("queueEmpty")}</th>
                <th scope="col">{t("processor")}</th>
              </tr>
            </thead>
            <tbody>
              {pipelineOrder(data.operators).map(({ use, depth }) => (
                <tr key={use.id} class={shown === use ? "chosen" : ""}>
                  <td style={{ paddingLeft: `${8 + depth * 16}px` }}>
                    {use.samples.length > 0 ? (
                      <button
                        type="button"
                        class="plain"
                        aria-pressed={shown === use}
                        onClick={() => setOpen(use.id)}
                      >
                        {use.type}_{use.id}
                      </button>
                    ) : (
                      <span class="mono">
                        {use.type}_{use.id}
                      </span>
                    )}
                  </td>
                  <td>{use.workers}</td>
                  <td>
                    {use.usage === null
                      ? "–"
                      : `${formatValue(use.average, 3)} / ${formatCount(use.capacity)}`}
                  </td>
                  {use.usage === null ? (
                    <td>–</td>
                  ) : (
                    <td class="share">
                      <i style={{ width: `${Math.min(100, use.usage * 100)}%` }} />
                      <span>{formatShare(use.usage)}</span>
                    </td>
                  )}
                  <td>{use.usage === null ? "–" : formatShare(use.empty)}</td>
                  <td>{use.cpu_percent === null ? "–" : `${formatValue(use.cpu_percent, 3)} %`}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {shown && shown.samples.length > 0 && (
        <QueueCurve use={shown} interval={data.sampling_interval_ms} />
      )}
    </>
  );
}
