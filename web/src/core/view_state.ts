// The state that the address holds: what all pages share, and what each page has of its own.
import { type Kind, pageOfKind as pageNames } from "./kinds";

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
  "log",
  "compare",
] as const;
export type Page = (typeof pages)[number];

const pageOf: Readonly<Record<Kind, Page>> = pageNames;
/** The page that shows values of a kind. */
export const pageOfKind: Readonly<Record<string, Page | undefined>> = pageOf;
/** The kinds of the values that a page shows; none for the pages that show no values. */
export const kindsOfPage: Partial<Record<Page, readonly string[]>> = {};
for (const [kind, page] of Object.entries(pageOf))
  kindsOfPage[page] = [...(kindsOfPage[page] ?? []), kind];

/** The kinds that the page `P` shows. */
export type KindOn<P extends Page> = {
  [K in Kind]: (typeof pageNames)[K] extends P ? K : never;
}[Kind];
/** "samples" for charts whose values are recorded by samples too (chart/samples.ts). */
export type Axis = "step" | "samples" | "relative" | "time";
/** Whether places on the axis are counts, not times. */
export const isCounted = (axis: Axis) => axis === "step" || axis === "samples";
export type Range = readonly [number, number];
/** A value that the chart of a tag marks by a line. */
export interface Level {
  tag: string;
  value: number;
}

/** The state of single pages. Opening another page resets it. */
export interface Own {
  scalars: {
    /** The tag whose chart fills the page, and that chart's y axis. */
    full: string;
    rangeY: Range | null;
    /** In that chart: the tag on a second y axis, and the tag in place of the x axis. */
    second: string;
    against: string;
    /** How many ranks of a run are shown; "": their median and range. */
    ranks: "" | "lines" | "heat" | "table";
  };
  distributions: {
    /** "": ridges. */
    form: "" | "heat" | "overlay" | "percentiles";
  };
  media: {
    /** Whether one slider moves all values, and the spot that it is at (widgets/stepper.tsx). */
    together: boolean;
    step: string;
    /** What pictures are compared with: "before", "first", or a run. */
    against: string;
    /** Whether several steps of a picture are shown side by side. */
    strip: boolean;
    /** The picture under the lens: tag, run and rank. */
    lens: string;
  };
  tensors: {
    step: string;
    against: string;
    /** Whether the values are shown as a histogram too. */
    bars: boolean;
  };
  graphs: {
    /** The run of the graph, or the folder of the dumps. */
    run: string;
    /** A graph of that run, "ir" for the list of the folder's dumps, or "ir:" and a dump. */
    graph: string;
    /** The scopes that are unfolded, and the node whose attributes are shown. */
    open: readonly string[];
    node: string;
    /** Of the list of dumps: the dump that is chosen, and the one that it is compared with. */
    dump: string;
    base: string;
  };
  lineage: {
    objective: string;
    /** The parameter that the objective is drawn over. */
    parameter: string;
    /** The ranges on axes that runs must be in. */
    brushes: readonly string[];
    datasets: boolean;
  };
  landscape: {
    /** "": contours. */
    form: "" | "3d" | "together";
  };
  profile: {
    profile: string;
    /** The profile that it is compared with. */
    before: string;
    tab: string;
    /** What the timeline shows, in nanoseconds from the profile's start. */
    window: Range | null;
    /** The box of the flame graph that is shown alone. */
    flame: string;
    /** What the heat map of ranks and steps shows: a part of a step. */
    part: string;
  };
  log: {
    /** The run whose command printed it, and the rank; "": the first one. */
    run: string;
    rank: string;
    /** "step:500", "time:1700000000", "byte:4096", or "": its end. */
    place: string;
  };
  compare: {
    /** The runs that are compared, the reference first; "": two of those that are selected. */
    a: string;
    b: string;
    /** How far a value may be from the reference's, in per cent of it. */
    tolerance: string;
    /** The expression (RE2) that chooses the tags; "": all that do not measure the machine. */
    tags: string;
    /** Whether the other selected runs are of the kind of the reference. */
    like: boolean;
    /** The tag, and its rank in the reference, whose curves are shown; "": what leaves first. */
    tag: string;
    rank: string;
  };
}
export type OwnPage = keyof Own;

export interface View {
  page: Page;
  /** Ids of the selected runs; null: the default selection. */
  runs: readonly string[] | null;
  query: string;
  sort: string;
  /**
   * Columns of the runs table after the name: "last:loss", "min:loss", "max:loss", "lineage:key".
   */
  columns: readonly string[];
  /** The key whose values group the rows of the runs table; "": none. */
  rowsBy: string;
  /** Whether the differences between the selected runs are shown. */
  diff: boolean;
  /** Whether the directories of joined runs are listed by themselves. */
  separate: boolean;
  /** The filter of tags. */
  filter: string;
  axis: Axis;
  log: boolean;
  /** Whether the x axis is logarithmic. */
  logX: boolean;
  /** Whether the y axes leave out the outermost values. */
  clip: boolean;
  smoothing: number;
  /** Whether lines leave out what a later attempt of the training recorded again. */
  newest: boolean;
  range: Range | null;
  levels: readonly Level[];
  /** The key of the lineage whose values put runs into groups; "": every run has its own line. */
  group: string;
  /** Tags whose charts come first. */
  pins: readonly string[];
  /** Whether each tag has its own chart. Otherwise validation shares the chart of its training. */
  apart: boolean;
  /** Further settings of a page (core/setting.ts), by key. */
  settings: Readonly<Record<string, string>>;
  own: Own;
}

export const defaultView: View = {
  page: "overview",
  runs: null,
  query: "",
  sort: "-time",
  columns: [],
  rowsBy: "",
  diff: false,
  separate: false,
  filter: "",
  axis: "step",
  log: false,
  logX: false,
  clip: false,
  smoothing: 0,
  newest: false,
  range: null,
  levels: [],
  group: "",
  pins: [],
  apart: false,
  settings: {},
  own: {
    scalars: { full: "", rangeY: null, second: "", against: "", ranks: "" },
    distributions: { form: "" },
    media: { together: false, step: "", against: "", strip: false, lens: "" },
    tensors: { step: "", against: "", bars: false },
    graphs: { run: "", graph: "", open: [], node: "", dump: "", base: "" },
    lineage: { objective: "", parameter: "", brushes: [], datasets: false },
    landscape: { form: "" },
    profile: { profile: "", before: "", tab: "", window: null, flame: "", part: "" },
    log: { run: "", rank: "", place: "" },
    compare: { a: "", b: "", tolerance: "2", tags: "", like: false, tag: "", rank: "" },
  },
};
