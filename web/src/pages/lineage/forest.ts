// A small forest of regression trees (Breiman 2001). A column's importance is how much the error on
// unseen rows grows when its values are shuffled.

export interface Feature {
  ordered: boolean;
  values: Float64Array;
}

interface Leaf {
  mean: number;
}
interface Split {
  feature: number;
  /** The threshold of an ordered feature. */
  at: number;
  /** The categories that go left. */
  left: ReadonlySet<number> | null;
  below: Node;
  above: Node;
}
type Node = Leaf | Split;

const depthAtMost = 8;
const leafAtLeast = 3;

/** Numbers in [0, 1), the same for the same seed (mulberry32). */
export function randomOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

function meanOf(target: Float64Array, rows: readonly number[]): number {
  let sum = 0;
  for (const row of rows) sum += target[row]!;
  return sum / rows.length;
}

/**
 * The mean target of each category among the rows. The best split of categories is one of this
 * order.
 */
function means(
  values: Float64Array,
  target: Float64Array,
  rows: readonly number[],
): Map<number, number> {
  const sums = new Map<number, { sum: number; count: number }>();
  for (const row of rows) {
    const of = sums.get(values[row]!) ?? { sum: 0, count: 0 };
    of.sum += target[row]!;
    of.count++;
    sums.set(values[row]!, of);
  }
  return new Map([...sums].map(([category, { sum, count }]) => [category, sum / count]));
}

interface Cut {
  gain: number;
  at: number;
  left: ReadonlySet<number> | null;
}

/**
 * The split of the rows by a feature with the least squared distance from the two means; null if
 * there is none.
 */
function bestCut(
  { ordered, values }: Feature,
  target: Float64Array,
  rows: readonly number[],
): Cut | null {
  const order = ordered ? null : means(values, target, rows);
  const key = (row: number) => (order ? order.get(values[row]!)! : values[row]!);
  const sorted = [...rows].sort((a, b) => key(a) - key(b));
  const total = sorted.reduce((sum, row) => sum + target[row]!, 0);
  let best: { gain: number; at: number } | null = null;
  let left = 0;
  for (let i = 1; i < sorted.length; i++) {
    left += target[sorted[i - 1]!]!;
    const [a, b] = [key(sorted[i - 1]!), key(sorted[i]!)];
    if (a === b || i < leafAtLeast || sorted.length - i < leafAtLeast) continue;
    const gain =
      (left * left) / i +
      (total - left) ** 2 / (sorted.length - i) -
      (total * total) / sorted.length;
    if (!best || gain > best.gain) best = { gain, at: (a + b) / 2 };
  }
  if (!best || best.gain <= 0) return null;
  const { gain, at } = best;
  return {
    gain,
    at,
    left:
      order && new Set([...order].filter(([, mean]) => mean <= at).map(([category]) => category)),
  };
}

const goesBelow = (split: Pick<Split, "at" | "left">, value: number) =>
  split.left ? split.left.has(value) : value <= split.at;

function grow(
  features: readonly Feature[],
  target: Float64Array,
  rows: readonly number[],
  depth: number,
  random: () => number,
): Node {
  const leaf = { mean: meanOf(target, rows) };
  if (depth >= depthAtMost || rows.length < 2 * leafAtLeast) return leaf;
  // A third of the features each time, so that the trees differ.
  const tried = shuffled(
    features.map((_, i) => i),
    random,
  ).slice(0, Math.max(2, Math.ceil(features.length / 3)));
  let best: (Cut & { feature: number }) | null = null;
  for (const feature of tried) {
    const cut = bestCut(features[feature]!, target, rows);
    if (cut && (!best || cut.gain > best.gain)) best = { ...cut, feature };
  }
  if (!best) return leaf;
  const { feature, at, left } = best;
  const below = rows.filter((row) => goesBelow({ at, left }, features[feature]!.values[row]!));
  const above = rows.filter((row) => !goesBelow({ at, left }, features[feature]!.values[row]!));
  if (below.length === 0 || above.length === 0) return leaf;
  return {
    feature,
    at,
    left,
    below: grow(features, target, below, depth + 1, random),
    above: grow(features, target, above, depth + 1, random),
  };
}

function guess(
  node: Node,
  features: readonly Feature[],
  row: number,
  changed: number,
  instead: number,
): number {
  let at = node;
  while ("feature" in at)
    at = goesBelow(at, features[at.feature]!.values[at.feature === changed ? instead : row]!)
      ? at.below
      : at.above;
  return at.mean;
}

export function shuffled<T>(items: readonly T[], random: () => number): T[] {
  const list = [...items];
  for (let i = list.length - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1));
    [list[i], list[j]] = [list[j]!, list[i]!];
  }
  return list;
}

/**
 * Grows one tree and adds to `worse`, for each feature, the growth of the mean squared error on
 * unseen rows.
 */
export function plantTree(
  features: readonly Feature[],
  target: Float64Array,
  random: () => number,
  worse: Float64Array,
): void {
  const count = target.length;
  const rows = Array.from({ length: count }, () => Math.floor(random() * count));
  const seen = new Set(rows);
  const unseen = Array.from({ length: count }, (_, i) => i).filter((row) => !seen.has(row));
  if (unseen.length < 2) return;
  const tree = grow(features, target, rows, 0, random);
  const error = (changed: number, instead: readonly number[]) =>
    unseen.reduce(
      (sum, row, i) => sum + (guess(tree, features, row, changed, instead[i]!) - target[row]!) ** 2,
      0,
    ) / unseen.length;
  const plain = error(-1, unseen);
  for (let feature = 0; feature < features.length; feature++)
    worse[feature]! += error(feature, shuffled(unseen, random)) - plain;
}
