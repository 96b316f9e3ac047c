// What the field above the table of runs sends to the server.

const keywords = new Set(["and", "or", "not", "in", "true", "false"]);
// Alone, these are true for every run.
const ownNames = new Set([
  "name",
  "directory",
  "state",
  "damaged",
  "started",
  "ended",
  "duration",
  "last_step",
]);

const matching = (word: string) => `name =~ '(?i)${word.replaceAll(".", "[.]")}'`;

/**
 * The query (docs/query.md) of a text. Plain words look for runs whose names have all of them, in
 * any case. One word that could be a key of the lineage also finds the runs that have the key.
 */
export function toQuery(text: string): string {
  const words = text.trim().split(/\s+/);
  const plain = words.every((word) => /^[\p{L}\p{N}_./-]+$/u.test(word) && !keywords.has(word));
  if (!plain) return text;
  if (words.length > 1) return words.map(matching).join(" and ");
  const word = words[0]!;
  if (ownNames.has(word) || word.startsWith("lineage.")) return text;
  const key = /^[A-Za-z_][A-Za-z0-9_./]*$/.test(word);
  return key ? `${matching(word)} or ${word}` : matching(word);
}
