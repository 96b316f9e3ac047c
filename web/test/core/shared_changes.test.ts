import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { Status } from "../../src/core/api";
import { followTogether, type Sources, type Tab } from "../../src/core/shared_changes";

/** The locks and channels of a browser, and a server that counts its streams. */
class Browser {
  private readonly queue: (() => void)[] = [];
  private held = false;
  private readonly ears = new Set<{ tab: object; on: (event: Event) => void }>();
  readonly streams = new Set<(event: string, data: unknown) => void>();
  private readonly ends = new Set<() => void>();
  polls = 0;
  refused = false;

  readonly locks = {
    request: async (_: string, options: LockOptions, work: (lock: Lock | null) => unknown) => {
      if (this.held && options.ifAvailable) return work(null);
      while (this.held)
        await new Promise<void>((resolve, reject) => {
          this.queue.push(resolve);
          options.signal?.addEventListener("abort", () => reject(new Error("AbortError")));
        });
      if (options.signal?.aborted) throw new Error("AbortError");
      this.held = true;
      try {
        return await work({} as Lock);
      } finally {
        this.held = false;
        this.queue.shift()?.();
      }
    },
  } as unknown as LockManager;

  readonly sources: Sources = {
    stream: (signal, deliver) => {
      if (this.refused) return Promise.reject(new Error("refused"));
      return new Promise((resolve) => {
        const tell = deliver as (event: string, data: unknown) => void;
        const end = () => {
          this.streams.delete(tell);
          this.ends.delete(end);
          resolve();
        };
        this.streams.add(tell);
        this.ends.add(end);
        signal.addEventListener("abort", end);
        tell("hello", { generation: 1 });
      });
    },
    status: () => {
      this.polls++;
      return Promise.resolve({ generation: 1 } as Status);
    },
  };

  /** The server ends its streams. */
  cut(): void {
    for (const end of [...this.ends]) end();
  }

  say(event: string): void {
    for (const tell of this.streams) tell(event, { generation: 2 });
  }

  open(secure: boolean) {
    const me = {};
    const watchers = new Set<() => void>();
    const own = new Map<unknown, { tab: object; on: (event: Event) => void }>();
    const channel = {
      postMessage: (data: unknown) => {
        for (const ear of [...this.ears]) if (ear.tab !== me) ear.on({ data } as MessageEvent);
      },
      addEventListener: (_: string, on: (event: Event) => void) => {
        const ear = { tab: me, on };
        own.set(on, ear);
        this.ears.add(ear);
      },
      removeEventListener: (_: string, on: unknown) => this.ears.delete(own.get(on)!),
    } as unknown as NonNullable<Tab["channel"]>;
    let hidden = false;
    const tab: Tab = {
      name: "a",
      locks: secure ? this.locks : undefined,
      channel,
      hidden: () => hidden,
      onVisibility: (changed) => {
        watchers.add(changed);
        return () => watchers.delete(changed);
      },
    };
    const close = new AbortController();
    const heard: string[] = [];
    const state = { ended: "" };
    followTogether(close.signal, (event) => heard.push(event), tab, this.sources).then(
      () => (state.ended = "ended"),
      (error: Error) => (state.ended = error.message),
    );
    const hide = (now: boolean) => {
      hidden = now;
      for (const changed of [...watchers]) changed();
    };
    return { heard, state, close: () => close.abort(), hide };
  }
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());
const settle = (milliseconds = 0) => vi.advanceTimersByTimeAsync(milliseconds);

describe("with Web Locks", () => {
  test("six tabs have one stream, and all hear it", async () => {
    const browser = new Browser();
    const tabs = Array.from({ length: 6 }, () => browser.open(true));
    await settle();
    expect(browser.streams.size).toBe(1);
    browser.say("changes");
    for (const { heard } of tabs) expect(heard).toContain("hello");
    for (const { heard } of tabs)
      expect(heard.filter((event) => event === "changes")).toHaveLength(1);
  });
  test("when the tab with the stream is left, another takes over, and none says offline", async () => {
    const browser = new Browser();
    const [first, ...others] = [1, 2, 3].map(() => browser.open(true));
    await settle();
    first!.close();
    await settle();
    expect(browser.streams.size).toBe(1);
    browser.say("changes");
    for (const { heard } of others) expect(heard.at(-1)).toBe("changes");
    for (const { heard } of others) expect(heard).not.toContain("offline");
    expect(first!.heard).not.toContain("changes");
    others[0]!.close();
    await settle();
    expect(browser.streams.size).toBe(1);
    others[1]!.close();
    await settle();
    expect(browser.streams.size).toBe(0);
  });
  test("a lost stream is lost for all; the error is the leader's", async () => {
    const browser = new Browser();
    const [first, second] = [browser.open(true), browser.open(true)];
    await settle();
    browser.refused = true;
    browser.cut();
    await settle();
    expect(first.state.ended).toBe("ended");
    expect(second.heard).toContain("offline");
    expect(second.state.ended).toBe("refused");
  });
});

describe("without Web Locks", () => {
  test("a hidden tab has no stream; it gets one when it is shown", async () => {
    const browser = new Browser();
    const tab = browser.open(false);
    await settle(300);
    expect(browser.streams.size).toBe(1);
    tab.hide(true);
    await settle(10000);
    expect(browser.streams.size).toBe(0);
    expect(browser.polls).toBe(0);
    tab.hide(false);
    await settle(300);
    expect(browser.streams.size).toBe(1);
    expect(tab.heard).toEqual(["hello", "hello"]);
  });
  test("the fifth visible tab polls until one of the four is left", async () => {
    const browser = new Browser();
    const tabs: ReturnType<Browser["open"]>[] = [];
    for (let i = 0; i < 6; i++) {
      tabs.push(browser.open(false));
      await settle(300);
    }
    expect(browser.streams.size).toBe(4);
    expect(browser.polls).toBe(2);
    await settle(5300);
    expect(browser.polls).toBe(4);
    tabs[0]!.close();
    tabs[1]!.close();
    await settle(12000);
    expect(browser.streams.size).toBe(4);
    const polls = browser.polls;
    await settle(20000);
    expect(browser.polls).toBe(polls);
    for (const tab of tabs) tab.close();
    await settle(300);
    expect(browser.streams.size).toBe(0);
  });
  test("ends when the server ends the stream", async () => {
    const browser = new Browser();
    const tab = browser.open(false);
    await settle(300);
    browser.cut();
    await settle();
    expect(tab.state.ended).toBe("ended");
  });
});
