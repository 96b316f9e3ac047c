// Compares two tensors of the same shape.

export interface Comparison {
  /** The first tensor minus the second. */
  by: Float64Array;
  unequal: number;
  /** The index of the first element that differs, in C order; -1 if all are equal. */
  first: number;
  most: number;
  mostAt: number;
  /** The greatest difference relative to the second tensor's element, if that is not 0. */
  relative: number;
}

/** NaN equals NaN. Null if the sizes differ. */
export function compare(a: Float64Array, b: Float64Array): Comparison | null {
  if (a.length !== b.length) return null;
  const found: Comparison = {
    by: new Float64Array(a.length),
    unequal: 0,
    first: -1,
    most: 0,
    mostAt: -1,
    relative: 0,
  };
  for (let i = 0; i < a.length; i++) {
    const [x, y] = [a[i]!, b[i]!];
    if (Object.is(x, y) || x === y) continue;
    found.by[i] = x - y;
    if (found.unequal++ === 0) found.first = i;
    const size = Math.abs(x - y);
    if (!(size <= found.most)) {
      // NaN on one side only is the greatest difference.
      found.most = Number.isNaN(size) ? Infinity : size;
      found.mostAt = i;
    }
    if (y !== 0 && Number.isFinite(size))
      found.relative = Math.max(found.relative, size / Math.abs(y));
  }
  return found;
}

/** An element's index in NumPy's notation: 7 in the shape [2, 5] is [1, 2]. */
export function indexOf(place: number, shape: readonly number[]): string {
  const parts: number[] = [];
  let rest = place;
  for (let i = shape.length - 1; i >= 0; i--) {
    parts.unshift(rest % shape[i]!);
    rest = Math.floor(rest / shape[i]!);
  }
  return `[${parts.join(", ")}]`;
}
