// Answers "are my runs fine?": one sentence about all listed runs, and those that need attention.
import type { Run } from "../../core/api";
import { formatCount } from "../../core/format";
import { select } from "../../core/model";
import { stateName, type TextKey, useText } from "../../core/text";
import { Icon } from "../../widgets/icons";

export interface Verdict {
  /** The number of runs in each state, running ones first. */
  states: readonly { state: string; count: number }[];
  /** The faults, the gravest first, and the runs that have them. */
  faults: readonly { fault: Fault; grave: boolean; runs: readonly string[] }[];
  /** The number of runs with a fault. */
  faulty: number;
}
export type Fault = "nan" | "damage" | "killed" | "stalled";

const order = ["running", "stalled", "killed", "finished", "ended"];
const checks: readonly { fault: Fault; grave: boolean; has: (run: Run) => boolean }[] = [
  { fault: "nan", grave: true, has: (run) => run.nan > 0 },
  { fault: "damage", grave: true, has: (run) => run.damage > 0 },
  { fault: "killed", grave: false, has: (run) => run.state === "killed" },
  { fault: "stalled", grave: false, has: (run) => run.state === "stalled" },
];

export function verdictOf(list: readonly Run[]): Verdict {
  const states = new Map<string, number>();
  for (const run of list) states.set(run.state, (states.get(run.state) ?? 0) + 1);
  const place = (state: string) => (order.includes(state) ? order.indexOf(state) : order.length);
  const faults = checks
    .map(({ fault, grave, has }) => ({ fault, grave, runs: list.filter(has).map((run) => run.id) }))
    .filter(({ runs }) => runs.length > 0);
  return {
    states: [...states]
      .map(([state, count]) => ({ state, count }))
      .sort((a, b) => place(a.state) - place(b.state)),
    faults,
    faulty: new Set(faults.flatMap(({ runs }) => runs)).size,
  };
}

const words: Record<Fault, TextKey> = {
  nan: "faultNan",
  damage: "faultDamage",
  killed: "faultKilled",
  stalled: "faultStalled",
};

/** Each fault is a button that selects its runs. */
export function VerdictLine({ list }: { list: readonly Run[] }) {
  const t = useText();
  const { states, faults, faulty } = verdictOf(list);
  const tone = faulty === 0 ? "good" : faults.some(({ grave }) => grave) ? "danger" : "warning";
  return (
    <section class={`verdict ${tone}`} aria-label={t("verdict")}>
      <Icon name={faulty === 0 ? "check" : "alert"} />
      <h2>
        {faulty === 0
          ? t("allFine")
          : list.length === 1
            ? t("lookAtIt")
            : t("lookAt", formatCount(faulty), formatCount(list.length))}
      </h2>
      <span class="muted">
        {states
          .map(({ state, count }) => `${formatCount(count)} ${stateName(state)}`)
          .join(t("listComma"))}
        {faulty === 0 ? t("noFaults") : ""}
      </span>
      {faults.map(({ fault, grave, runs }) => (
        <button
          key={fault}
          type="button"
          class={`chip ${grave ? "danger" : "warning"}`}
          title={t("selectThese")}
          onClick={() => select(runs)}
        >
          {t(words[fault], formatCount(runs.length))}
        </button>
      ))}
    </section>
  );
}
