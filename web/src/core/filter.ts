// The tag filter of the pages: a text, or a pattern between slashes.

export interface Filter {
  matches: (tag: string) => boolean;
  error: string;
}

// A pattern that backtracks on a long tag would block the page, so longer tags are not tried.
const longestTag = 1000;

export function readFilter(text: string): Filter {
  const pattern = /^\/(.+?)\/?$/.exec(text.trim());
  if (pattern && text.trim().length > 1) {
    try {
      const expression = new RegExp(pattern[1]!, "i");
      return { matches: (tag) => tag.length <= longestTag && expression.test(tag), error: "" };
    } catch (error) {
      return { matches: () => false, error: (error as Error).message };
    }
  }
  const words = text
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== "");
  return { matches: (tag) => words.every((word) => tag.toLowerCase().includes(word)), error: "" };
}

/** The group of a tag: the part before its first slash. */
export function groupOf(tag: string): string {
  const slash = tag.indexOf("/");
  return slash > 0 ? tag.slice(0, slash) : "";
}

export interface Group<T> {
  name: string;
  items: T[];
}

/** Groups in the order of their names. Tags without a prefix, or alone with theirs, come first. */
export function grouped<T extends { tag: string }>(items: readonly T[]): Group<T>[] {
  const sizes = new Map<string, number>();
  for (const { tag } of items) sizes.set(groupOf(tag), (sizes.get(groupOf(tag)) ?? 0) + 1);
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const own = groupOf(item.tag);
    const name = sizes.get(own) === 1 ? "" : own;
    const group = groups.get(name);
    if (group) group.push(item);
    else groups.set(name, [item]);
  }
  return [...groups]
    .sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
    .map(([name, list]) => ({ name, items: list }));
}
