// The lines of a console that are on the page: a run of it that grows at both ends, and is bounded.
import { get, type ResponseBody } from "../../core/http";

export type Console = ResponseBody<"console">;
export type ConsoleLine = Console["lines"][number];

export interface Shown {
  lines: readonly ConsoleLine[];
  begin: number;
  end: number;
  size: number;
  /** The byte that was asked for. */
  at: number;
  running: boolean;
  folder: string;
  rank: number | null;
  ranks: readonly (number | null)[];
}

/** More lines than this are dropped at the other end. */
export const linesAtMost = 4000;

export interface Which {
  run: string;
  rank: string;
}

function rankOf({ rank }: Which): { rank?: number } {
  return rank === "" ? {} : { rank: Number(rank) };
}

/** The parameter of "step:500", "time:1.5" or "byte:4096"; none for the console's end. */
export function placeOf(place: string): { step?: number; time?: number; around?: number } {
  const [kind, text = ""] = place.split(":");
  const number = Number(text);
  if (text === "" || !Number.isFinite(number)) return {};
  if (kind === "step") return { step: Math.round(number) };
  if (kind === "time") return { time: number };
  return kind === "byte" && number >= 0 ? { around: Math.floor(number) } : {};
}

/**
 * The next place of a text from a byte on, or the last one before a byte; null if it was not found
 * up to `searched_to`.
 */
export function find(which: Which, text: string, where: { from: number } | { before: number }) {
  return get("console/find", { run: which.run, ...rankOf(which), text, ...where });
}

export async function open(which: Which, place: string, signal?: AbortSignal): Promise<Shown> {
  const query = { run: which.run, ...rankOf(which), ...placeOf(place) };
  return { ...(await get("console", query, signal)) };
}

/** With the lines before them. */
export async function withEarlier(which: Which, shown: Shown): Promise<Shown> {
  const before = await get("console", { run: which.run, ...rankOf(which), before: shown.begin });
  return joined(before, shown, "begin");
}

/** With the lines after them: those that are there now. */
export async function withLater(which: Which, shown: Shown): Promise<Shown> {
  const after = await get("console", { run: which.run, ...rankOf(which), from: shown.end });
  // A line that had no end may have grown: it begins before.
  const whole = shown.lines.filter((line) => line.offset < after.begin);
  return { ...joined({ ...shown, lines: whole }, after, "end"), at: shown.at };
}

type Part = Pick<Shown, "lines" | "begin" | "end">;

/** Two parts, one after the other, of which the lines at one end stay if they are too many. */
function joined(first: Part, second: Part & Partial<Shown>, keeps: "begin" | "end"): Shown {
  const all = [...first.lines, ...second.lines];
  const rest = { ...(first as Shown), ...second };
  if (all.length <= linesAtMost)
    return { ...rest, lines: all, begin: first.begin, end: second.end };
  if (keeps === "begin") {
    const lines = all.slice(0, linesAtMost);
    return { ...rest, lines, begin: first.begin, end: all[linesAtMost]!.offset };
  }
  const lines = all.slice(-linesAtMost);
  return { ...rest, lines, begin: lines[0]!.offset, end: second.end };
}
