// Commands that the page prints for a shell. Their parts come from files that anybody may have
// written.

const hex = (character: string) => `\\x${character.charCodeAt(0).toString(16).padStart(2, "0")}`;

/** A word of a POSIX shell that stands for the text, whatever is in it. */
export function shellWord(text: string): string {
  // A terminal would take control characters that are pasted for keys.
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are meant.
  if (/[\x00-\x1f\x7f]/.test(text))
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are meant.
    return `$'${text.replace(/[\x00-\x1f\x7f'\\]/g, hex)}'`;
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/**
 * A regular expression that matches a tag and no other. It has neither quotes nor control
 * characters, so in single quotes every shell passes it on.
 */
export function tagPattern(tag: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are meant.
  const inert = tag.replace(/[\x00-\x1f\x7f'"`!\\]|[.*+?()[\]{}^$|]/g, (character) =>
    /[.*+?()[\]{}^$|]/.test(character) ? `\\${character}` : hex(character),
  );
  return `^${inert}$`;
}

/** The command that prints the values of a tag. */
export function catCommand(tag: string, directory: string): string {
  return `sightline cat --tag ${shellWord(tagPattern(tag))} ${shellWord(directory)}`;
}
