import { afterEach, describe, expect, test, vi } from "vitest";
import { assignSlots } from "../../src/core/colors";
import { keepRun, keptOf, loadKept, merged, withEntry } from "../../src/core/kept";

describe("what people add", () => {
  test("is merged; what is empty is taken out, and a run without any with it", () => {
    expect(merged({ name: "x", tags: ["a"] }, { note: "n", tags: [] })).toEqual({
      name: "x",
      note: "n",
    });
    expect(merged({ hidden: true, color: 0 }, { hidden: false })).toEqual({ color: 0 });
    expect(withEntry({ a: { name: "x" }, b: {} }, "a", {})).toEqual({ b: {} });
  });
  test("a chosen colour is the run's; who held it gives it up", () => {
    const held = assignSlots(new Map(), ["a", "b"]);
    expect([...assignSlots(held, ["a", "b"], (id) => (id === "b" ? 0 : undefined))]).toEqual([
      ["b", 0],
      ["a", 1],
    ]);
  });
});

describe("a change that the server has not confirmed", () => {
  afterEach(() => vi.unstubAllGlobals());

  /** A server whose answers wait: the oldest request first. */
  function server() {
    const waiting: { post: boolean; answer: (body: unknown) => void }[] = [];
    vi.stubGlobal("document", { baseURI: "http://server/" });
    vi.stubGlobal(
      "fetch",
      (_: string, { method }: RequestInit) =>
        new Promise<Response>((resolve) =>
          waiting.push({
            post: method === "POST",
            answer: (body) => resolve(new Response(JSON.stringify(body))),
          }),
        ),
    );
    return waiting;
  }
  const entries = (hidden: boolean) => ({
    writable: true,
    layouts: {},
    runs: hidden ? { a: { hidden: true } } : {},
  });
  const turn = () => new Promise((resolve) => setTimeout(resolve));

  test("is not undone by older entries that arrive after it", async () => {
    const waiting = server();
    const first = loadKept();
    waiting.shift()!.answer(entries(true));
    await first;
    expect(keptOf("a").hidden).toBe(true);
    void loadKept(); // Of an earlier change: its answer is on its way.
    const change = keepRun("a", { hidden: false });
    expect(keptOf("a").hidden).toBeUndefined();
    waiting.shift()!.answer(entries(true));
    await turn();
    expect(keptOf("a").hidden, "while the change is on its way").toBeUndefined();
    expect(
      waiting.map(({ post }) => post),
      "nothing is asked before that",
    ).toEqual([true]);
    waiting.shift()!.answer({});
    await turn();
    expect(
      waiting.map(({ post }) => post),
      "the entries are asked for again",
    ).toEqual([false]);
    waiting.shift()!.answer(entries(false));
    await change;
    expect(keptOf("a").hidden).toBeUndefined();
  });
});
