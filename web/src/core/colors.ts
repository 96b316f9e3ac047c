// Colours: of runs (10 hues a theme, each solid, dashed, dotted), of values (viridis), of differences.
//
// The hues were searched by computer: contrast of at least 3 on the page, the panels and a selected row, and a distance
// of at least 0.08 in OKLab between any two, also as people with protanopia and deuteranopia see them.
// test/colors.test.ts computes both again.
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
 * A run takes the slot that was chosen for it, else the lowest that is free when it is selected, and keeps it as long as
 * it is. Beyond 30 runs the slots are taken again.
 */
export function assignSlots(
  held: ReadonlyMap<string, number>,
  selected: readonly string[],
  chosen: (id: string) => number | undefined = () => undefined,
): ReadonlyMap<string, number> {
  const next = new Map<string, number>();
  const uses = new Array<number>(slotCount).fill(0);
  const taken = new Set<number>();
  for (const id of selected) {
    const slot = chosen(id);
    if (slot === undefined) continue;
    next.set(id, slot);
    uses[slot]!++;
    taken.add(slot);
  }
  for (const id of selected) {
    if (next.has(id)) continue;
    const slot = held.get(id);
    // A colour that was chosen for another run is given up for it.
    if (slot === undefined || taken.has(slot)) continue;
    next.set(id, slot);
    uses[slot]!++;
  }
  let least = 0;
  for (const id of selected) {
    if (next.has(id)) continue;
    for (;;) {
      const slot = uses.findIndex((count) => count <= least);
      if (slot >= 0) {
        next.set(id, slot);
        uses[slot]!++;
        break;
      }
      least++;
    }
  }
  return next;
}

// Nine colours of matplotlib's viridis (CC0), between which is mixed.
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

/** Of a share in [0, 1]; red, green, blue in 0 to 255. */
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

/** Which of black and white can be read on a colour. */
export function inkOn([r, g, b]: readonly [number, number, number]): string {
  // Where the contrast with black is the greater: a relative luminance above 0.179.
  const linear = (c: number) => (c <= 10 ? c / 255 / 12.92 : ((c / 255 + 0.055) / 1.055) ** 2.4);
  return 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b) > 0.179
    ? "#000000"
    : "#ffffff";
}

/** Which of black and white can be read on a run's hue. */
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
    // It holds until the page is closed.
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

/** The colours of style.css, for what is drawn on a canvas. */
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

/** Of a difference in [-1, 1]: blue, white at 0, red. */
export function divergingOf(share: number): [number, number, number] {
  const size = Math.min(1, Math.abs(Number.isNaN(share) ? 0 : share));
  const end = share < 0 ? [33, 102, 172] : [178, 24, 43];
  return end.map((c) => Math.round(255 + (c - 255) * size)) as [number, number, number];
}

/** One of the hues of runs, the same for a type wherever it is. */
export function slotOf({ type, name }: { type: string; name: string }): number {
  const text = type || name.replace(/[-_#:\d]+$/, "");
  let hash = 0;
  for (let i = 0; i < text.length; i++) hash = (Math.imul(hash, 31) + text.charCodeAt(i)) | 0;
  return (hash >>> 0) % runHues.light.length;
}
