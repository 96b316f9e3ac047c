// Training and validation of one metric belong on one chart: train/loss and val/loss, loss and
// val_loss.

const training = new Set(["train", "training", "tr"]);
const validation = new Set(["val", "valid", "validation", "eval", "evaluation", "test", "dev"]);

export interface Pair<T> {
  tag: T;
  others: T[];
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

/**
 * Each tag with the others on its chart. Validation joins the training of the same metric, or else
 * the plain tag.
 */
export function pairsOf<T extends { tag: string }>(tags: readonly T[]): Pair<T>[] {
  if (!tags.some(({ tag }) => roleOf(tag).role === "validation"))
    return tags.map((tag) => ({ tag, others: [] }));
  const roles = new Map(tags.map((tag) => [tag, roleOf(tag.tag)]));
  const home = new Map<string, T>();
  for (const role of ["", "train"] as const)
    for (const tag of tags) if (roles.get(tag)!.role === role) home.set(roles.get(tag)!.base, tag);
  const pairs = new Map<T, Pair<T>>();
  const homeOf = (tag: T) =>
    roles.get(tag)!.role === "validation" ? home.get(roles.get(tag)!.base) : undefined;
  for (const tag of tags) if (!homeOf(tag)) pairs.set(tag, { tag, others: [] });
  for (const tag of tags) {
    const with_ = homeOf(tag);
    if (with_) pairs.get(with_)!.others.push(tag);
  }
  return [...pairs.values()];
}
