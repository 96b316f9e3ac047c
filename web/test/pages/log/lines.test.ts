import { afterEach, expect, test, vi } from "vitest";
import { linesAtMost, open, placeOf, withEarlier, withLater } from "../../../src/pages/log/lines";

// A server with a console of lines "<n>\n" of ten bytes each.
function serve(count: () => number) {
  const asked: URLSearchParams[] = [];
  vi.stubGlobal("document", { baseURI: "http://localhost/" });
  vi.stubGlobal("fetch", async (address: string) => {
    const query = new URL(address, "http://x").searchParams;
    asked.push(query);
    const size = count() * 10;
    const before = query.get("before");
    const given = Number(query.get("from") ?? (before ? Math.max(0, Number(before) - 100) : 0));
    const from = given - (given % 10); // Whole lines.
    const end = before ? Number(before) : size;
    const lines = [];
    for (let offset = from; offset < end; offset += 10)
      lines.push({ offset, time: null, text: String(offset / 10), cut: false });
    const body = { lines, begin: from, end, size, at: size, running: true, ranks: [null] };
    return new Response(JSON.stringify({ ...body, folder: "f", rank: null, run: "r" }));
  });
  return asked;
}

afterEach(() => {
  vi.unstubAllGlobals();
});

const which = { run: "r", rank: "" };

test("a place is a step, a time, a byte, or the end", () => {
  expect(placeOf("step:500")).toEqual({ step: 500 });
  expect(placeOf("time:1.5")).toEqual({ time: 1.5 });
  expect(placeOf("byte:4096")).toEqual({ around: 4096 });
  for (const none of ["", "step:", "byte:-1", "other:1", "step:x"])
    expect(placeOf(none)).toEqual({});
});

test("what was printed since is added, and a line that grew is replaced", async () => {
  let count = 3;
  serve(() => count);
  const first = await open(which, "");
  count = 5;
  const next = await withLater(which, { ...first, end: 25 });
  expect(next.lines.map((line) => line.text)).toEqual(["0", "1", "2", "3", "4"]);
  expect(next.size).toBe(50);
  expect(next.begin).toBe(0);
});

test("earlier lines come first", async () => {
  serve(() => 30);
  const first = { ...(await open(which, "")), begin: 200 };
  const tail = { ...first, lines: first.lines.filter((line) => line.offset >= 200) };
  const next = await withEarlier(which, tail);
  expect(next.lines[0]!.text).toBe("10");
  expect(next.lines.length).toBe(20);
  expect(next.begin).toBe(100);
});

test("lines are bounded: those at the other end go", async () => {
  serve(() => linesAtMost + 100);
  const first = await open(which, "");
  const rest = { ...first, lines: first.lines.slice(0, 50), end: 500 };
  const later = await withLater(which, rest);
  expect(later.lines.length).toBe(linesAtMost);
  expect(later.begin).toBe(later.lines[0]!.offset);
  expect(later.end).toBe((linesAtMost + 100) * 10);
});

test("the rank is asked for", async () => {
  const asked = serve(() => 1);
  await open({ run: "r", rank: "3" }, "step:7");
  expect(asked[0]!.get("rank")).toBe("3");
  expect(asked[0]!.get("step")).toBe("7");
});
