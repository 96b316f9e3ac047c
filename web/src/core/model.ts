// State of all pages: the runs, the selection, its colours and tags, and the connection.
import * as api from "./api";
import { assignSlots, GroupSlots, slotsByAge } from "./colors";
import { lineageText } from "./format";
import { ApiError, post } from "./http";
import { kept, keptOf, loadKept } from "./kept";
import { followTogether } from "./shared_changes";
import { Store } from "./store";
import { t } from "./text";
import { knowRuns, setView, view } from "./view";

export type Connection = "connecting" | "live" | "offline" | "no access";

export const connection = new Store<Connection>("connecting");
export const status = new Store<api.Status | null>(null);

export interface RunsState {
  /** The runs that match the query, pinned ones first, hidden ones only if they are shown. */
  list: api.Run[];
  hidden: number;
  total: number;
  matched: number;
  loaded: boolean;
  error: ApiError | null;
}
export const runs = new Store<RunsState>({
  list: [],
  hidden: 0,
  total: 0,
  matched: 0,
  loaded: false,
  error: null,
});
/** Whether hidden runs are listed. */
export const showHidden = new Store(false);
/** Ids of the selected runs, in the order of the table. */
export const selection = new Store<readonly string[]>([]);
/** The slot of colour and dash of each selected run. */
export const slots = new Store<ReadonlyMap<string, number>>(new Map());
export const tags = new Store<{ list: api.TagOfRuns[]; loaded: boolean; error: Error | null }>({
  list: [],
  loaded: false,
  error: null,
});
/** Grows when a selected run got more data, so that what is shown is requested again. */
export const revision = new Store(0);
/** The runs as the server listed them, in its order and with their own names. */
let listedRuns: readonly api.Run[] = [];
/** All runs, whatever the query matches: selected runs stay selected when a filter hides them. */
const everyRun = new Map<string, api.Run>();

const selectedAtFirst = 20;

/** The live runs and the newest, 20 at most. */
export function firstSelection(list: readonly api.Run[]): string[] {
  const newestFirst = [...list].sort((a, b) => b.last_time - a.last_time);
  const live = newestFirst.filter((run) => run.live);
  const newest = newestFirst.filter((run) => !run.live);
  return [...live, ...newest].slice(0, selectedAtFirst).map((run) => run.id);
}

export function runOf(id: string): api.Run | undefined {
  return everyRun.get(id);
}

/** Whether `sightline run` recorded the console of the run's command. */
export function hasConsole(id: string): boolean {
  return runOf(id)?.lineage["run.folder"] !== undefined;
}

// The last slot of each run that was selected: it gets the same when it is selected again.
const lastSlots = new Map<string, number>();

/**
 * The slots of the selected runs. Up to 30 runs have a slot each by the time they began, whatever
 * is selected. Of more, each keeps the slot that it had when it was last selected.
 */
function slotsFor(selected: readonly string[]): ReadonlyMap<string, number> {
  const whole = everyRun.size === runs.get().total;
  const usual = new Map([...slotsByAge(whole ? [...everyRun.values()] : []), ...lastSlots]);
  const next = assignSlots(
    slots.get(),
    selected,
    (id) => keptOf(id).color,
    (id) => usual.get(id),
  );
  for (const [id, slot] of next) lastSlots.set(id, slot);
  return next;
}

const slotsByKey = new Map<string, GroupSlots>();

/** In place of a key of the lineage: all selected runs are one group, or each rank is. */
export const wholeSelection = "#runs";
export const eachRank = "#rank";

/** The group of a run's rank under a key of the lineage. */
export function groupOfRank(id: string, rank: number, key: string): string {
  if (key === wholeSelection) return t("selectedRuns");
  return key === eachRank ? t("rankNumber", rank) : lineageText(runOf(id)?.lineage[key]);
}

/** The ranks of a run; a run without values counts as one. */
export function ranksOf(id: string): readonly number[] {
  const ranks = runOf(id)?.ranks ?? [];
  return ranks.length > 0 ? ranks : [0];
}

/** A function that gives the slots of the groups under a key: the same on every chart. */
export function slotsOfGroups(key: string): (name: string) => number {
  if (key === wholeSelection) return () => 0;
  const found = slotsByKey.get(key) ?? new GroupSlots();
  slotsByKey.set(key, found);
  for (const id of everyRun.keys()) {
    const ranks = key === eachRank ? ranksOf(id) : [0];
    found.add(ranks.map((rank) => groupOfRank(id, rank, key)));
  }
  return (name) => found.of(name);
}

let tagsAsked = "";
/** The inputs that the selection was computed from. */
let followed: { state: RunsState; chosen: readonly string[] | null } | null = null;

function followSelection(): void {
  const state = runs.get();
  const chosen = view.get().runs;
  if (followed && followed.state === state && followed.chosen === chosen) return;
  followed = { state, chosen };
  const wanted = chosen ?? firstSelection(state.list);
  const there = wanted.filter((id) => everyRun.has(id));
  const order = new Map(state.list.map((run, i) => [run.id, i]));
  const sorted = [...there].sort((a, b) => (order.get(a) ?? 1e9) - (order.get(b) ?? 1e9));
  if (sorted.join("\n") !== selection.get().join("\n")) {
    slots.set(slotsFor(sorted));
    selection.set(sorted);
  }
  if (state.loaded && sorted.join("\n") !== tagsAsked) void loadTags(sorted);
}

async function loadTags(ids: readonly string[]): Promise<void> {
  tagsAsked = ids.join("\n");
  const asked = tagsAsked;
  if (ids.length === 0) {
    tags.set({ list: [], loaded: true, error: null });
    return;
  }
  try {
    const list = await api.getTags(ids);
    if (asked === tagsAsked) tags.set({ list, loaded: true, error: null });
  } catch (error) {
    if (asked === tagsAsked)
      tags.set({ list: tags.get().list, loaded: true, error: error as Error });
    note(error);
  }
}

/** Updates the connection's state after an error. */
export function note(error: unknown): void {
  if (!(error instanceof ApiError)) return;
  if (error.status === 0) connection.set("offline");
  if (error.status === 401) connection.set("no access");
}

/** Scalar tags whose last values the table shows, besides the objective's. */
function columnTags(): string[] {
  const found = new Set<string>();
  for (const column of [...view.get().columns, sortColumn(view.get().sort)]) {
    const match = /^(?:last|min|max):(.*)$/.exec(column);
    if (match) found.add(match[1]!);
  }
  return [...found];
}

function sortColumn(sort: string): string {
  const match = /^-?(last|min|max)\("(.*)"\)$/.exec(sort);
  return match ? `${match[1]}:${match[2]}` : "";
}

let runsAsked = 0;
/** The generation of the newest list; -1 before the first. */
let listed = -1;
let listedSeparate = false;
/** The run of an address that was looked for among the parts. */
let probed = "";

export async function loadRuns(): Promise<void> {
  const asked = ++runsAsked;
  const { query, sort, separate } = view.get();
  if (separate !== listedSeparate) everyRun.clear();
  listedSeparate = separate;
  try {
    const chosen = columnTags();
    // Named tags replace the objective's in the response. The table needs both, so the objective is
    // named once it is known.
    const objectives =
      chosen.length > 0
        ? [
            ...new Set(
              runs
                .get()
                .list.map((run) => run.objective)
                .filter((tag) => tag !== undefined),
            ),
          ]
        : [];
    const response = await api.getRuns(
      query,
      sort,
      [...new Set([...chosen, ...objectives])].slice(0, 50),
      separate,
    );
    if (asked !== runsAsked) return;
    listed = response.generation;
    listedRuns = response.runs;
    const shown = arrange(listedRuns);
    for (const run of shown.all) everyRun.set(run.id, run);
    if (query === "") {
      const there = new Set(response.runs.map((run) => run.id));
      for (const id of [...everyRun.keys()]) if (!there.has(id)) everyRun.delete(id);
      knowRuns(response.runs.map((run) => run.id));
    }
    const previous = runs.get();
    runs.set({
      list: shown.list,
      hidden: shown.hidden,
      total: response.total,
      matched: response.matched,
      loaded: true,
      error: null,
    });
    if (
      previous.list.length === 0 &&
      columnTags().length > 0 &&
      response.runs.some((run) => run.objective && !run.values[run.objective])
    )
      void loadRuns();
    followSelection();
    await separateForLink();
  } catch (error) {
    if (asked !== runsAsked) return;
    note(error);
    runs.set({ ...runs.get(), loaded: true, error: error as ApiError });
  }
}

/**
 * A link that was made before its runs were joined, or while they were shown separately, names parts
 * of runs: it shows them.
 */
async function separateForLink(): Promise<void> {
  const { runs: named, separate, query } = view.get();
  const [first] = named ?? [];
  if (separate || query !== "" || first === undefined || status.get()?.join === false) return;
  if (selection.get().length > 0 || !listedRuns.some(({ parts }) => parts > 0)) return;
  if (first === probed) return;
  probed = first;
  if ((await namedParts([first])).length > 0) setView({ separate: true }, true);
}

/** Those of the ids that are directories which were joined into other runs. */
export async function namedParts(ids: readonly string[]): Promise<string[]> {
  // The response leaves out ids that are not there. Hardly a run has sounds, so it is short.
  return (await post("tags", { runs: [...ids], kind: "audio" })).runs;
}

/**
 * Whether something changed in a run. The server names the joined run of a directory, which is the
 * folder in which the directory lies.
 */
export function isChanged(id: string, changed: ReadonlySet<string>): boolean {
  const root = /^\d+:/.exec(id)?.[0] ?? "";
  if (changed.has(id) || changed.has(`${root}.`)) return true;
  for (let end = id.lastIndexOf("/"); end > 0; end = id.lastIndexOf("/", end - 1))
    if (changed.has(id.slice(0, end))) return true;
  return false;
}

/**
 * The runs in the order of the table, under the names that people gave them: pinned ones first,
 * without hidden ones.
 */
export function arrange(list: readonly api.Run[]): {
  all: api.Run[];
  list: api.Run[];
  hidden: number;
} {
  const all = list.map((run) => {
    const { name } = keptOf(run.id);
    return name ? { ...run, name } : run;
  });
  const seen = showHidden.get() ? all : all.filter((run) => !keptOf(run.id).hidden);
  const pinned = seen.filter((run) => keptOf(run.id).pinned);
  const order =
    pinned.length > 0 ? [...pinned, ...seen.filter((run) => !keptOf(run.id).pinned)] : seen;
  return { all, list: order, hidden: all.filter((run) => keptOf(run.id).hidden).length };
}

/** Applies a change of names, pins or hiding without a request. */
function rearrange(): void {
  const state = runs.get();
  if (!state.loaded) return;
  const shown = arrange(listedRuns);
  for (const run of shown.all) everyRun.set(run.id, run);
  runs.set({ ...state, list: shown.list, hidden: shown.hidden });
  const held = slotsFor(selection.get());
  if ([...held].some(([id, slot]) => slots.get().get(id) !== slot)) slots.set(held);
  followSelection();
}

export function select(ids: readonly string[] | null): void {
  setView({ runs: ids });
}

export function toggleRun(id: string): void {
  const chosen = selection.get();
  select(chosen.includes(id) ? chosen.filter((other) => other !== id) : [...chosen, id]);
}

let asked = "";

function listKey(): string {
  const { query, sort, columns, separate } = view.get();
  return JSON.stringify([query, sort, columns, separate]);
}

/** Loads everything once, then follows the changes while the page is open. */
export async function start(): Promise<void> {
  asked = listKey();
  view.subscribe(() => {
    followSelection();
    void separateForLink();
    if (listKey() !== asked) {
      asked = listKey();
      void loadRuns();
    }
  });
  kept.subscribe(rearrange);
  showHidden.subscribe(rearrange);
  let generation = -1;
  let wait = 500;
  void loadRuns();
  // A page that is left lets its connection go, and takes it up when the browser shows it again.
  let visit = new AbortController();
  let shown = Promise.resolve();
  addEventListener("pagehide", () => {
    shown = new Promise((resolve) =>
      addEventListener(
        "pageshow",
        () => {
          visit = new AbortController();
          resolve();
        },
        { once: true },
      ),
    );
    visit.abort();
  });
  for (;;) {
    const { signal } = visit;
    try {
      await followTogether(signal, (event, data) => {
        if (data === null) {
          connection.set("offline");
          return;
        }
        connection.set("live");
        wait = 500;
        if (event === "hello") {
          status.set(data as api.Status);
          if ((data as api.Status).kept) loadKept().catch(note);
          const seen = generation >= 0 ? generation : listed;
          if (seen >= 0 && data.generation !== seen) refresh(null);
        } else if (event === "kept") {
          loadKept().catch(note);
        } else {
          const { loading, runs: changed } = data as api.Changes;
          const known = status.get();
          if (known) status.set({ ...known, loading, generation: data.generation });
          refresh(changed.map((run) => run.run));
        }
        generation = data.generation;
      });
      if (!signal.aborted) connection.set("offline");
    } catch (error) {
      if (!signal.aborted) note(error);
      if (connection.get() === "no access") return;
      if (!signal.aborted) connection.set("offline");
    }
    if (signal.aborted) {
      await shown;
      continue;
    }
    await new Promise((resolve) => setTimeout(resolve, wait));
    wait = Math.min(wait * 2, 10000);
    generation = Math.max(generation, 0);
  }
}

// Changed runs that were not requested yet; null: any run may have changed.
let changes: Set<string> | null = new Set();
let refreshing = false;

/** Requests the list again, and what is shown of the selected runs. */
function refresh(changed: readonly string[] | null): void {
  if (changed === null) changes = null;
  else for (const id of changed) changes?.add(id);
  if (refreshing) return;
  refreshing = true;
  setTimeout(() => {
    refreshing = false;
    const seen = changes;
    changes = new Set();
    void loadRuns().then(() => {
      if (seen === null || selection.get().some((id) => isChanged(id, seen))) {
        tagsAsked = "";
        void loadTags(selection.get());
        revision.set(revision.get() + 1);
      }
    });
  }, 300);
}
