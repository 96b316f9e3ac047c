// MindFormers and Megatron record each scalar twice: by step, and as "loss vs samples" by the number
// of samples seen. The second is an x axis of the first, not a chart.

// tensorboardX writes the spaces as "_".
const suffix = /[ _]vs[ _]samples$/;

export interface Folded<T> {
  /** Those that have a chart of their own. */
  tags: readonly T[];
  /** By tag: the same values by samples. */
  bySamples: ReadonlyMap<string, T>;
}

/** A tag by samples is folded only if the tag by steps is there too. */
export function foldSamples<T extends { tag: string }>(tags: readonly T[]): Folded<T> {
  const known = new Set(tags.map(({ tag }) => tag));
  const bySamples = new Map<string, T>();
  for (const tag of tags) {
    const base = tag.tag.replace(suffix, "");
    if (base !== tag.tag && known.has(base) && !bySamples.has(base)) bySamples.set(base, tag);
  }
  if (bySamples.size === 0) return { tags, bySamples };
  const folded = new Set(bySamples.values());
  return { tags: tags.filter((tag) => !folded.has(tag)), bySamples };
}
