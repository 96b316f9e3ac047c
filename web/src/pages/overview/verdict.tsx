// Answers "are my runs fine?": one sentence about all listed runs, and those that need attention.

import { percent } from "../../chart/rank_notes";
import type { Run } from "../../core/api";
import { formatCount } from "../../core/format";
import { select } from "../../core/model";
import { useStore } from "../../core/store";
import { stateName, type TextKey, t as text, useText } from "../../core/text";
import { Icon } from "../../widgets/icons";
import { type Evidence, evidence, spanText } from "./evidence";

export interface Verdict {
  /** The number of runs in each state, running ones first. */
  states: readonly { state: string; count: number }[];
  /** The faults, the gravest first, and the runs that have them. */
  faults: readonly { fault: Fault; grave: boolean; runs: readonly string[] }[];
  /** The number of runs with a fault. */
  faulty: number;
}
export type Fault = "nan" | "damage" | "killed" | "stalled" | "slow";

const order = ["running", "stalled", "killed", "finished", "ended"];
type Known = ReadonlyMap<string, Evidence>;
type Check = { fault: Fault; grave: boolean; has: (run: Run, known: Known) => boolean };
const checks: readonly Check[] = [
  { fault: "nan", grave: true, has: (run) => run.nan > 0 },
  { fault: "damage", grave: true, has: (run) => run.damage > 0 },
  { fault: "killed", grave: false, has: (run) => run.state === "killed" },
  { fault: "stalled", grave: false, has: (run) => run.state === "stalled" },
  { fault: "slow", grave: false, has: ({ id }, known) => (known.get(id)?.slow.length ?? 0) > 0 },
];

/** `known`: of the ranks of some runs. */
export function verdictOf(list: readonly Run[], known: Known = new Map()): Verdict {
  const states = new Map<string, number>();
  for (const run of list) states.set(run.state, (states.get(run.state) ?? 0) + 1);
  const place = (state: string) => (order.includes(state) ? order.indexOf(state) : order.length);
  const faults = checks
    .map(({ fault, grave, has }) => ({
      fault,
      grave,
      runs: list.filter((run) => has(run, known)).map((run) => run.id),
    }))
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
  slow: "faultSlow",
};

const ranksNamed = 3;

function namedRanks(ranks: readonly number[]): string {
  const named = ranks.slice(0, ranksNamed).join(text("listComma"));
  const more = ranks.length - ranksNamed;
  const words = text(ranks.length === 1 ? "rankNumber" : "ranksNamed", named);
  return more > 0 ? `${words} ${text("andMore", formatCount(more))}` : words;
}

/** The ranks that have the fault in a run, since when, and how much; "" if they are not known. */
export function evidenceText(fault: Fault, found: Evidence | undefined, ranks: number): string {
  if (!found || ranks < 2) return "";
  if (fault === "nan" && found.nan.ranks.length > 0) {
    const { ranks: bad, span } = found.nan;
    return `${namedRanks(bad)}${span ? ` ${spanText(span)}` : ""}`;
  }
  const [first, ...others] = fault === "slow" ? found.slow : [];
  if (!first) return "";
  if (others.some(({ rank }) => rank !== first.rank))
    return namedRanks([...new Set(found.slow.map(({ rank }) => rank))]);
  const size = first.excess === null ? "" : `${text("listComma")}${percent(first.excess)}`;
  return `${namedRanks([first.rank])}${size} ${text("sinceStep", formatCount(first.since))}`;
}

/** Each fault is a button that selects its runs. */
export function VerdictLine({ list }: { list: readonly Run[] }) {
  const t = useText();
  const known = useStore(evidence);
  const { states, faults, faulty } = verdictOf(list, known);
  const detail = (fault: Fault, ids: readonly string[]) => {
    const [run] = ids.length === 1 ? list.filter(({ id }) => id === ids[0]) : [];
    const found = run ? evidenceText(fault, known.get(run.id), run.ranks.length) : "";
    if (!run || found === "") return formatCount(ids.length);
    return list.length === 1 ? found : `${run.name}${t("listComma")}${found}`;
  };
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
          {t(words[fault], detail(fault, runs))}
        </button>
      ))}
    </section>
  );
}
