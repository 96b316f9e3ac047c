// Colours: of runs (10 hues a theme, each solid, dashed, dotted), of values (viridis), of
// differences.
//
// The hues were found by a search: a contrast of at least 3 on the page, the panels and a selected
// row, and a distance of at least 0.08 in OKLab between any two, also with protanopia and
// deuteranopia. test/colors.test.ts checks both.
import { naturally } from "./format";
import { Store } from "./store";

export type Theme = "light" | "dark";

export const runHues: Record<Theme, readonly string[]> = {
  light: [
    "#2966d2",
    "#e65002",
    "#246655",
    "#8c7db3",
    "#b5130e",
    "#499467",
    "#380192",
    "#163556",
    "#6f4593",
    "#6d0007",
  ],
  dark: [
    "#6ea0ff",
    "#e7ae8d",
    "#9dfcbd",
    "#ba37a6",
    "#f4d62a",
    "#29daf9",
    "#a95922",
    "#cb7792",
    "#7954ed",
    "#a49a02",
  ],
};

const dashes: readonly (readonly number[])[] = [[], [6, 3], [2, 2]];

export const slotCount = runHues.light.length * dashes.length;

export function hue(theme: Theme, slot: number): string {
  return runHues[theme][slot % runHues[theme].length]!;
}

/** The same as red, green, blue in 0 to 255. */
export function hueChannels(of: Theme, slot: number): readonly [number, number, number] {
  return runChannels[of][slot % runChannels[of].length]!;
}

export function dash(slot: number): readonly number[] {
  return dashes[Math.floor(slot / runHues.light.length) % dashes.length]!;
}

/**
 * A run takes the slot that was chosen for it, or else keeps the one it has, or else takes its
 * `usual` one if that is free, or else the lowest free one. Beyond 30 runs, slots are shared.
 */
export function assignSlots(
  held: ReadonlyMap<string, number>,
  selected: readonly string[],
  chosen: (id: string) => number | undefined = () => undefined,
  usual: (id: string) => number | undefined = () => undefined,
): ReadonlyMap<string, number> {
  const next = new Map<string, number>();
  const uses = new Array<number>(slotCount).fill(0);
  const give = (slotFor: (id: string) => number | undefined) => {
    for (const id of selected) {
      const slot = next.has(id) ? undefined : slotFor(id);
      if (slot === undefined) continue;
      next.set(id, slot);
      uses[slot]!++;
    }
  };
  give(chosen);
  // A run gives its colour up if somebody chose it for another run.
  const taken = new Set(next.values());
  const unless = (slot: number | undefined, isTaken: (slot: number) => boolean) =>
    slot === undefined || isTaken(slot) ? undefined : slot;
  give((id) => unless(held.get(id), (slot) => taken.has(slot)));
  give((id) => unless(usual(id), (slot) => uses[slot]! > 0));
  give(() => uses.indexOf(Math.min(...uses)));
  return next;
}

/** A slot for each of up to 30 runs, the oldest first; none if there are more. */
export function slotsByAge(
  list: readonly { id: string; first_time: number }[],
): Map<string, number> {
  if (list.length > slotCount) return new Map();
  const byAge = [...list].sort((a, b) => a.first_time - b.first_time || (a.id < b.id ? -1 : 1));
  return new Map(byAge.map(({ id }, slot) => [id, slot]));
}

/** The slots of groups by name, in natural order at first; a name that comes later takes the next. */
export class GroupSlots {
  private readonly held = new Map<string, number>();
  add(names: Iterable<string>): void {
    for (const name of [...names].sort(naturally)) {
      if (!this.held.has(name)) this.held.set(name, this.held.size % slotCount);
    }
  }
  of(name: string): number {
    this.add([name]);
    return this.held.get(name)!;
  }
}

// Nine colours of matplotlib's viridis (CC0); the others are interpolated.
const viridis = [
  "#440154",
  "#472d7b",
  "#3b528b",
  "#2c728e",
  "#21918c",
  "#28ae80",
  "#5ec962",
  "#addc30",
  "#fde725",
].map(channels);

const runChannels = { light: runHues.light.map(channels), dark: runHues.dark.map(channels) };

function channels(hex: string): [number, number, number] {
  return [1, 3, 5].map((i) => parseInt(hex.slice(i, i + 2), 16)) as [number, number, number];
}

/** The colour of a share in [0, 1]: red, green and blue from 0 to 255. */
export function viridisOf(share: number): [number, number, number] {
  const place = Math.min(1, Math.max(0, Number.isNaN(share) ? 0 : share)) * (viridis.length - 1);
  const i = Math.min(viridis.length - 2, Math.floor(place));
  const mix = place - i;
  return viridis[i]!.map((c, k) => Math.round(c + (viridis[i + 1]![k]! - c) * mix)) as [
    number,
    number,
    number,
  ];
}

export function css([r, g, b]: readonly [number, number, number]): string {
  return `rgb(${r} ${g} ${b})`;
}

/** Black or white, whichever is legible on a colour. */
export function inkOn([r, g, b]: readonly [number, number, number]): string {
  // Above a relative luminance of 0.179 the contrast with black is greater.
  const linear = (c: number) => (c <= 10 ? c / 255 / 12.92 : ((c / 255 + 0.055) / 1.055) ** 2.4);
  return 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b) > 0.179
    ? "#000000"
    : "#ffffff";
}

/** Black or white, whichever is legible on a run's hue. */
export function inkOnHue(of: Theme, slot: number): string {
  return inkOn(hueChannels(of, slot));
}

// The theme: the system's, unless one was chosen.
const dark = typeof matchMedia === "function" ? matchMedia("(prefers-color-scheme: dark)") : null;

function keptTheme(): Theme | null {
  try {
    const kept = localStorage.getItem("sightline.theme");
    return kept === "light" || kept === "dark" ? kept : null;
  } catch {
    return null;
  }
}

export const theme = new Store<Theme>(keptTheme() ?? (dark?.matches ? "dark" : "light"));

export function followTheme(): void {
  const show = () => {
    document.documentElement.dataset.theme = theme.get();
    tokens = null;
  };
  show();
  theme.subscribe(show);
  dark?.addEventListener("change", () => {
    if (keptTheme() === null) theme.set(dark.matches ? "dark" : "light");
  });
}

export function toggleTheme(): void {
  const next = theme.get() === "dark" ? "light" : "dark";
  try {
    localStorage.setItem("sightline.theme", next);
  } catch {
    // Without storage the choice lasts until the page is closed.
  }
  document.documentElement.dataset.theme = next;
  tokens = null;
  theme.set(next);
}

export interface Tokens {
  bg: string;
  panel: string;
  text: string;
  muted: string;
  hairline: string;
  accent: string;
  danger: string;
  warning: string;
}
let tokens: Tokens | null = null;

/** The colours of style.css, for drawing on a canvas. */
export function readTokens(): Tokens {
  if (tokens) return tokens;
  const style = getComputedStyle(document.documentElement);
  const of = (name: string) => style.getPropertyValue(`--${name}`).trim();
  tokens = {
    bg: of("bg"),
    panel: of("panel"),
    text: of("text"),
    muted: of("muted"),
    hairline: of("hairline"),
    accent: of("accent"),
    danger: of("danger"),
    warning: of("warning"),
  };
  return tokens;
}

/** The colours between which those of a heat map of differences lie: its middle is the page's. */
export const divergingEnds: Record<
  Theme,
  Record<"middle" | "below" | "above", readonly [number, number, number]>
> = {
  light: { middle: [244, 244, 246], below: [33, 102, 172], above: [178, 24, 43] },
  dark: { middle: [44, 46, 52], below: [110, 160, 255], above: [255, 112, 96] },
};

/** The colour of a difference in [-1, 1]: blue, white at 0, red. */
export function divergingOf(share: number): [number, number, number] {
  const size = Math.min(1, Math.abs(Number.isNaN(share) ? 0 : share));
  const end = share < 0 ? [33, 102, 172] : [178, 24, 43];
  return end.map((c) => Math.round(255 + (c - 255) * size)) as [number, number, number];
}

/** The hue of an operator type, the same everywhere. */
export function slotOf({ type, name }: { type: string; name: string }): number {
  const text = type || name.replace(/[-_#:\d]+$/, "");
  let hash = 0;
  for (let i = 0; i < text.length; i++) hash = (Math.imul(hash, 31) + text.charCodeAt(i)) | 0;
  return (hash >>> 0) % runHues.light.length;
}
