// Keys that work on every page, except while typing.
import { toggleTheme } from "../core/colors";
import { runs, toggleRun } from "../core/model";
import { Store } from "../core/store";
import { goTo, setOwn, setView, view, withOwn } from "../core/view";
import { pages } from "../core/view_state";

/** The run that j and k move from. */
export const currentRun = new Store<string>("");

function moveRun(by: number): void {
  const list = runs.get().list;
  if (list.length === 0) return;
  const at = list.findIndex((run) => run.id === currentRun.get());
  const next = list[Math.min(list.length - 1, Math.max(0, at + by))] ?? list[0]!;
  currentRun.set(next.id);
}

function focus(selector: string): boolean {
  const element = document.querySelector<HTMLElement>(selector);
  element?.focus();
  return element !== null;
}

export function handleKey(
  event: KeyboardEvent,
  dialogs: { find: () => void; help: () => void },
): void {
  if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "k") {
    event.preventDefault();
    dialogs.find();
    return;
  }
  const target = event.target as HTMLElement;
  const writing = target.closest(
    "input:not([type=checkbox]):not([type=range]), select, textarea, dialog",
  );
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || writing) return;
  const now = view.get();
  const page = pages[Number(event.key) - 1];
  if (page) goTo(page);
  else if (event.key === "?") dialogs.help();
  else if (event.key === "j") moveRun(1);
  else if (event.key === "k") moveRun(-1);
  else if (event.key === "x" && currentRun.get() !== "") toggleRun(currentRun.get());
  else if (event.key === "/" && (focus(".page .filter") || focus(".query"))) event.preventDefault();
  else if (event.key === "s" && focus(".smoothing")) event.preventDefault();
  else if (event.key === "l") setView({ log: !now.log });
  else if (event.key === "d") toggleTheme();
  else if (event.key === "0") setView({ range: null, own: withOwn("scalars", { rangeY: null }) });
  else if (event.key === "Escape" && now.own.scalars.full !== "")
    setOwn("scalars", { full: "", rangeY: null });
  else if (event.key === "Escape" && now.own.media.lens !== "") setOwn("media", { lens: "" });
}
