// Names, notes, tags, colours, pins and hiding of runs, and saved views. The server stores them in
// a file if --allow-write permits it, otherwise this browser does. The page says which.

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
/** `server`: whether the server stores it. */
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
    // Without storage it lasts until the page is closed.
  }
}

export const kept = new Store<Kept>(ofBrowser());

export function keptOf(id: string): KeptRun {
  return kept.get().runs[id] ?? {};
}

/** Applies a change; entries without a value are removed. */
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

// Changes that the server has not confirmed, all changes so far, and whether entries of the server
// were left aside meanwhile: they may be older than a change.
let unconfirmed = 0;
let changes = 0;
let leftAside = false;

async function send(body: Parameters<typeof post<"kept">>[1]): Promise<void> {
  unconfirmed++;
  changes++;
  try {
    await post("kept", body);
  } finally {
    unconfirmed--;
  }
  if (unconfirmed > 0 || !leftAside) return;
  leftAside = false;
  await loadKept();
}

/** Loads the server's entries. This browser's own are added if the server is read-only. */
export async function loadKept(): Promise<void> {
  const before = changes;
  const entries = await get("kept", {});
  if (unconfirmed > 0) {
    leftAside = true;
    return;
  }
  if (changes !== before) return loadKept();
  const own = ofBrowser();
  kept.set({
    runs: entries.writable ? entries.runs : { ...entries.runs, ...own.runs },
    layouts: entries.writable ? entries.layouts : { ...entries.layouts, ...own.layouts },
    server: entries.writable,
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
  else await send({ runs: { [id]: withNulls(change) } });
}

/** Saves the fragment of a view under a name; null removes it. */
export async function keepLayout(name: string, fragment: string | null): Promise<void> {
  const now = kept.get();
  const { [name]: _, ...rest } = now.layouts;
  const next = { ...now, layouts: fragment === null ? rest : { ...rest, [name]: fragment } };
  kept.set(next);
  if (!now.server) toBrowser(next);
  else await send({ layouts: { [name]: fragment } });
}
