// Tags that belong on one chart: training and validation of one metric (train/loss and val/loss, loss
// and val_loss), and the curves of one add_scalars(main tag, {key: value}).

const training = new Set(["train", "training", "tr"]);
const validation = new Set(["val", "valid", "validation", "eval", "evaluation", "test", "dev"]);

export interface Pair<T> {
  /** The chart's: the tag, or the main tag of curves. */
  name: string;
  tag: T;
  others: T[];
  /** Whether these are the curves of a main tag, which are equals. */
  curves: boolean;
}

const alone = <T extends { tag: string }>(tag: T): Pair<T> => ({
  name: tag.tag,
  tag,
  others: [],
  curves: false,
});

/** Each tag on a chart of its own. */
export const apartFrom = <T extends { tag: string }>(tags: readonly T[]): Pair<T>[] =>
  tags.map(alone);

/** The curves of each main tag that has several, with the tag itself if it was recorded, too. */
export function curvesOf<T extends { tag: string; main?: string }>(tags: readonly T[]): Pair<T>[] {
  const mains = new Map<string, T[]>();
  for (const tag of tags)
    if (tag.main !== undefined) mains.set(tag.main, [...(mains.get(tag.main) ?? []), tag]);
  if (mains.size === 0) return [];
  for (const tag of tags) mains.get(tag.tag)?.unshift(tag);
  return [...mains].flatMap(([name, [first, ...others]]) =>
    first && others.length > 0 ? [{ name, tag: first, others, curves: true }] : [],
  );
}

interface Role {
  base: string;
  role: "train" | "validation" | "";
}

// A cache: every tag is looked up again at each key typed into the filter.
const known = new Map<string, Role>();
const knownAtMost = 100_000;

/** A tag without the word for the data that it was measured on, and what the word means. */
export function roleOf(tag: string): Role {
  let role = known.get(tag);
  if (role) return role;
  if (known.size >= knownAtMost) known.clear();
  role = readRole(tag);
  known.set(tag, role);
  return role;
}

function readRole(tag: string): Role {
  const words = tag
    .toLowerCase()
    .split(/[/_.\-\s]+/)
    .filter((word) => word !== "");
  const told = words.filter((word) => training.has(word) || validation.has(word));
  const base = words.filter((word) => !told.includes(word)).join("/");
  // Two such words, or no others: the tag means something else.
  if (told.length !== 1 || base === "") return { base: words.join("/"), role: "" };
  return { base, role: training.has(told[0]!) ? "train" : "validation" };
}

/** Each tag with the others on its chart, in the order of the first. */
export function pairsOf<T extends { tag: string; main?: string }>(tags: readonly T[]): Pair<T>[] {
  const curves = curvesOf(tags);
  if (curves.length === 0) return withValidation(tags);
  const held = new Map(
    curves.flatMap((pair) => [pair.tag, ...pair.others].map((tag) => [tag, pair])),
  );
  const own = new Map(
    withValidation(tags.filter((tag) => !held.has(tag))).map((pair) => [pair.tag, pair]),
  );
  return [...new Set(tags.flatMap((tag) => held.get(tag) ?? own.get(tag) ?? []))];
}

/** Validation joins the training of the same metric, or else the plain tag. */
function withValidation<T extends { tag: string }>(tags: readonly T[]): Pair<T>[] {
  if (!tags.some(({ tag }) => roleOf(tag).role === "validation")) return apartFrom(tags);
  const roles = new Map(tags.map((tag) => [tag, roleOf(tag.tag)]));
  const home = new Map<string, T>();
  for (const role of ["", "train"] as const)
    for (const tag of tags) if (roles.get(tag)!.role === role) home.set(roles.get(tag)!.base, tag);
  const pairs = new Map<T, Pair<T>>();
  const homeOf = (tag: T) =>
    roles.get(tag)!.role === "validation" ? home.get(roles.get(tag)!.base) : undefined;
  for (const tag of tags) if (!homeOf(tag)) pairs.set(tag, alone(tag));
  for (const tag of tags) {
    const with_ = homeOf(tag);
    if (with_) pairs.get(with_)!.others.push(tag);
  }
  return [...pairs.values()];
}
