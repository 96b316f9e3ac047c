// Overview: a sentence for each live or new run, its objective, alarms, and how it differs from the
// most similar run.

import { useEffect } from "preact/hooks";
import { LineChart } from "../../chart/line_chart";
import { rankNotes } from "../../chart/rank_notes";
import { getRunFacts, type Run, ranksIn } from "../../core/api";
import { fewRanks, getRankBands } from "../../core/api_ranks";
import { getSeries } from "../../core/api_series";
import { type BadSpan, getBadSpan } from "../../core/bad_span";
import { formatCount, formatDuration, formatValue, keepEnd, lineageText } from "../../core/format";
import { isOutcome } from "../../core/lineage";
import { revision, runOf, runs, selection, slots, status, tags } from "../../core/model";
import { useLoaded, useStore } from "../../core/store";
import { stateName, t as text, useText } from "../../core/text";
import { goTo } from "../../core/view";
import { Swatch } from "../../widgets/swatch";
import { isTimeTag, noteEvidence, type SlowRank, slowRanks, spanText } from "./evidence";
import { Tiles } from "./tiles";
import { VerdictLine } from "./verdict";

// Runs that get a sentence; the table lists the others.
const told = 8;
const differencesShown = 6;
const badTagsShown = 3;
const resumesTold = 5;
// Series of these tags (one a rank) that are asked since when they are NaN.
const spansAtMost = 24;

export type Trend = "falling" | "rising" | "flat";

/**
 * Compares the mean of the last tenth of a series with that of the tenth before. Flat: they differ
 * by less than the spread within those tenths explains (one standard error of the difference, at
 * least a thousandth of the value). Null if there are fewer than 10 finite values.
 */
export function trendOf(values: ArrayLike<number>): Trend | null {
  const finite = Array.from(values).filter(Number.isFinite);
  if (finite.length < 10) return null;
  const tenth = Math.max(5, Math.floor(finite.length / 10));
  const late = finite.slice(-tenth);
  const early = finite.slice(-2 * tenth, -tenth);
  const mean = (list: number[]) => list.reduce((sum, value) => sum + value, 0) / list.length;
  const spread = (list: number[], m: number) =>
    list.reduce((sum, value) => sum + (value - m) ** 2, 0) / list.length / list.length;
  const [a, b] = [mean(early), mean(late)];
  const error = Math.sqrt(spread(early, a) + spread(late, b));
  if (Math.abs(b - a) <= Math.max(error, Math.abs(a) * 1e-3)) return "flat";
  return b < a ? "falling" : "rising";
}

export interface Likeness {
  run: Run;
  differences: { key: string; from: string; to: string }[];
}

/**
 * The run with the most equal lineage values, the first one listed on ties; null if there is
 * nothing to compare.
 */
export function mostLike(run: Run, others: readonly Run[]): Likeness | null {
  const settings = (of: Run) => Object.keys(of.lineage).filter((key) => !isOutcome(key));
  const keys = settings(run);
  let best: Run | null = null;
  let most = 0;
  for (const other of others) {
    if (other.id === run.id) continue;
    const equal = keys.filter(
      (key) => key in other.lineage && other.lineage[key] === run.lineage[key],
    ).length;
    if (equal > most) {
      best = other;
      most = equal;
    }
  }
  if (!best) return null;
  const like = best;
  const differences = [...new Set([...keys, ...settings(like)])]
    .filter((key) => like.lineage[key] !== run.lineage[key])
    .map((key) => ({
      key,
      from: lineageText(like.lineage[key]),
      to: lineageText(run.lineage[key]),
    }));
  return { run: like, differences };
}

/** The spans of several tags as one: its beginning is the earliest. */
export function earliest(spans: readonly BadSpan[]): BadSpan | null {
  if (spans.length === 0) return null;
  const first = Math.min(...spans.map((span) => span.first));
  // One tag may have been NaN for a while before another stayed so.
  const whole = spans.every(({ first, since }) => since === first);
  return { first, since: whole ? first : spans.length === 1 ? spans[0]!.since : null };
}

const ranksNamed = 3;

/** How many values are not finite or, of a run with several ranks, in which of them they are. */
function nanText({ nan, ranks }: Run, bad: readonly number[]): string {
  if (ranks.length < 2 || bad.length === 0)
    return nan === 1 ? text("alarmNanOne") : text("alarmNan", formatCount(nan));
  if (bad.length === 1) return text("nanInRank", bad[0]!);
  const named = bad.slice(0, ranksNamed).join(text("listComma"));
  const more = bad.length - ranksNamed;
  return `${text("nanInRanks", named)}${more > 0 ? ` ${text("andMore", formatCount(more))}` : ""}`;
}

const timeTagsAsked = 4;
const noDeviations: readonly SlowRank[] = [];

/** The ranks whose steps take another time than those of the others. */
function SlowRanks({ run }: { run: Run }) {
  const t = useText();
  const { list } = useStore(tags);
  const rounds = useStore(revision);
  const timed =
    run.ranks.length > fewRanks
      ? list
          .filter((one) => one.kind === "scalar" && one.runs.includes(run.id))
          .map(({ tag }) => tag)
          .filter(isTimeTag)
          .slice(0, timeTagsAsked)
      : [];
  const { data } = useLoaded(timed.length > 0 ? JSON.stringify([run.id, timed, rounds]) : "", () =>
    getRankBands(run.id, timed, { from: null, to: null, columns: 1 }),
  );
  useEffect(() => {
    const slow = (data ?? []).flatMap(({ tag, leaving }) => slowRanks(tag, leaving.named));
    noteEvidence(run.id, { slow: slow.length > 0 ? slow : noDeviations });
  }, [run.id, data]);
  const found = (data ?? []).flatMap(({ tag, leaving }) => {
    const named = leaving.named.filter(({ until }) => until === undefined).slice(0, ranksNamed);
    const only = { total: named.length, named };
    const nobody = { total: 0, named: [] };
    return rankNotes({ leaving: only, nonfinite: nobody, missing: nobody }).map((note) => ({
      tag,
      text: `${tag}${t("listComma")}${note.text}`,
    }));
  });
  if (found.length === 0) return null;
  return (
    <div class="alarms">
      {found.map(({ tag, text }) => (
        <button
          key={text}
          type="button"
          class="chip warning"
          title={t("showInScalars")}
          onClick={() => goTo("scalars", { filter: tag, runs: [run.id] })}
        >
          {text}
        </button>
      ))}
    </div>
  );
}

const noFaults = { ranks: [], tags: 0, named: [] };

function Alarms({ run, now }: { run: Run; now: number }) {
  const t = useText();
  const { data: detail } = useLoaded(run.nan > 0 ? `${run.id} ${run.nan}` : "", (signal) =>
    getRunFacts(run.id, signal),
  );
  const { tags: badTags, named, ranks: badRanks } = detail?.nonfinite ?? noFaults;
  const bad = named.slice(0, badTagsShown).map(({ tag }) => tag);
  const faulty = named.flatMap(({ tag, ranks }) => ranksIn(ranks).map((rank) => ({ tag, rank })));
  const asked = faulty.filter(({ tag }) => bad.includes(tag)).slice(0, spansAtMost);
  const { data: spans } = useLoaded(
    asked.length > 0
      ? `${run.id} ${run.nan} ${asked.map(({ tag, rank }) => `${tag} ${rank}`)}`
      : "",
    () =>
      Promise.all(
        asked.map(async ({ tag, rank }) => ({
          tag,
          span: await getBadSpan({ run: run.id, tag, rank }),
        })),
      ),
  );
  const spanOf = (tag?: string) => {
    const found = (spans ?? []).filter((one) => tag === undefined || one.tag === tag);
    return earliest(found.flatMap(({ span }) => span ?? []));
  };
  const isWhole = asked.length === faulty.length && named.length === badTags;
  const whole = isWhole ? spanOf() : null;
  // Of the tags that were asked, the one that broke first.
  const ranks = ranksIn(badRanks);
  const began = spans ? spanOf() : null;
  useEffect(() => noteEvidence(run.id, { nan: { ranks, span: began } }));
  const since = (span: BadSpan | null) => (span ? ` ${spanText(span)}` : "");
  const alarms: { text: string; grave: boolean }[] = [];
  if (run.nan > 0)
    alarms.push({
      text: `${nanText(run, ranks)}${since(whole)}`,
      grave: true,
    });
  if (run.state === "stalled")
    alarms.push({ text: t("alarmStalled", formatDuration(now - run.last_time)), grave: false });
  if (run.state === "killed")
    alarms.push({ text: t(run.recovered ? "alarmRecovered" : "alarmKilled"), grave: false });
  if (run.damage > 0)
    alarms.push({
      text: run.damage === 1 ? t("alarmDamageOne") : t("alarmDamage", formatCount(run.damage)),
      grave: true,
    });
  if (alarms.length === 0) return null;
  return (
    <div class="alarms">
      {alarms.map(({ text, grave }) => (
        <span key={text} class={`chip ${grave ? "danger" : "warning"}`}>
          {text}
        </span>
      ))}
      {bad.map((tag) => (
        <button
          key={tag}
          type="button"
          class="chip mono"
          title={t("showInScalars")}
          onClick={() => goTo("scalars", { filter: tag, runs: [run.id] })}
        >
          {keepEnd(tag, 32)}
          {badTags > 1 ? since(spanOf(tag)) : ""}
        </button>
      ))}
      {badTags > bad.length && <span class="muted">+{badTags - bad.length}</span>}
    </div>
  );
}

function Differences({ run }: { run: Run }) {
  const t = useText();
  const { list } = useStore(runs);
  const like = mostLike(run, list.slice(0, 2000));
  if (!like) return null;
  if (like.differences.length === 0) return <p class="muted">{t("sameAs", like.run.name)}</p>;
  const more = like.differences.length - differencesShown;
  return (
    <p>
      <span class="muted">{t("differs", like.run.name)}</span>{" "}
      {like.differences.slice(0, differencesShown).map(({ key, from, to }) => (
        <>
          <code key={key}>
            {key} {from} → {to}
          </code>{" "}
        </>
      ))}
      {more > 0 && <span class="muted">+{more}</span>}
    </p>
  );
}

function Story({ run }: { run: Run }) {
  const t = useText();
  const rounds = useStore(revision);
  const held = useStore(slots);
  const objective = run.objective;
  const shown = objective ? run.values[objective]?.rank : undefined;
  const rank = shown ?? run.ranks[0] ?? 0;
  const { data } = useLoaded(objective ? `${run.id} ${objective} ${rounds}` : "", () =>
    getSeries([{ run: run.id, tag: objective!, rank }], {
      axis: "step",
      from: null,
      to: null,
      columns: 200,
      times: false,
    }),
  );
  const series = data?.[0]?.data;
  const severalRanks = run.ranks.length > 1;
  const ofRank = `${objective} (${t("rankNumber", rank)})`;
  const resumed = (data?.[0]?.resumed ?? []).slice(0, resumesTold);
  const trend = series ? trendOf(series.form === "points" ? series.value : series.last) : null;
  const value = objective ? run.values[objective] : undefined;
  const lost = value !== undefined && !Number.isFinite(value.value);
  const { data: span } = useLoaded(lost ? `${run.id} ${objective} ${run.nan}` : "", () =>
    getBadSpan({ run: run.id, tag: objective!, rank }),
  );
  const seconds = run.last_time - run.first_time;
  const rate = (run.last_step - run.first_step) / seconds;
  return (
    <article class="card story" aria-label={run.name}>
      <div>
        <h2>
          <span>
            <Swatch slot={held.get(run.id)} /> {run.name}
          </span>
          <span class="muted">
            {stateName(run.state)}
            {seconds > 0 ? `, ${t(run.live ? "took" : "tookInAll", formatDuration(seconds))}` : ""}
          </span>
        </h2>
        <p>
          {t("atStep", formatCount(run.last_step))}{" "}
          {resumed.length > 0 && `${t("resumedAt", resumed.map(formatCount).join(", "))} `}
          {seconds > 0 && rate > 0 && `${t("stepRate", formatValue(rate, 3))} `}
          {objective && value ? (
            <>
              {t("objectiveIs", severalRanks ? ofRank : objective, "")}
              <b>{formatValue(value.value)}</b>
              {lost ? (span ? ` ${spanText(span)}` : "") : trend ? ` ${t(trend)}` : ""}
              {value.min !== null && value.min !== value.value
                ? t("bestAt", formatValue(value.min))
                : "."}
            </>
          ) : (
            t("noObjective")
          )}
        </p>
        <Alarms run={run} now={Date.now() / 1000} />
        <SlowRanks run={run} />
        <Differences run={run} />
      </div>
      {objective && (
        <LineChart
          compact
          tag={objective}
          requests={(run.ranks.length > fewRanks ? run.ranks : [rank]).map((one) => ({
            run: run.id,
            tag: objective,
            rank: one,
          }))}
        />
      )}
    </article>
  );
}

export function Overview() {
  const t = useText();
  const { list } = useStore(runs);
  useStore(status);
  const chosen = useStore(selection)
    .map(runOf)
    .filter((run) => run !== undefined);
  const ordered = [...chosen].sort(
    (a, b) => Number(b.live) - Number(a.live) || b.last_time - a.last_time,
  );
  return (
    <>
      <VerdictLine list={list} />
      {ordered.slice(0, told).map((run) => (
        <Story key={run.id} run={run} />
      ))}
      {ordered.length > told && (
        <p class="muted">{t("moreRuns", formatCount(ordered.length - told))}</p>
      )}
      <Tiles objectives={new Set(chosen.flatMap((run) => run.objective ?? []))} />
    </>
  );
}
