// Which runs are compared, and which of them is the reference.

/** What of a run tells when it began. */
interface Begun {
  id: string;
  first_time: number;
}

export interface Sides {
  a: string;
  b: string;
  /** The other selected runs. */
  others: readonly string[];
}

/**
 * The runs that are named, or else the first two of the selected ones; of these, the one that began
 * first is the reference. Null if there are no two.
 */
export function sidesOf(
  named: { a: string; b: string },
  selected: readonly string[],
  runOf: (id: string) => Begun | undefined,
): Sides | null {
  const begin = (id: string) => runOf(id)?.first_time ?? 0;
  const free = selected.filter((id) => id !== named.a && id !== named.b);
  const missing = [named.a, named.b].filter((id) => id === "").length;
  const taken = free.slice(0, missing);
  if (taken.length < missing) return null;
  if (missing === 2) taken.sort((x, y) => begin(x) - begin(y));
  const a = named.a || taken.shift()!;
  const b = named.b || taken.shift()!;
  return { a, b, others: selected.filter((id) => id !== a && id !== b) };
}
