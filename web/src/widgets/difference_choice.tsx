// Chooses what values are compared with: another step of the series, or another run.
import type { Place, Places } from "../core/api";
import { runOf } from "../core/model";
import type { OneSeries } from "../core/series";
import { useText } from "../core/text";
import { placeOf, spotOf } from "./stepper";

/** "": no comparison, "before" and "first": another step, otherwise the id of a run. */
export type Against = string;

/** Whether it names another run than this one. */
export function isRun(against: Against, run: string): boolean {
  return against !== "" && against !== "before" && against !== "first" && against !== run;
}

/** The value to compare with; null if there is none or it is the same value. */
export function otherOf(
  series: OneSeries,
  places: Places,
  at: number,
  against: Against,
  its: Places | null,
): Place | null {
  const { run, kind, tag, rank } = series;
  const of = (from: Places, index: number, whose: string): Place | null =>
    from.at[index] === undefined ? null : { run: whose, kind, tag, rank, at: from.at[index]! };
  if (against === "before") return at > 0 ? of(places, at - 1, run) : null;
  if (against === "first") return at > 0 ? of(places, 0, run) : null;
  if (!isRun(against, run) || !its) return null;
  return of(its, placeOf(its.steps, spotOf(places.steps, at)), against);
}

interface ChoiceProps {
  against: Against;
  selected: readonly string[];
  onChange: (against: Against) => void;
}

/** Chooses what values are compared with. */
export function DifferenceChoice({ against, selected, onChange }: ChoiceProps) {
  const t = useText();
  return (
    <label>
      {t("differenceFrom")}
      <select value={against} onChange={(event) => onChange(event.currentTarget.value)}>
        <option value="">–</option>
        <option value="before">{t("previous")}</option>
        <option value="first">{t("firstStep")}</option>
        {selected.slice(0, 50).map((run) => (
          <option key={run} value={run}>
            {runOf(run)?.name ?? run}
          </option>
        ))}
      </select>
    </label>
  );
}
