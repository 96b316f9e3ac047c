// The table of runs: legend and selector and, if it is wide, a page of its own. The pages compare
// the selected runs.
import { useEffect, useRef, useState } from "preact/hooks";
import { formatCount } from "../../core/format";
import { runs, select, selection, showHidden, status } from "../../core/model";
import { useNumber } from "../../core/setting";
import { useStore } from "../../core/store";
import { useText } from "../../core/text";
import { goTo, setView, view } from "../../core/view";
import { ColumnChooser } from "./columns";
import { Facets } from "./facets";
import { Rows } from "./rows";

const least = 220;

const usual = 320;

// A query that is being written is not judged before this many milliseconds without a key.
const pause = 1500;

/** Whether somebody is writing into a field: since a key, until it is left, Enter, or a pause. */
function useWriting() {
  const [writing, setWriting] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout>>();
  const end = () => {
    clearTimeout(timer.current);
    setWriting(false);
  };
  const begin = () => {
    clearTimeout(timer.current);
    timer.current = setTimeout(end, pause);
    setWriting(true);
  };
  useEffect(() => () => clearTimeout(timer.current), []);
  return { writing, begin, end };
}

/** The field for a query, and why the server refused it. */
function QueryField() {
  const t = useText();
  const now = useStore(view);
  const { error } = useStore(runs);
  const [query, setQuery] = useState(now.query);
  const { writing, begin, end } = useWriting();
  useEffect(() => setQuery(now.query), [now.query]);
  useEffect(() => {
    if (query === now.query) return;
    const timer = setTimeout(() => setView({ query }, true), 400);
    return () => clearTimeout(timer);
  }, [query, now.query]);
  const broken = error?.status === 400 && !writing ? error : null;
  return (
    <>
      <input
        type="search"
        class="query"
        aria-label={t("query")}
        placeholder={t("query")}
        value={query}
        aria-invalid={broken !== null}
        onInput={(event) => {
          setQuery(event.currentTarget.value);
          begin();
        }}
        onBlur={end}
        onKeyDown={(event) => {
          if (event.key !== "Enter") return;
          setView({ query });
          end();
        }}
      />
      {broken && (
        <p class="danger" role="alert">
          {broken.message}
        </p>
      )}
    </>
  );
}

/** The edge of the table, which changes its width. */
function Grip({ width, onWidth }: { width: number; onWidth: (width: number) => void }) {
  const t = useText();
  const set = (next: number) => onWidth(Math.min(innerWidth - 200, Math.max(least, next)));
  return (
    <div
      class="grip"
      role="separator"
      tabIndex={0}
      aria-orientation="vertical"
      aria-label={t("resize")}
      aria-valuenow={width}
      aria-valuemin={least}
      aria-valuemax={2000}
      onKeyDown={(event) => {
        if (event.key === "ArrowLeft") set(width - 40);
        else if (event.key === "ArrowRight") set(width + 40);
        else return;
        event.preventDefault();
      }}
      onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
      onPointerMove={(event) => {
        if (event.buttons === 1) set(event.clientX);
      }}
    />
  );
}

/** Shows the directories of joined runs by themselves, and back. */
function JoinSwitch() {
  const t = useText();
  const { separate } = useStore(view);
  const { list } = useStore(runs);
  const known = useStore(status);
  if (known?.join === false || !(separate || list.some(({ parts }) => parts > 0))) return null;
  return (
    <button
      type="button"
      class="plain"
      title={t("separateRunsHow")}
      aria-pressed={separate}
      onClick={() => setView({ separate: !separate, runs: null })}
    >
      {t("separateRuns")}
    </button>
  );
}

export function RunsTable() {
  const t = useText();
  const state = useStore(runs);
  const chosen = useStore(selection);
  const [width, setWidth] = useNumber("runs", usual);
  const wide = width > 480;
  const hidden = useStore(showHidden);
  const plain = (label: string, press: () => void) => (
    <button type="button" class="plain" onClick={press}>
      {label}
    </button>
  );
  return (
    <section class="side" aria-label={t("runs")} style={{ width: `${width}px` }}>
      <div class="tools">
        <QueryField />
        <div class="row-tools">
          <span class="muted" role="status">
            {t("runsOf", formatCount(state.matched), formatCount(state.total))}
          </span>
          {plain(wide ? t("narrow") : t("widen"), () =>
            setWidth(wide ? usual : Math.max(least, innerWidth - 420)),
          )}
          {chosen.length > 1 && plain(t("differences"), () => setView({ diff: true }))}
          {chosen.length === 2 && plain(t("compare"), () => goTo("compare"))}
          {state.hidden > 0 && (
            <button
              type="button"
              class="plain"
              aria-pressed={hidden}
              onClick={() => showHidden.set(!hidden)}
            >
              {t("hiddenRuns", formatCount(state.hidden))}
            </button>
          )}
          <JoinSwitch />
          {state.total > 1 && <Facets />}
          {wide && <ColumnChooser />}
        </div>
      </div>
      {state.loaded && state.list.length === 0 && state.total > 0 && !state.error && (
        <p class="foot">{t("noMatch")}</p>
      )}
      <Rows wide={wide} />
      <div class="foot">
        <span role="status">{t("selected", formatCount(chosen.length))}</span>
        <span>
          {plain(t("selectAll"), () => select(state.list.map((run) => run.id)))}
          {plain(t("selectNone"), () => select([]))}
          {plain(t("selectFirst"), () => select(null))}
        </span>
      </div>
      <Grip width={width} onWidth={setWidth} />
    </section>
  );
}
