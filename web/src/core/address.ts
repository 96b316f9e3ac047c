// The fragment of the address: "#/page?key=value&...". Fields at their default are omitted.
import {
  defaultView,
  type Level,
  type Own,
  type Page,
  pages,
  type Range,
  type View,
} from "./view_state";

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

/** How a field is written ("": it has its default) and read (undefined: it is invalid). */
interface Field<T> {
  key: string;
  write: (value: T) => string;
  read: (raw: string) => T | undefined;
}
type Fields<T> = { [Name in keyof T]?: Field<T[Name]> };

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

const writeList = (items: readonly string[]) => items.map(encodeURIComponent).join(",");
const readList = (raw: string) => raw.split(",").filter(Boolean).map(decode);

const text = (key: string, atFirst = ""): Field<string> => ({
  key,
  write: (value) => (value === atFirst ? "" : encodeURIComponent(value).replaceAll("%2F", "/")),
  read: decode,
});

const choice = <T extends string>(key: string, choices: readonly T[]): Field<T> => ({
  key,
  write: (value) => (value === choices[0] ? "" : value),
  read: (raw) => choices.find((one) => one === raw),
});

const list = (key: string): Field<readonly string[]> => ({ key, write: writeList, read: readList });

const flag = (key: string, on = "1"): Field<boolean> => ({
  key,
  write: (value) => (value ? on : ""),
  read: (raw) => raw !== "" && raw !== "0",
});

/** A step, or "step:k" (widgets/stepper.tsx). */
const step = (key: string): Field<string> => ({
  key,
  write: (value) => value,
  read: (raw) => {
    const [at = "", further = "0"] = decode(raw).split(":");
    const valid = at !== "" && Number.isFinite(Number(at)) && /^\d+$/.test(further);
    return valid ? decode(raw) : undefined;
  },
});

const range = (key: string, digits: number): Field<Range | null> => ({
  key,
  write: (value) => (value ?? []).map((n) => String(Number(n.toPrecision(digits)))).join("~"),
  read: (raw) => {
    const [lo = NaN, hi = NaN] = decode(raw).split("~").map(Number);
    return lo < hi && Number.isFinite(hi - lo) ? [lo, hi] : undefined;
  },
});

/** Splits "name~rest" at the last "~"; null if the name is missing. */
function split(text: string): [string, string] | null {
  const end = text.lastIndexOf("~");
  return end > 0 ? [text.slice(0, end), text.slice(end + 1)] : null;
}

function readLevel(text: string): Level[] {
  const [tag, rest] = split(text) ?? ["", ""];
  return rest !== "" && Number.isFinite(Number(rest)) ? [{ tag, value: Number(rest) }] : [];
}

const shared: Fields<View> = {
  query: text("q"),
  sort: text("o", defaultView.sort),
  columns: list("c"),
  rowsBy: text("rg"),
  diff: flag("d"),
  separate: flag("sep"),
  filter: text("f"),
  axis: choice("x", ["step", "samples", "relative", "time"]),
  log: flag("y", "log"),
  logX: flag("lx"),
  clip: flag("oc"),
  smoothing: {
    key: "s",
    write: (weight) => (weight > 0 ? String(weight) : ""),
    read: (raw) => (Number(raw) >= 0 && Number(raw) < 1 ? Number(raw) : undefined),
  },
  newest: flag("new"),
  range: range("z", 8),
  levels: {
    key: "h",
    write: (levels) => writeList(levels.map(({ tag, value }) => `${tag}~${value}`)),
    read: (raw) => readList(raw).flatMap(readLevel),
  },
  group: text("g"),
  pins: list("p"),
  apart: flag("ap"),
  settings: {
    key: "w",
    write: (settings) =>
      writeList(Object.entries(settings).map(([key, value]) => `${key}~${value}`)),
    read: (raw) => Object.fromEntries(readList(raw).flatMap((one) => [split(one) ?? []])),
  },
};

const own: { [P in keyof Own]: Fields<Own[P]> } = {
  scalars: {
    full: text("full"),
    rangeY: range("zy", 6),
    second: text("second"),
    against: text("against"),
    ranks: choice("ranks", ["", "lines", "heat", "table"]),
  },
  distributions: { form: choice("form", ["", "heat", "overlay", "percentiles"]) },
  media: {
    together: flag("together"),
    step: step("step"),
    against: text("against"),
    strip: flag("strip"),
    lens: text("lens"),
  },
  tensors: { step: step("step"), against: text("against"), bars: flag("bars") },
  graphs: {
    run: text("run"),
    graph: text("graph"),
    open: list("open"),
    node: text("node"),
    dump: text("dump"),
    base: text("base"),
  },
  lineage: {
    objective: text("objective"),
    parameter: text("parameter"),
    brushes: list("brushes"),
    datasets: flag("datasets"),
  },
  landscape: { form: choice("form", ["", "3d", "together"]) },
  profile: {
    profile: text("profile"),
    before: text("before"),
    tab: text("tab"),
    window: range("window", 17),
    flame: text("flame"),
    part: text("pt"),
  },
  log: { run: text("run"), rank: text("rank"), place: text("place") },
  compare: {
    a: text("a"),
    b: text("b"),
    tolerance: text("tolerance", defaultView.own.compare.tolerance),
    tags: text("tags"),
    like: flag("like"),
    tag: text("tag"),
    rank: text("rank"),
  },
};

/**
 * What older pages wrote: short keys that meant something else on each page. Links and saved views
 * with them are still read.
 */
const formerly: { [P in keyof Own]: Readonly<Record<string, string>> } = {
  scalars: { y2: "second", xt: "against" },
  distributions: { m: "form" },
  media: { m: "together", k: "step", i: "against", u: "strip", full: "lens" },
  tensors: { k: "step", i: "against", m: "bars" },
  graphs: { ir: "run", i: "graph", u: "open", m: "node", y2: "dump", xt: "base" },
  lineage: { i: "objective", y2: "parameter", u: "brushes", m: "datasets" },
  landscape: { m: "form" },
  profile: { i: "profile", ir: "before", m: "tab", t: "window", y2: "flame" },
  log: {},
  compare: {},
};

const hasOwn = (page: Page): page is keyof Own => page in own;

function writeFields<T>(fields: Fields<T>, values: T): string[] {
  const names = Object.keys(fields) as (keyof T)[];
  return names.flatMap((name) => {
    const { key, write } = fields[name]!;
    const raw = write(values[name]);
    return raw === "" ? [] : [`${key}=${raw}`];
  });
}

/** The defaults, overwritten by the fields that are present and valid. */
function readFields<T>(fields: Fields<T>, atFirst: T, given: ReadonlyMap<string, string>): T {
  const values = { ...atFirst };
  for (const name of Object.keys(fields) as (keyof T)[]) {
    const { key, read } = fields[name]!;
    const raw = given.get(key);
    const value = raw === undefined ? undefined : read(raw);
    if (value !== undefined) values[name] = value;
  }
  return values;
}

function writeRuns(runs: readonly string[] | null, all: readonly string[]): string[] {
  if (runs === null) return [];
  const packed = runs.length > namesAtMost && all.length > 0;
  return [packed ? `rb=${packRuns(runs, all)}` : `r=${writeList(runs)}`];
}

function readRuns(given: ReadonlyMap<string, string>, all: readonly string[]): string[] | null {
  const [names, packed] = [given.get("r"), given.get("rb")];
  if (packed !== undefined) return unpackRuns(packed, all);
  return names === undefined ? null : readList(names);
}

/** The fragment of a view. */
export function writeView(view: View, allRuns: readonly string[]): string {
  const { page } = view;
  const parts = [
    ...writeRuns(view.runs, allRuns),
    ...writeFields(shared, view),
    ...(hasOwn(page) ? writeOwn(page, view.own) : []),
  ];
  return `#/${page}${parts.length > 0 ? `?${parts.join("&")}` : ""}`;
}

function writeOwn<P extends keyof Own>(page: P, values: Own): string[] {
  return writeFields<Own[P]>(own[page], values[page]);
}

/** The view of a fragment. Invalid fields get their default. */
export function readView(fragment: string, allRuns: readonly string[]): View {
  const [path = "", query = ""] = fragment.replace(/^#\/?/, "").split("?", 2);
  const page = pages.find((name) => name === path) ?? defaultView.page;
  const given = new Map<string, string>();
  for (const part of query.split("&")) {
    const equals = part.indexOf("=");
    if (equals > 0) given.set(part.slice(0, equals), part.slice(equals + 1));
  }
  const view = readFields(shared, { ...defaultView, page }, given);
  view.runs = readRuns(given, allRuns);
  if (hasOwn(page)) view.own = { ...defaultView.own, [page]: readOwn(page, given) };
  return view;
}

function readOwn<P extends keyof Own>(page: P, given: ReadonlyMap<string, string>): Own[P] {
  const renamed = new Map<string, string>();
  for (const [key, raw] of given) {
    const name = formerly[page][key];
    if (name !== undefined) renamed.set(name, raw);
  }
  return readFields<Own[P]>(own[page], defaultView.own[page], new Map([...renamed, ...given]));
}
