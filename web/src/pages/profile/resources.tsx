// Resources: every counter of a profile over time (memory, processor, queues).
import { type Counter, getCounter, type ProfileInfo } from "../../core/api_profile";
import { formatBytes, formatNs, formatValue } from "../../core/format";
import { useLoaded } from "../../core/store";
import { useText } from "../../core/text";
import { useMore } from "../../widgets/more";
import { Failed } from "../../widgets/notice";
import { Curve } from "./curve";
import { timeAxis } from "./draw_timeline";

/** Formats bytes if the counter's name says so. */
export function counterText(name: string): (value: number) => string {
  const bytes = /byte|memory|rss/i.test(name);
  return (value) => (bytes && Math.abs(value) >= 1000 ? formatBytes(value) : formatValue(value));
}

function CounterCurve({ profile, counter }: { profile: string; counter: Counter }) {
  const t = useText();
  const { data, error } = useLoaded(`${profile}\n${counter.counter}`, (signal) =>
    getCounter({ profile, counter: counter.counter, columns: 1000 }, signal),
  );
  const text = counterText(counter.name);
  const label = [counter.process, counter.name].filter(Boolean).join(": ");
  return (
    <article class="card" aria-label={label}>
      <header>
        <h3 class="tag" title={label}>
          {counter.name}
        </h3>
        <span class="end">
          <b>{text(counter.last)}</b>
        </span>
      </header>
      {error ? (
        <Failed error={error} />
      ) : (
        <Curve
          label={label}
          data={data && { x: data.time, min: data.min, max: data.max }}
          xTicks={timeAxis}
          value={text}
        />
      )}
      <p class="muted">
        {t(
          "counterSays",
          text(counter.first),
          text(counter.last),
          text(counter.max),
          formatNs(counter.max_at),
        )}
      </p>
    </article>
  );
}

export function ResourcesView({ info }: { info: ProfileInfo }) {
  const t = useText();
  const { shown, end } = useMore(info.counters.length, 24, info.profile);
  if (info.counters.length === 0) return <p class="muted">{t("noCounters")}</p>;
  return (
    <>
      <div class="cards">
        {info.counters.slice(0, shown).map((counter) => (
          <CounterCurve key={counter.counter} profile={info.profile} counter={counter} />
        ))}
      </div>
      {end}
    </>
  );
}
