// What the reader styles at. All of it is in the address, so that a link shows the same and "back"
// undoes.
import { readView, writeView } from "./address";
import { Store, useStore } from "./store";
import { defaultView, type Own, type OwnPage, type Page, type View } from "./view_state";

export const view = new Store<View>(defaultView);

// The ids that a bitmap in the address refers to. The list of runs sets them.
let known: readonly string[] = [];
let written = "";

/**
 * Changes the view. `replace` adds no step to the history: for what changes while something is
 * dragged.
 */
export function setView(change: Partial<View>, replace = false): void {
  const next = { ...view.get(), ...change };
  const fragment = writeView(next, known);
  view.set(next);
  if (fragment === written) return;
  written = fragment;
  const address = location.pathname + location.search + fragment;
  if (replace) history.replaceState(null, "", address);
  else history.pushState(null, "", address);
}

/** The pages' own state with a change for one page. */
export function withOwn<P extends OwnPage>(page: P, change: Partial<Own[P]>): Own {
  const { own } = view.get();
  return { ...own, [page]: { ...own[page], ...change } };
}

/** Changes a page's own state. */
export function setOwn<P extends OwnPage>(page: P, change: Partial<Own[P]>, replace = false): void {
  setView({ own: withOwn(page, change) }, replace);
}

/** A page's own state and a function that changes it. */
export function useOwn<P extends OwnPage>(
  page: P,
): [Own[P], (change: Partial<Own[P]>, replace?: boolean) => void] {
  const { own } = useStore(view);
  return [own[page], (change, replace) => setOwn(page, change, replace)];
}

/** Keeps only the settings that survive a change of page: those of the runs table. */
export function lasting(settings: View["settings"]): View["settings"] {
  return Object.fromEntries(Object.entries(settings).filter(([key]) => key.startsWith("runs")));
}

/** The view after opening a page: shared state stays, the pages' own state is reset. */
export function viewOf(page: Page, change: Partial<View> = {}): View {
  const now = view.get();
  return { ...now, page, own: defaultView.own, settings: lasting(now.settings), ...change };
}

/** Opens a page in its initial state, with a change. */
export function goTo(page: Page, change: Partial<View> = {}): void {
  setView(viewOf(page, change));
}

/** Goes to the view of a fragment. */
export function openView(fragment: string): void {
  setView(readView(fragment, known));
}

function read(): void {
  written = location.hash;
  const next = readView(location.hash, known);
  const { runs } = view.get();
  // The same list as long as it names the same runs: much is derived from it.
  if (runs && next.runs?.length === runs.length && next.runs.every((id, i) => id === runs[i]))
    next.runs = runs;
  view.set(next);
}

// A browser may report one change twice.
function follow(): void {
  if (location.hash !== written) read();
}

/** Starts with the view of the address and follows it. */
export function followAddress(): void {
  read();
  addEventListener("popstate", follow);
  addEventListener("hashchange", follow);
}

/** Sets the ids of all runs. A bitmap in the address can be read after that. */
export function knowRuns(ids: readonly string[]): void {
  const first = known.length === 0;
  known = ids;
  if (first && location.hash.includes("rb=")) read();
}
