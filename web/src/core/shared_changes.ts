// One stream of changes for all tabs of a browser. Browsers allow six connections to a server, so
// six streams would leave none for requests.
//
// Where the page has Web Locks, the tab that holds the lock has the stream and passes its events on
// to the others. They are missing on pages that are not a secure context (plain http from another
// machine): there each tab has a stream while it is visible, and polls if four others have one.
import { type Changes, followChanges, type Status } from "./api";
import { get } from "./http";

/** "offline": the tab that has the stream lost it. */
export type Deliver = (event: string, data: Changes | Status | null) => void;

interface Message {
  event?: string;
  data?: Changes | Status | null;
  /** Asks the tabs that have a stream of their own; they answer with its number. */
  who?: string;
  here?: string;
}

/** What a tab knows and shares with the others of the same server. */
export interface Tab {
  /** The lock's name: the same for all tabs of a server. */
  name: string;
  /** Missing on pages that are not a secure context. */
  locks: Pick<LockManager, "request"> | undefined;
  channel:
    | Pick<BroadcastChannel, "postMessage" | "addEventListener" | "removeEventListener">
    | undefined;
  hidden: () => boolean;
  /** Calls back when the tab is hidden or shown. Returns the end of that. */
  onVisibility: (changed: () => void) => () => void;
}

export interface Sources {
  /** Resolves when the stream ends, also by the signal. */
  stream: (signal: AbortSignal, deliver: Deliver) => Promise<void>;
  status: (signal: AbortSignal) => Promise<Status>;
}

const streamsAtMost = 4;
const answersWithin = 200;
const pollEvery = 5000;

function listen(tab: Tab, heard: (message: Message) => void): () => void {
  const on = (event: Event) => heard((event as MessageEvent<Message>).data);
  tab.channel?.addEventListener("message", on);
  return () => tab.channel?.removeEventListener("message", on);
}

/** Resolves after a time, or when the signal is aborted. */
function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, milliseconds);
    if (signal.aborted) end();
    else signal.addEventListener("abort", end);
  });
}

async function followByLock(
  signal: AbortSignal,
  tab: Tab & { locks: NonNullable<Tab["locks"]>; channel: NonNullable<Tab["channel"]> },
  sources: Sources,
  deliver: Deliver,
): Promise<void> {
  let leads = false;
  const silence = listen(tab, ({ event, data }) => {
    if (!leads && event !== undefined) deliver(event, data ?? null);
  });
  const lead = async () => {
    leads = true;
    try {
      await sources.stream(signal, (event, data) => {
        deliver(event, data);
        tab.channel.postMessage({ event, data });
      });
    } finally {
      leads = false;
      // A tab that is closed has lost nothing: the next one takes over at once.
      if (!signal.aborted) tab.channel.postMessage({ event: "offline" });
    }
  };
  try {
    const led = await tab.locks.request(tab.name, { ifAvailable: true }, async (lock) => {
      if (lock) await lead();
      return lock !== null;
    });
    if (led || signal.aborted) return;
    deliver("hello", await sources.status(signal));
    await tab.locks.request(tab.name, { signal }, lead);
  } finally {
    silence();
  }
}

/** Runs `work` until the tab is hidden or the signal is aborted. */
async function whileVisible(
  signal: AbortSignal,
  tab: Tab,
  work: (signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const end = new AbortController();
  const abort = () => end.abort();
  const forget = tab.onVisibility(() => tab.hidden() && abort());
  signal.addEventListener("abort", abort);
  try {
    await work(end.signal);
  } catch (error) {
    if (!end.signal.aborted) throw error;
  } finally {
    forget();
    signal.removeEventListener("abort", abort);
  }
}

function untilVisible(signal: AbortSignal, tab: Tab): Promise<void> {
  return new Promise((resolve) => {
    const check = () => {
      if (tab.hidden() && !signal.aborted) return;
      forget();
      signal.removeEventListener("abort", check);
      resolve();
    };
    const forget = tab.onVisibility(check);
    signal.addEventListener("abort", check);
    check();
  });
}

/** The number of other tabs that have a stream. */
async function streamsOfOthers(signal: AbortSignal, tab: Tab, id: string): Promise<number> {
  if (!tab.channel) return 0;
  const found = new Set<string>();
  const silence = listen(tab, ({ here }) => here !== undefined && found.add(here));
  tab.channel.postMessage({ who: id });
  await pause(answersWithin, signal);
  silence();
  return found.size;
}

async function followAlone(
  signal: AbortSignal,
  tab: Tab,
  sources: Sources,
  deliver: Deliver,
): Promise<void> {
  const id = String(Math.random());
  let streams = false;
  const silence = listen(tab, ({ who }) => {
    if (who !== undefined && streams) tab.channel!.postMessage({ here: id });
  });
  let ended = false;
  try {
    while (!ended && !signal.aborted) {
      await untilVisible(signal, tab);
      await whileVisible(signal, tab, async (until) => {
        const others = await streamsOfOthers(until, tab, id);
        if (until.aborted) return;
        if (others >= streamsAtMost) {
          deliver("hello", await sources.status(until));
          await pause(pollEvery, until);
          return;
        }
        streams = true;
        try {
          await sources.stream(until, deliver);
        } finally {
          streams = false;
        }
        ended = !until.aborted;
      });
    }
  } finally {
    silence();
  }
}

/**
 * Delivers the server's changes until the signal is aborted (then it resolves or rejects), or the
 * connection is lost.
 */
export function followTogether(
  signal: AbortSignal,
  deliver: Deliver,
  tab: Tab = thisTab(),
  sources: Sources = { stream: followChanges, status: (until) => get("status", {}, until) },
): Promise<void> {
  const { locks, channel } = tab;
  return locks && channel
    ? followByLock(signal, { ...tab, locks, channel }, sources, deliver)
    : followAlone(signal, tab, sources, deliver);
}

let ofThisTab: Tab | null = null;

function thisTab(): Tab {
  const name = `sightline.changes:${location.pathname}`;
  ofThisTab ??= {
    name,
    locks: navigator.locks as LockManager | undefined,
    channel: typeof BroadcastChannel === "undefined" ? undefined : new BroadcastChannel(name),
    hidden: () => document.hidden,
    onVisibility: (changed) => {
      document.addEventListener("visibilitychange", changed);
      return () => document.removeEventListener("visibilitychange", changed);
    },
  };
  return ofThisTab;
}
