// What is looked at, all of it in the address, so that a link shows the same and "back" undoes.
import { Store } from "./store";

export const pages = [
  "overview",
  "scalars",
  "distributions",
  "media",
  "tensors",
  "graphs",
  "lineage",
  "landscape",
  "profile",
] as const;
export type Page = (typeof pages)[number];

/** What kinds of values a page is of, for the pages that are of values. */
export const kindsOfPage: Partial<Record<Page, readonly string[]>> = {
  scalars: ["scalar"],
  distributions: ["histogram"],
  media: ["image", "audio", "text", "plugin"],
  tensors: ["tensor"],
  landscape: ["landscape"],
};
export type Axis = "step" | "relative" | "time";

export interface View {
  page: Page;
  /** Ids of the selected runs; null: the ones that are selected at first. */
  runs: readonly string[] | null;
  query: string;
  sort: string;
  /** Columns of the runs table behind the name: "last:loss", "min:loss", "max:loss", "lineage:key". */
  columns: readonly string[];
  filter: string;
  axis: Axis;
  log: boolean;
  smoothing: number;
  range: readonly [number, number] | null;
  /** The tag, graph or landscape that a page shows alone. */
  item: string;
  /** The run of that item. */
  run: string;
  step: number | null;
  mode: string;
  /** The scopes that are unfolded on the page Graphs. */
  open: readonly string[];
  /** The chart that fills the page. */
  full: string;
  /** Values of a tag that its chart marks by a line. */
  levels: readonly { tag: string; value: number }[];
  /** The key of the lineage whose values put runs into groups; "": every run has its own line. */
  group: string;
  /** The key whose values group the rows of the runs table; "": none. */
  rowsBy: string;
  /** In the chart that fills the page: the tag on a second y axis, and the tag in place of the x axis. */
  second: string;
  against: string;
  /** Whether what differs between the selected runs is shown. */
  diff: boolean;
  /** Tags whose charts stand above all others. */
  pins: readonly string[];
  /** Whether the x axis is logarithmic. */
  logX: boolean;
  /** Whether the y axes leave out the outermost values. */
  clip: boolean;
  /** The y axis of the chart that fills the page. */
  rangeY: readonly [number, number] | null;
  /** Whether each tag has its own chart: else validation stands with training. */
  apart: boolean;
  /** What a page lets set besides (parts/setting.ts), by key. */
  settings: Readonly<Record<string, string>>;
  /** What the timeline of a profile shows, in nanoseconds from its start. */
  window: readonly [number, number] | null;
}

export const defaultView: View = {
  page: "overview",
  runs: null,
  query: "",
  sort: "-time",
  columns: [],
  filter: "",
  axis: "step",
  log: false,
  smoothing: 0,
  range: null,
  item: "",
  run: "",
  step: null,
  mode: "",
  open: [],
  full: "",
  window: null,
  levels: [],
  group: "",
  rowsBy: "",
  second: "",
  against: "",
  diff: false,
  pins: [],
  logX: false,
  clip: false,
  rangeY: null,
  apart: false,
  settings: {},
};

// More runs than this are written as a bitmap over the sorted ids of all of them.
const namesAtMost = 12;

/** One bit a run of `all` in its sorted order, as base64url. */
export function packRuns(chosen: readonly string[], all: readonly string[]): string {
  const sorted = [...all].sort();
  const set = new Set(chosen);
  const bytes = new Uint8Array(Math.ceil(sorted.length / 8));
  sorted.forEach((id, i) => {
    if (set.has(id)) bytes[i >> 3]! |= 1 << (i & 7);
  });
  let end = bytes.length;
  while (end > 0 && bytes[end - 1] === 0) end--;
  let text = "";
  for (let i = 0; i < end; i++) text += String.fromCharCode(bytes[i]!);
  return btoa(text).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

export function unpackRuns(packed: string, all: readonly string[]): string[] {
  let text: string;
  try {
    text = atob(packed.replaceAll("-", "+").replaceAll("_", "/"));
  } catch {
    return [];
  }
  const sorted = [...all].sort();
  return sorted.filter((_, i) => ((text.charCodeAt(i >> 3) || 0) >> (i & 7)) & 1);
}

const list = (items: readonly string[]) => items.map((item) => encodeURIComponent(item)).join(",");
const unlist = (text: string) =>
  text
    .split(",")
    .filter((item) => item !== "")
    .map(decode);

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function readRange(text: string): [number, number] | null {
  const [lo = NaN, hi = NaN] = text.split("~").map(Number);
  return lo < hi && Number.isFinite(hi - lo) ? [lo, hi] : null;
}

function readLevel(text: string): { tag: string; value: number }[] {
  const end = text.lastIndexOf("~");
  const value = Number(text.slice(end + 1));
  return end > 0 && text.length > end + 1 && Number.isFinite(value)
    ? [{ tag: text.slice(0, end), value }]
    : [];
}

function readSetting(text: string): [string, string][] {
  const end = text.lastIndexOf("~");
  return end > 0 ? [[text.slice(0, end), text.slice(end + 1)]] : [];
}

/** The settings that stay when another page is opened: those of the runs table. */
export function lasting(settings: View["settings"]): View["settings"] {
  return Object.fromEntries(Object.entries(settings).filter(([key]) => key.startsWith("runs")));
}

/** The fragment of a view, as short as it can be: what is as by default is left out. */
export function writeView(view: View, allRuns: readonly string[]): string {
  const parts: string[] = [];
  const add = (key: string, value: string) => parts.push(`${key}=${value}`);
  const text = (key: string, value: string) =>
    value !== "" && add(key, encodeURIComponent(value).replaceAll("%2F", "/"));
  if (view.runs !== null) {
    const packed = view.runs.length > namesAtMost && allRuns.length > 0;
    if (packed) add("rb", packRuns(view.runs, allRuns));
    else add("r", list(view.runs));
  }
  text("q", view.query);
  if (view.sort !== defaultView.sort) text("o", view.sort);
  if (view.columns.length > 0) add("c", list(view.columns));
  text("f", view.filter);
  if (view.axis !== "step") add("x", view.axis);
  if (view.log) add("y", "log");
  if (view.smoothing > 0) add("s", String(view.smoothing));
  if (view.range) add("z", view.range.map((n) => String(Number(n.toPrecision(8)))).join("~"));
  text("i", view.item);
  text("ir", view.run);
  if (view.step !== null) add("k", String(view.step));
  text("m", view.mode);
  if (view.open.length > 0) add("u", list(view.open));
  text("full", view.full);
  if (view.levels.length > 0)
    add("h", list(view.levels.map(({ tag, value }) => `${tag}~${value}`)));
  text("g", view.group);
  text("rg", view.rowsBy);
  text("y2", view.second);
  text("xt", view.against);
  if (view.diff) add("d", "1");
  if (view.pins.length > 0) add("p", list(view.pins));
  if (view.logX) add("lx", "1");
  if (view.clip) add("oc", "1");
  if (view.rangeY) add("zy", view.rangeY.map((n) => String(Number(n.toPrecision(6)))).join("~"));
  if (view.apart) add("ap", "1");
  const settings = Object.entries(view.settings);
  if (settings.length > 0) add("w", list(settings.map(([key, value]) => `${key}~${value}`)));
  if (view.window) add("t", view.window.join("~"));
  return `#/${view.page}${parts.length > 0 ? `?${parts.join("&")}` : ""}`;
}

/** The view of a fragment; what cannot be read is as by default. */
export function readView(fragment: string, allRuns: readonly string[]): View {
  const [path = "", query = ""] = fragment.replace(/^#\/?/, "").split("?", 2);
  const view: View = { ...defaultView };
  const page = pages.find((name) => name === path);
  if (page) view.page = page;
  for (const part of query.split("&")) {
    const equals = part.indexOf("=");
    if (equals < 0) continue;
    const raw = part.slice(equals + 1);
    const value = decode(raw);
    switch (part.slice(0, equals)) {
      case "r":
        view.runs = unlist(raw);
        break;
      case "rb":
        view.runs = unpackRuns(raw, allRuns);
        break;
      case "q":
        view.query = value;
        break;
      case "o":
        view.sort = value;
        break;
      case "c":
        view.columns = unlist(raw);
        break;
      case "f":
        view.filter = value;
        break;
      case "x":
        if (value === "relative" || value === "time") view.axis = value;
        break;
      case "y":
        view.log = value === "log";
        break;
      case "s": {
        const weight = Number(value);
        if (weight >= 0 && weight < 1) view.smoothing = weight;
        break;
      }
      case "z":
        view.range = readRange(value);
        break;
      case "t":
        view.window = readRange(value);
        break;
      case "i":
        view.item = value;
        break;
      case "ir":
        view.run = value;
        break;
      case "k": {
        const step = Number(value);
        if (Number.isFinite(step)) view.step = step;
        break;
      }
      case "m":
        view.mode = value;
        break;
      case "u":
        view.open = unlist(raw);
        break;
      case "full":
        view.full = value;
        break;
      case "h":
        view.levels = unlist(raw).flatMap(readLevel);
        break;
      case "g":
        view.group = value;
        break;
      case "rg":
        view.rowsBy = value;
        break;
      case "y2":
        view.second = value;
        break;
      case "xt":
        view.against = value;
        break;
      case "d":
        view.diff = value === "1";
        break;
      case "p":
        view.pins = unlist(raw);
        break;
      case "lx":
        view.logX = value === "1";
        break;
      case "oc":
        view.clip = value === "1";
        break;
      case "zy":
        view.rangeY = readRange(value);
        break;
      case "w":
        view.settings = Object.fromEntries(unlist(raw).flatMap(readSetting));
        break;
      case "ap":
        view.apart = value === "1";
        break;
    }
  }
  return view;
}

export const view = new Store<View>(defaultView);

// The ids that a bitmap counts over; told by the list of runs.
let known: readonly string[] = [];
let written = "";

/** Changes the view. `replace` leaves no step to go back to: for what changes while something is dragged. */
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

/** Goes to the view of a fragment. */
export function openView(fragment: string): void {
  setView(readView(fragment, known));
}

function read(): void {
  written = location.hash;
  const next = readView(location.hash, known);
  const { runs } = view.get();
  // The same list as long as it is of the same runs: much is worked out of it.
  if (runs && next.runs?.length === runs.length && next.runs.every((id, i) => id === runs[i]))
    next.runs = runs;
  view.set(next);
}

// A browser may tell of one change twice.
function follow(): void {
  if (location.hash !== written) read();
}

/** Starts with the address' view and follows it. */
export function followAddress(): void {
  read();
  addEventListener("popstate", follow);
  addEventListener("hashchange", follow);
}

/** Tells which runs there are; a bitmap in the address can be read from then on. */
export function knowRuns(ids: readonly string[]): void {
  const first = known.length === 0;
  known = ids;
  if (first && location.hash.includes("rb=")) read();
}
