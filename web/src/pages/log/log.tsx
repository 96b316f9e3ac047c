// The page Log: what the command of a run printed, which `sightline run` recorded.
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { spansOf } from "../../core/console_text";
import { recordConsole } from "../../core/examples";
import { formatBytes, formatTime } from "../../core/format";
import { ApiError } from "../../core/http";
import { hasConsole, runOf, selection } from "../../core/model";
import { useEvent, useLoaded, useStore } from "../../core/store";
import { useText } from "../../core/text";
import { goTo, useOwn } from "../../core/view";
import { IconButton } from "../../widgets/icons";
import { Empty, Failed, Loading } from "../../widgets/notice";
import {
  type ConsoleLine,
  find,
  open,
  type Shown,
  type Which,
  withEarlier,
  withLater,
} from "./lines";

const pollMilliseconds = 1000;
// So near to an end of what is loaded, more is loaded.
const nearPixels = 600;
// Charts show so many seconds before and after a line.
const aroundSeconds = 300;

const clock = (seconds: number) => formatTime(seconds).slice(11);

/** `before`: the time of the line before, which is shown once. */
function Line({
  line,
  before,
  marked,
}: {
  line: ConsoleLine;
  before: number | null;
  marked: boolean;
}) {
  const t = useText();
  const { time } = line;
  return (
    <div class={marked ? "line marked" : "line"} data-offset={line.offset}>
      {time === null || time === before ? (
        <span class="when" />
      ) : (
        <button
          type="button"
          class="plain when"
          title={t("logCharts", formatTime(time))}
          onClick={() =>
            goTo("scalars", { axis: "time", range: [time - aroundSeconds, time + aroundSeconds] })
          }
        >
          {clock(time)}
        </button>
      )}
      <span class="words">
        {spansOf(line.text).map(({ text, style }, i) => (
          <span key={i} class={style}>
            {text}
          </span>
        ))}
        {line.cut && <i class="muted"> {t("logCut")}</i>}
      </span>
    </div>
  );
}

/** The first byte of the line that has a byte; -1 if there is no such line. */
function lineAt(lines: readonly ConsoleLine[], offset: number): number {
  return lines.findLast((line) => line.offset <= offset)?.offset ?? -1;
}

/** Where a line is in the pane, in pixels from the top of all lines. */
function topOf(pane: HTMLElement, offset: number): number | undefined {
  return pane.querySelector<HTMLElement>(`[data-offset="${offset}"]`)?.offsetTop;
}

/** Lines that scroll, with more at both ends as they are needed. */
function Lines({ which, first, place }: { which: Which; first: Shown; place: string }) {
  const t = useText();
  const [shown, setShown] = useState(first);
  const box = useRef<HTMLDivElement>(null);
  const busy = useRef(false);
  // Whether the end is in view: then new lines keep it there.
  const atEnd = useRef(place === "");
  // The line that stays where it is while others are added above it.
  const anchor = useRef<{ offset: number; top: number } | null>(null);

  const keepPlace = () => {
    const pane = box.current;
    if (!pane) return;
    for (const { offset } of shown.lines) {
      const top = (topOf(pane, offset) ?? 0) - pane.scrollTop;
      if (top < 0) continue;
      anchor.current = { offset, top };
      return;
    }
  };
  const putPlace = useEvent(() => {
    const pane = box.current;
    if (!pane) return;
    const middle = { offset: lineAt(shown.lines, shown.at), top: pane.clientHeight / 3 };
    const { offset, top } = anchor.current ?? middle;
    if (atEnd.current) pane.scrollTop = pane.scrollHeight;
    else pane.scrollTop = (topOf(pane, offset) ?? 0) - top;
  });
  useLayoutEffect(putPlace, [shown, putPlace]);

  const add = useEvent(async (more: typeof withLater) => {
    if (busy.current) return;
    busy.current = true;
    try {
      const next = await more(which, shown);
      keepPlace();
      setShown(next);
    } catch {
      // What is shown stays; the next scroll or poll tries again.
    } finally {
      busy.current = false;
    }
  });
  const onScroll = () => {
    const pane = box.current;
    if (!pane) return;
    const below = pane.scrollHeight - pane.clientHeight - pane.scrollTop;
    atEnd.current = below < 2 && shown.end >= shown.size;
    if (pane.scrollTop < nearPixels && shown.begin > 0) void add(withEarlier);
    else if (below < nearPixels && shown.end < shown.size) void add(withLater);
  };
  useEffect(() => {
    if (!shown.running) return;
    const timer = setInterval(() => {
      if (!document.hidden && atEnd.current) void add(withLater);
    }, pollMilliseconds);
    return () => clearInterval(timer);
  }, [shown.running, add]);

  const marked = place === "" ? -1 : lineAt(shown.lines, shown.at);
  return (
    <>
      <section
        class="console mono"
        ref={box}
        onScroll={onScroll}
        aria-label={t("logOf")}
        tabIndex={0}
      >
        {shown.lines.map((line, i) => (
          <Line
            key={line.offset}
            line={line}
            before={shown.lines[i - 1]?.time ?? null}
            marked={line.offset === marked}
          />
        ))}
      </section>
      <p class="muted">
        {shown.folder} · {formatBytes(shown.size)}
        {shown.running && ` · ${t("logFollowing")}`}
      </p>
    </>
  );
}

function Search({
  which,
  from,
  onFound,
}: {
  which: Which;
  from: number;
  onFound: (offset: number) => void;
}) {
  const t = useText();
  const [text, setText] = useState("");
  const [said, setSaid] = useState("");
  // Where the search goes on: at the last match, or at the end of what was searched.
  const at = useRef(from);
  useEffect(() => {
    at.current = from;
  }, [from]);
  const search = async (forward: boolean) => {
    if (text === "") return;
    const begin = at.current;
    const where = forward ? { from: begin + 1 } : { before: begin };
    try {
      const found = await find(which, text, where);
      at.current = found.offset ?? found.searched_to;
      const searched = Math.abs(found.searched_to - begin);
      const whole = 1 << 26;
      if (found.offset !== null) onFound(found.offset);
      setSaid(
        found.offset !== null
          ? ""
          : searched >= whole
            ? t("logSearchedPart", text, formatBytes(searched))
            : t("logNoMatch", text),
      );
    } catch (error) {
      setSaid(String(error instanceof Error ? error.message : error));
    }
  };
  return (
    <>
      <input
        type="search"
        class="filter"
        aria-label={t("logSearch")}
        placeholder={t("logSearch")}
        value={text}
        maxLength={300}
        onInput={(event) => setText(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === "Enter") void search(!event.shiftKey);
        }}
      />
      <IconButton name="left" label={t("logPrevious")} onClick={() => void search(false)} />
      <IconButton name="right" label={t("logNext")} onClick={() => void search(true)} />
      <span class="muted" role="status">
        {said}
      </span>
    </>
  );
}

export function Log() {
  const t = useText();
  const selected = useStore(selection);
  const [{ run: named, rank, place }, setOwn] = useOwn("log");
  const run = named !== "" ? named : (selected.find(hasConsole) ?? selected[0] ?? "");
  const which = { run, rank };
  const key = run === "" ? "" : `${run}\n${rank}\n${place}`;
  const { data, error } = useLoaded(key, (signal) => open(which, place, signal));
  const choices = named === "" || selected.includes(named) ? selected : [named, ...selected];
  return (
    <>
      <div class="bar" role="group" aria-label={t("log")}>
        {choices.length > 1 && (
          <select
            aria-label={t("name")}
            value={run}
            onChange={(event) => setOwn({ run: event.currentTarget.value, rank: "", place: "" })}
          >
            {choices.map((id) => (
              <option key={id} value={id}>
                {runOf(id)?.name ?? id}
              </option>
            ))}
          </select>
        )}
        {data && data.ranks.length > 1 && (
          <label>
            {t("logRank")}
            <select
              value={data.rank === null ? "" : String(data.rank)}
              onChange={(event) => setOwn({ rank: event.currentTarget.value, place: "" })}
            >
              {data.ranks.map((one) => (
                <option key={one} value={one === null ? "" : String(one)}>
                  {one === null ? t("logWithoutRank") : one}
                </option>
              ))}
            </select>
          </label>
        )}
        {data && (
          <>
            <Search
              which={which}
              from={place === "" ? data.size : data.at}
              onFound={(offset) => setOwn({ place: `byte:${offset}` }, true)}
            />
            <button type="button" onClick={() => setOwn({ place: "byte:0" }, true)}>
              {t("logBegin")}
            </button>
            <button type="button" onClick={() => setOwn({ place: "" }, true)}>
              {t("logEnd")}
            </button>
          </>
        )}
      </div>
      {error instanceof ApiError && error.status === 404 && place === "" ? (
        <Empty title={t("noConsole")} code={recordConsole} />
      ) : error ? (
        <Failed error={error} />
      ) : data ? (
        <Lines key={`${key}\n${data.at}`} which={which} first={data} place={place} />
      ) : (
        key !== "" && <Loading />
      )}
    </>
  );
}
