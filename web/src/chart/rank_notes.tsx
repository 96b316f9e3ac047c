// Names the ranks that are not like the others, below the title of a chart.
import type { RankFindings } from "../core/api_ranks";
import { formatCount } from "../core/format";
import { runOf } from "../core/model";
import { t as text, useText } from "../core/text";
import { curveKey } from "./chart_lines";

/** A fraction as "25 %". */
export function percent(fraction: number): string {
  const size = Math.abs(fraction) * 100;
  return `${size < 10 ? size.toFixed(1) : formatCount(size)} %`;
}

export interface RankNote {
  text: string;
  grave: boolean;
}

/** What is said of each, the gravest first. Those that came back are last. */
export function rankNotes({ leaving, nonfinite, missing }: RankFindings): RankNote[] {
  const left = leaving.named.map(({ rank, above, excess, since, until }) => {
    const size = excess === null ? text("rankFar") : percent(excess);
    const key = above
      ? until === undefined
        ? "rankAboveSince"
        : "rankAboveUntil"
      : until === undefined
        ? "rankBelowSince"
        : "rankBelowUntil";
    return {
      text: text(key, rank, size, formatCount(since), formatCount(until ?? 0)),
      back: until !== undefined,
    };
  });
  return [
    ...nonfinite.named.map(({ rank, since, until }) => ({
      text:
        until === undefined
          ? text("rankBadSince", rank, formatCount(since))
          : text("rankBadUntil", rank, formatCount(since), formatCount(until)),
      grave: true,
    })),
    ...left.filter(({ back }) => !back).map((one) => ({ text: one.text, grave: true })),
    ...missing.named.flatMap(({ rank, first, last, late, early }) => [
      ...(early ? [{ text: text("rankEnds", rank, formatCount(last)), grave: false }] : []),
      ...(late ? [{ text: text("rankBegins", rank, formatCount(first)), grave: false }] : []),
    ]),
    ...left.filter(({ back }) => back).map((one) => ({ text: one.text, grave: false })),
  ];
}

const shownAtMost = 3;

type Found = RankFindings & { run: string; tag: string; onlyValid?: number };

/** Equal notes of all tags once; one that not all have says of which curves it is. */
function together(
  notes: readonly (RankNote & { tag: string })[],
  tags: number,
  main: string,
): RankNote[] {
  const of = new Map<string, { note: RankNote; tags: Set<string> }>();
  for (const { tag, ...note } of notes) {
    const known = of.get(note.text) ?? { note, tags: new Set() };
    known.tags.add(curveKey(tag, main));
    of.set(note.text, known);
  }
  return [...of.values()].map(({ note, tags: those }) =>
    those.size === tags ? note : { ...note, text: [...those, note.text].join(text("listComma")) },
  );
}

/** `tag`: that of the chart, which may show others as well. */
export function RankNotes({ found, tag }: { found: readonly Found[]; tag: string }) {
  const t = useText();
  const several = new Set(found.map(({ run }) => run)).size > 1;
  const all = found.flatMap((one) =>
    [
      ...(one.onlyValid === undefined
        ? []
        : [{ text: t("onlyValidRank", one.onlyValid), grave: false }]),
      ...rankNotes(one),
    ].map((note) => ({
      ...note,
      tag: one.tag,
      text: several ? `${runOf(one.run)?.name ?? one.run}, ${note.text}` : note.text,
    })),
  );
  const notes = together(all, new Set(found.map((one) => one.tag)).size, tag);
  if (notes.length === 0) return null;
  const unnamed = found.reduce(
    (sum, { leaving, nonfinite, missing }) =>
      sum + [leaving, nonfinite, missing].reduce((n, of) => n + of.total - of.named.length, 0),
    0,
  );
  const more = notes.length - shownAtMost + unnamed;
  return (
    <p class="rank-notes">
      {notes.slice(0, shownAtMost).map(({ text, grave }) => (
        <span key={text} class={grave ? "danger" : "muted"}>
          {text}
        </span>
      ))}
      {more > 0 && (
        <span class="muted" title={notes.map(({ text }) => text).join("\n")}>
          {t("andMore", formatCount(more))}
        </span>
      )}
    </p>
  );
}
