// What people add to runs (names, notes, tags, colours, pins, hiding) and the views that they saved. The server keeps it
// in one file where --allow-write lets it, else this browser does: the page says which.

import { get, post } from "./http";
import { Store } from "./store";

export interface KeptRun {
  name?: string;
  note?: string;
  tags?: readonly string[];
  hidden?: boolean;
  pinned?: boolean;
  color?: number;
}
/** `server`: whether the server keeps it. */
export interface Kept {
  runs: Readonly<Record<string, KeptRun>>;
  layouts: Readonly<Record<string, string>>;
  server: boolean;
}

const storageKey = "sightline.kept";

function ofBrowser(): Kept {
  try {
    const read = JSON.parse(localStorage.getItem(storageKey) ?? "{}") as Partial<Kept>;
    return { runs: read.runs ?? {}, layouts: read.layouts ?? {}, server: false };
  } catch {
    return { runs: {}, layouts: {}, server: false };
  }
}

function toBrowser({ runs, layouts }: Kept): void {
  try {
    localStorage.setItem(storageKey, JSON.stringify({ runs, layouts }));
  } catch {
    // It holds until the page is closed.
  }
}

export const kept = new Store<Kept>(ofBrowser());

export function keptOf(id: string): KeptRun {
  return kept.get().runs[id] ?? {};
}

/** Entries without a value are taken out. */
export function merged(old: KeptRun, change: KeptRun): KeptRun {
  return Object.fromEntries(
    Object.entries({ ...old, ...change }).filter(
      ([, value]) =>
        value !== undefined &&
        value !== "" &&
        value !== false &&
        !(Array.isArray(value) && value.length === 0),
    ),
  );
}

/** The record without the key, or with its new value. */
export function withEntry<T extends object>(
  record: Readonly<Record<string, T>>,
  key: string,
  value: T,
): Record<string, T> {
  const { [key]: _, ...rest } = record;
  return Object.keys(value).length > 0 ? { ...rest, [key]: value } : rest;
}

/** Asks the server, where it keeps anything; what this browser keeps stays beneath it. */
export async function loadKept(): Promise<void> {
  const answer = await get("kept", {});
  const own = ofBrowser();
  kept.set({
    runs: answer.writable ? answer.runs : { ...answer.runs, ...own.runs },
    layouts: answer.writable ? answer.layouts : { ...answer.layouts, ...own.layouts },
    server: answer.writable,
  });
}

/** In a request, null removes a key; undefined would be left out of it. */
function withNulls(change: KeptRun): Record<string, unknown> {
  return Object.fromEntries(Object.entries(change).map(([key, value]) => [key, value ?? null]));
}

export async function keepRun(id: string, change: KeptRun): Promise<void> {
  const now = kept.get();
  const next = { ...now, runs: withEntry(now.runs, id, merged(now.runs[id] ?? {}, change)) };
  kept.set(next);
  if (!now.server) toBrowser(next);
  else await post("kept", { runs: { [id]: withNulls(change) } });
}

/** Saves the fragment of a view under a name; null takes it away. */
export async function keepLayout(name: string, fragment: string | null): Promise<void> {
  const now = kept.get();
  const { [name]: _, ...rest } = now.layouts;
  const next = { ...now, layouts: fragment === null ? rest : { ...rest, [name]: fragment } };
  kept.set(next);
  if (!now.server) toBrowser(next);
  else await post("kept", { layouts: { [name]: fragment } });
}
