// The frame of every page: the head, the table of runs, the names of the pages, and the page.

import { useEffect, useRef, useState } from "preact/hooks";
import { writeView } from "./core/address";
import { toggleTheme } from "./core/colors";
import { recordRun } from "./core/examples";
import { formatCount } from "./core/format";
import { connection, hasConsole, loadRuns, runs, selection, status, tags } from "./core/model";
import { countOn } from "./core/plugins";
import { useStore } from "./core/store";
import { language, setLanguage, useText } from "./core/text";
import { goTo, setView, view, viewOf } from "./core/view";
import { type Page, pages } from "./core/view_state";
import { Overview } from "./pages/overview/overview";
import { Differences } from "./pages/runs/differences";
import { openRun, RunDialog } from "./pages/runs/run_dialog";
import { RunsTable } from "./pages/runs/runs_table";
import { Scalars } from "./pages/scalars/scalars";
import { Finder, KeyHelp } from "./widgets/finder";
import { Icon, IconButton } from "./widgets/icons";
import { handleKey } from "./widgets/keys";
import { type ComponentType, lazy } from "./widgets/lazy";
import { Empty, Loading } from "./widgets/notice";
import { SavedViews } from "./widgets/saved_views";

const components: Record<Page, ComponentType> = {
  overview: Overview,
  scalars: Scalars,
  distributions: lazy(() =>
    import("./pages/distributions/distributions").then((m) => m.Distributions),
  ),
  media: lazy(() => import("./pages/media/media").then((m) => m.Media)),
  tensors: lazy(() => import("./pages/tensors/tensors").then((m) => m.Tensors)),
  graphs: lazy(() => import("./pages/graphs/graphs").then((m) => m.Graphs)),
  lineage: lazy(() => import("./pages/lineage/lineage").then((m) => m.Lineage)),
  landscape: lazy(() => import("./pages/landscape/landscape").then((m) => m.Landscapes)),
  profile: lazy(() => import("./pages/profile/profile").then((m) => m.Profile)),
  log: lazy(() => import("./pages/log/log").then((m) => m.Log)),
  compare: lazy(() => import("./pages/compare/compare").then((m) => m.Compare)),
};

function Tabs() {
  const t = useText();
  const now = useStore(view);
  const { list } = useStore(tags);
  const bar = useRef<HTMLElement>(null);
  useEffect(() => {
    // On a narrow screen the tabs scroll sideways.
    bar.current
      ?.querySelector("[aria-current]")
      ?.scrollIntoView({ block: "nearest", inline: "center" });
  }, [now.page]);
  const counts = Object.fromEntries(pages.map((page) => [page, countOn(page, list)]));
  const selected = useStore(selection);
  const isEmpty = (page: Page) =>
    page === "log"
      ? !selected.some(hasConsole)
      : page === "compare"
        ? selected.length < 2
        : counts[page] === 0;
  return (
    <nav class="tabs" ref={bar} aria-label={t("pages")}>
      {pages.map((page) => (
        <a
          key={page}
          class={isEmpty(page) ? "none" : undefined}
          aria-current={now.page === page ? "page" : undefined}
          href={writeView(viewOf(page), [])}
          onClick={(event) => {
            if (event.ctrlKey || event.metaKey || event.shiftKey) return;
            event.preventDefault();
            goTo(page);
          }}
        >
          {t(page)}
          {counts[page] === undefined ? (
            ""
          ) : (
            <>
              {" "}
              <span class="count">{counts[page]}</span>
            </>
          )}
        </a>
      ))}
    </nav>
  );
}

function Head({
  onFind,
  onHelp,
  onRuns,
}: {
  onFind: () => void;
  onHelp: () => void;
  onRuns: () => void;
}) {
  const t = useText();
  const now = useStore(status);
  const { list } = useStore(runs);
  const live = list.filter((run) => run.state === "running").length;
  const damage = list.reduce((sum, run) => sum + (run.damage || 0), 0);
  const root = now?.roots.join(" ") ?? "";
  return (
    <header class="head">
      <IconButton name="rows" label={t("showRuns")} onClick={onRuns} />
      <div class="mark">
        <Icon name="mark" />
        <span>Sightline</span>
      </div>
      <code class="root muted" title={root}>
        {root}
      </code>
      <button type="button" class="find" onClick={onFind}>
        <span>{t("search")}</span> <kbd>Ctrl K</kbd>
      </button>
      {live > 0 && (
        <span class="chip">
          <i class="dot" />
          {live}
          <span class="words">{t("running", "").trim()}</span>
        </span>
      )}
      {damage > 0 && (
        <span class="chip warning">
          {damage === 1 ? t("damagedOne") : t("damaged", formatCount(damage))}
        </span>
      )}
      <SavedViews />
      <IconButton name="help" label={t("keys")} onClick={onHelp} />
      <button
        type="button"
        class="plain"
        lang={language.get() === "zh" ? "en" : "zh-CN"}
        onClick={() => setLanguage(language.get() === "zh" ? "en" : "zh")}
      >
        {t("language")}
      </button>
      <IconButton name="theme" label={t("theme")} onClick={toggleTheme} />
    </header>
  );
}

function Body() {
  const t = useText();
  const { page, query, runs: named } = useStore(view);
  const state = useStore(runs);
  const chosen = useStore(selection);
  const known = useStore(status);
  const link = useStore(connection);
  if (link === "no access")
    return (
      <div class="notice" role="alert">
        <h2>{t("noAccess")}</h2>
        <p>{t("noAccessHow")}</p>
      </div>
    );
  if (!state.loaded) return <Loading />;
  if (state.error && state.list.length === 0 && !state.error.column) {
    return (
      <div class="notice" role="alert">
        <p class="danger">{t("failed", state.error.message)}</p>
        <p>
          <button type="button" onClick={() => void loadRuns()}>
            {t("retry")}
          </button>
        </p>
      </div>
    );
  }
  const Current = components[page];
  if (page === "profile" || page === "graphs") return <Current key={page} />; // Profiles and dumps do not need a run.
  if (state.total === 0) {
    if (!known || known.loading) return <Loading />;
    return (
      <Empty
        title={`${t("noRuns")}. ${t("noRunsHow")}`}
        code={`# ${known?.roots.join(" ") ?? ""}\n${recordRun}`}
      />
    );
  }
  if (state.list.length === 0 && query !== "")
    return (
      <Empty
        title={t("noMatch")}
        action={t("clearQuery")}
        onAction={() => setView({ query: "" })}
      />
    );
  if (chosen.length === 0 && named && named.length > 0 && !known?.loading) {
    return (
      <Empty
        title={t("runsGone", named.slice(0, 3).join(", "))}
        action={t("selectFirst")}
        onAction={() => setView({ runs: null })}
      />
    );
  }
  if (chosen.length === 0 && page !== "lineage") return <Empty title={t("noneSelected")} />;
  return <Current key={page} />;
}

/** In a narrow window the table of runs lies over the page (style.css). */
const narrow = matchMedia("(max-width: 720px)");

/** Whether the table of runs is shown. It closes when the window becomes narrow, and on Escape there. */
function useTable(): [boolean, (shown: boolean) => void] {
  const [shown, setShown] = useState(!narrow.matches);
  useEffect(() => {
    const onWidth = () => setShown(!narrow.matches);
    const onKey = (event: KeyboardEvent) => {
      const inDialog = (event.target as Element).closest?.("dialog");
      if (event.key === "Escape" && narrow.matches && !inDialog) setShown(false);
    };
    narrow.addEventListener("change", onWidth);
    addEventListener("keydown", onKey);
    return () => {
      narrow.removeEventListener("change", onWidth);
      removeEventListener("keydown", onKey);
    };
  }, []);
  return [shown, setShown];
}

export function App() {
  const t = useText();
  const [dialog, setDialog] = useState<"" | "find" | "help">("");
  const [table, setTable] = useTable();
  const link = useStore(connection);
  const known = useStore(status);
  const { page, diff } = useStore(view);
  const details = useStore(openRun);
  const state = useStore(runs);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) =>
      handleKey(event, { find: () => setDialog("find"), help: () => setDialog("help") });
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, []);
  useEffect(() => {
    document.title = `${t(page)} – Sightline`;
  });
  return (
    <div class="frame">
      <Head
        onFind={() => setDialog("find")}
        onHelp={() => setDialog("help")}
        onRuns={() => setTable(!table)}
      />
      {table ? <RunsTable /> : <span />}
      <main class="main">
        <Tabs />
        {link === "offline" && (
          <p class="strip" role="status">
            {t("offline")}
          </p>
        )}
        {known?.loading && link === "live" && (
          <p class="strip muted" role="status">
            {t("stillReading")}
          </p>
        )}
        <div class="page" tabIndex={-1}>
          <h1 class="hidden-text">{t(page)}</h1>
          <Body />
        </div>
      </main>
      {diff && state.loaded && <Differences />}
      {details && <RunDialog run={details} />}
      {dialog === "find" && <Finder onClose={() => setDialog("")} />}
      {dialog === "help" && <KeyHelp onClose={() => setDialog("")} />}
    </div>
  );
}
