// The lineage keys that differ between the selected runs, side by side.
import { useEffect, useRef } from "preact/hooks";
import type { LineageValue, Run } from "../../core/api";
import { formatCount, keepEnd, lineageText, shortValue } from "../../core/format";
import { runOf, selection, slots } from "../../core/model";
import { useStore } from "../../core/store";
import { useText } from "../../core/text";
import { setView } from "../../core/view";
import { Swatch } from "../../widgets/swatch";

const runsAtMost = 20;

export interface Difference {
  key: string;
  values: (LineageValue | undefined)[];
  differs: boolean;
}

/** Every key of these runs, those that differ first, then by name. */
export function differencesOf(list: readonly Run[]): Difference[] {
  const keys = [...new Set(list.flatMap((run) => Object.keys(run.lineage)))].sort();
  const rows = keys.map((key): Difference => {
    const values = list.map((run) => run.lineage[key]);
    return { key, values, differs: values.some((value) => value !== values[0]) };
  });
  return rows.sort((a, b) => Number(b.differs) - Number(a.differs));
}

export function Differences() {
  const t = useText();
  const chosen = useStore(selection);
  const held = useStore(slots);
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  const list = chosen.slice(0, runsAtMost).flatMap((id) => runOf(id) ?? []);
  const rows = differencesOf(list);
  const differing = rows.filter((row) => row.differs);
  return (
    <dialog
      ref={dialog}
      class="wide"
      onClose={() => setView({ diff: false })}
      aria-label={t("differencesOf", formatCount(list.length))}
    >
      <h2>{t("differencesOf", formatCount(list.length))}</h2>
      {chosen.length > list.length && (
        <p class="muted">{t("differencesFirst", list.length, formatCount(chosen.length))}</p>
      )}
      {differing.length === 0 ? (
        <p>{t("nothingDiffers")}</p>
      ) : (
        <div class="grid-wrap" tabIndex={0} role="region" aria-label={t("differences")}>
          <table class="data">
            <thead>
              <tr>
                <th scope="col">{t("parameter")}</th>
                {list.map((run) => (
                  <th key={run.id} scope="col" title={run.name}>
                    <Swatch slot={held.get(run.id)} /> {keepEnd(run.name, 24)}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {differing.map(({ key, values }) => (
                <tr key={key}>
                  <td title={key}>{keepEnd(key, 40)}</td>
                  {values.map((value, i) => (
                    <td key={list[i]!.id} title={lineageText(value)}>
                      {shortValue(lineageText(value), 28)}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      <p class="muted">
        {rows.length > differing.length && t("sameIn", formatCount(rows.length - differing.length))}
      </p>
      <p>
        <button type="button" onClick={() => dialog.current?.close()}>
          {t("close")}
        </button>
      </p>
    </dialog>
  );
}
