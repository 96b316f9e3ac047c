// Scalars: a chart for each tag over the selected runs. Validation shares the chart of its
// training.
import { useMemo } from "preact/hooks";
import { xText } from "../../chart/axis_text";
import { restarted } from "../../chart/chart_lines";
import { GroupLegend, groupText } from "../../chart/legend";
import { LineChart } from "../../chart/line_chart";
import { apartFrom, type Pair, pairsOf } from "../../chart/pairs";
import { foldSamples } from "../../chart/samples";
import type { Run, TagOfRuns } from "../../core/api";
import { fewRanks } from "../../core/api_ranks";
import type { SeriesRequest } from "../../core/api_series";
import { recordScalar } from "../../core/examples";
import { grouped, readFilter } from "../../core/filter";
import { formatCount } from "../../core/format";
import { eachRank, ranksOf, runs, selection, tags, wholeSelection } from "../../core/model";
import { requestsOf } from "../../core/series";
import { useStore } from "../../core/store";
import { useText } from "../../core/text";
import { setView, useOwn, view } from "../../core/view";
import type { Axis } from "../../core/view_state";
import { useMore } from "../../widgets/more";
import { Empty, Failed, Loading } from "../../widgets/notice";
import { TagFilter } from "../../widgets/tag_filter";

/** Lineage keys that differ between runs, but not between all of them. */
export function groupKeys(list: readonly Run[]): string[] {
  const values = new Map<string, Set<string>>();
  for (const run of list) {
    for (const [key, value] of Object.entries(run.lineage))
      values.set(key, (values.get(key) ?? new Set()).add(String(value)));
  }
  return [...values]
    .filter(([, { size }]) => size > 1 && size <= Math.max(2, list.length / 2))
    .map(([key]) => key)
    .sort();
}

const useManyRanks = () => useStore(selection).some((id) => ranksOf(id).length > fewRanks);

function Controls(props: { error: string; pairs: boolean; samples: boolean }) {
  const { error, pairs, samples } = props;
  const t = useText();
  const now = useStore(view);
  const { list } = useStore(runs);
  const repeated = useStore(restarted);
  const [{ ranks }, setOwn] = useOwn("scalars");
  const manyRanks = useManyRanks();
  return (
    <div class="bar" role="group" aria-label={t("scalars")}>
      <TagFilter error={error} />
      <label>
        {t("axis")}
        <select
          value={now.axis}
          onChange={(event) => setView({ axis: event.currentTarget.value as Axis, range: null })}
        >
          <option value="step">{t("axisStep")}</option>
          {(samples || now.axis === "samples") && (
            <option value="samples">{t("axisSamples")}</option>
          )}
          <option value="relative">{t("axisRelative")}</option>
          <option value="time">{t("axisTime")}</option>
        </select>
      </label>
      <label>
        {t("smoothing")}
        <input
          type="range"
          class="smoothing"
          min="0"
          max="0.99"
          step="0.01"
          value={now.smoothing}
          onInput={(event) => setView({ smoothing: Number(event.currentTarget.value) }, true)}
        />
        <output>{now.smoothing}</output>
      </label>
      <label>
        {t("group")}
        <select
          value={now.group}
          onChange={(event) => setView({ group: event.currentTarget.value })}
        >
          <option value="">–</option>
          {[
            ...new Set([
              wholeSelection,
              eachRank,
              ...groupKeys(list),
              ...(now.group ? [now.group] : []),
            ]),
          ].map((key) => (
            <option key={key} value={key}>
              {groupText(key)}
            </option>
          ))}
        </select>
      </label>
      {manyRanks && (
        <label>
          {t("ranksAs")}
          <select
            value={ranks}
            onChange={(event) => setOwn({ ranks: event.currentTarget.value as typeof ranks })}
          >
            <option value="">{t("rankBand")}</option>
            <option value="lines">{t("rankLines")}</option>
            <option value="heat">{t("rankHeat")}</option>
            <option value="table">{t("rankTable")}</option>
          </select>
        </label>
      )}
      <button type="button" aria-pressed={now.log} onClick={() => setView({ log: !now.log })}>
        {t("yLog")}
      </button>
      <button type="button" aria-pressed={now.logX} onClick={() => setView({ logX: !now.logX })}>
        {t("xLog")}
      </button>
      <button type="button" aria-pressed={now.clip} onClick={() => setView({ clip: !now.clip })}>
        {t("noOutliers")}
      </button>
      {(repeated || now.newest) && (
        <button
          type="button"
          aria-pressed={now.newest}
          title={t("newestOnlyHow")}
          onClick={() => setView({ newest: !now.newest })}
        >
          {t("newestOnly")}
        </button>
      )}
      {pairs && (
        <button
          type="button"
          aria-pressed={!now.apart}
          onClick={() => setView({ apart: !now.apart })}
        >
          {t("together")}
        </button>
      )}
      {now.range && (
        <span class="end">
          <span class="chip">
            {t("range", xText(now.axis, now.range[0]), xText(now.axis, now.range[1]))}
          </span>{" "}
          <button type="button" onClick={() => setView({ range: null })}>
            {t("reset")}
          </button>
        </span>
      )}
    </div>
  );
}

/** Groups of tags; a pair is in the group of its first tag. */
function groupedPairs(pairs: readonly Pair<TagOfRuns>[]) {
  return grouped(pairs.map((pair) => ({ tag: pair.name, pair }))).map(({ name, items }) => ({
    name,
    items: items.map(({ pair }) => pair),
  }));
}

const worked = new WeakMap<
  Pair<TagOfRuns>,
  { selected: readonly string[]; requests: readonly SeriesRequest[] }
>();

/** The requests for all series of a chart. Returns the same list for the same arguments. */
function requestsOfPair(
  pair: Pair<TagOfRuns>,
  selected: readonly string[],
): readonly SeriesRequest[] {
  if (pair.others.length === 0) return requestsOf(pair.tag, selected);
  const known = worked.get(pair);
  if (known?.selected === selected) return known.requests;
  const requests = [pair.tag, ...pair.others].flatMap((tag) => [...requestsOf(tag, selected)]);
  worked.set(pair, { selected, requests });
  return requests;
}

/** By the tags of the pairs: the pairs of the same values by samples. */
function byEachTag(
  pairs: readonly Pair<TagOfRuns>[],
  bySamples: ReadonlyMap<string, TagOfRuns>,
): Map<string, Pair<TagOfRuns>> {
  const found = new Map<string, Pair<TagOfRuns>>();
  for (const pair of bySamples.size > 0 ? pairs : []) {
    const tag = pair.curves ? undefined : bySamples.get(pair.tag.tag);
    const others = pair.others.flatMap((other) => bySamples.get(other.tag) ?? []);
    if (tag) found.set(pair.name, { name: tag.tag, tag, others, curves: false });
  }
  return found;
}

function requestsBySamples(pair: Pair<TagOfRuns> | undefined, selected: readonly string[]) {
  return pair && { tag: pair.tag.tag, requests: requestsOfPair(pair, selected) };
}

/** The tags of the curves on each chart of a main tag. */
function tagsOfCurves(pairs: readonly Pair<TagOfRuns>[]): ReadonlyMap<string, readonly string[]> {
  return new Map(
    pairs
      .filter(({ curves }) => curves)
      .map(({ name, tag, others }) => [name, [tag, ...others].map((one) => one.tag)]),
  );
}

/** The chart of that name, or else of a tag that shares another's chart. */
function fullOf(pairs: readonly Pair<TagOfRuns>[], name: string): readonly Pair<TagOfRuns>[] {
  const found = pairs.filter((pair) => pair.name === name);
  const shares = () =>
    pairs.flatMap(({ tag, others }) => [tag, ...others].filter((one) => one.tag === name));
  return found.length > 0 ? found : apartFrom(shares());
}

// Cards that are mounted at once.
const part = 12;

export function Scalars() {
  const t = useText();
  const { list, loaded, error } = useStore(tags);
  const selected = useStore(selection);
  const { filter, pins, apart, own } = useStore(view);
  const { full, ranks } = own.scalars;
  // A heat map or a table of ranks is of one tag.
  const ofOneTag = useManyRanks() && (ranks === "heat" || ranks === "table");
  const rule = useMemo(() => readFilter(filter), [filter]);
  const { tags: scalars, bySamples } = useMemo(
    () => foldSamples(list.filter((tag) => tag.kind === "scalar")),
    [list],
  );
  const whole = useMemo(() => pairsOf(scalars), [scalars]);
  const unfiltered = full !== "" || filter === "";
  const pairs = useMemo(() => {
    // Pairs are made after filtering, so a validation metric that matches alone has its own chart.
    const all = unfiltered ? scalars : scalars.filter((tag) => rule.matches(tag.tag));
    return apart || ofOneTag ? apartFrom(all) : all === scalars ? whole : pairsOf(all);
  }, [scalars, whole, rule, apart, ofOneTag, unfiltered]);
  const pairsBySamples = useMemo(() => byEachTag(pairs, bySamples), [pairs, bySamples]);
  const curves = useMemo(() => tagsOfCurves(pairs), [pairs]);
  const matching = full ? fullOf(pairs, full) : pairs;
  const pinned = full ? [] : pins.flatMap((pin) => pairs.filter(({ name }) => name === pin));
  const { shown, end } = useMore(matching.length, part, filter + full);
  if (error && list.length === 0) return <Failed error={error} />;
  if (!loaded) return <Loading />;
  if (scalars.length === 0) return <Empty title={t("noScalars")} code={recordScalar} />;
  const card = (pair: Pair<TagOfRuns>) => (
    <LineChart
      key={pair.name}
      tag={pair.name}
      beside={pair.curves ? [] : pair.others.map(({ tag }) => tag)}
      curves={curves.get(pair.name)}
      requests={requestsOfPair(pair, selected)}
      bySamples={requestsBySamples(pairsBySamples.get(pair.name), selected)}
    />
  );
  let room = shown;
  return (
    <>
      <Controls
        error={rule.error}
        pairs={whole.length < scalars.length}
        samples={bySamples.size > 0}
      />
      <GroupLegend />
      {matching.length === 0 && !rule.error && <Empty title={t("noTagMatch", filter)} />}
      {pinned.length > 0 && (
        <section aria-label={t("pinnedCharts")}>
          <div class="group">
            <h2>{t("pinnedCharts")}</h2>
          </div>
          <div class="cards">{pinned.map(card)}</div>
        </section>
      )}
      {groupedPairs(matching.filter((pair) => !pinned.includes(pair))).map((group) => {
        const count = group.items.reduce((sum, { others }) => sum + 1 + others.length, 0);
        const cards = group.items.slice(0, room);
        room -= cards.length;
        if (cards.length === 0) return null;
        return (
          <section key={group.name} aria-label={group.name || t("scalars")}>
            <div class="group">
              <h2>{group.name || t("scalars")}</h2>
              <span class="muted">
                {count === 1 ? t("tagsOne") : t("tagsCount", formatCount(count))}
              </span>
            </div>
            <div class="cards">{cards.map(card)}</div>
          </section>
        );
      })}
      {end}
    </>
  );
}
