// How much each parameter matters for the objective.
import { useEffect, useState } from "preact/hooks";
import type { LineageTable } from "../../core/api";
import { formatCount, keepEnd } from "../../core/format";
import { useEvent } from "../../core/store";
import { useText } from "../../core/text";
import { Loading } from "../../widgets/notice";
import type { Row } from "./axes";
import { type Importances, importanceOf, runsAtLeast } from "./importance";

/** The importance of parameters, computed from the runs that are kept. */
export function Importance({
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
