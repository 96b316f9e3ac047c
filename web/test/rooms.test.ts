// The rooms of src: core <- widgets <- chart <- pages/<page> <- app. A file imports from its own room and lower ones.
import { expect, test } from "vitest";

const sources = import.meta.glob("../src/**/*.{ts,tsx}", {
  query: "?raw",
  import: "default",
  eager: true,
});
const rooms = ["core", "widgets", "chart", "pages"];
const filesAtMost = 40;

/** "pages/media" of "../src/pages/media/lens.tsx"; "" for app.tsx and others at the top. */
function roomOf(path: string): string {
  return path.split("/").slice(2, -1).join("/");
}

function heightOf(room: string): number {
  return room === "" ? rooms.length : rooms.indexOf(room.split("/")[0]!);
}

/** The files that a source imports, whether for types, at once or later. */
function importsOf(path: string, text: string): string[] {
  return [...text.matchAll(/(?:from|import|import\() ?"(\.[^"]*)"/g)].flatMap(([, name]) => {
    const found = new URL(name!, `file:///a/b/${path}`).pathname.replace("/a/", "../");
    return [".ts", ".tsx"].map((end) => found + end).filter((file) => file in sources);
  });
}

const imports = new Map(
  Object.entries(sources).map(([path, text]) => [path, importsOf(path, text as string)]),
);

test("every source is in a room", () => {
  expect(Object.keys(sources).length).toBeGreaterThan(50);
  expect(Object.keys(sources).filter((path) => heightOf(roomOf(path)) < 0)).toEqual([]);
});

test("no import goes to a higher room, or from one page to another", () => {
  const wrong = [...imports].flatMap(([path, all]) =>
    all
      .filter((other) => {
        const [from, to] = [roomOf(path), roomOf(other)];
        return heightOf(to) > heightOf(from) || (heightOf(to) === heightOf(from) && to !== from);
      })
      .map((other) => `${path} -> ${other}`),
  );
  expect(wrong).toEqual([]);
});

test("no imports form a circle", () => {
  const done = new Set<string>();
  const visit = (path: string, way: readonly string[]): string[] => {
    if (way.includes(path)) return [[...way.slice(way.indexOf(path)), path].join(" -> ")];
    if (done.has(path)) return [];
    const circles = imports.get(path)!.flatMap((other) => visit(other, [...way, path]));
    done.add(path);
    return circles;
  };
  expect([...imports.keys()].flatMap((path) => visit(path, []))).toEqual([]);
});

test("a test lies where its source lies", () => {
  const tests = Object.keys(import.meta.glob("./*/**/*.test.ts"));
  expect(tests.length).toBeGreaterThan(50);
  const without = tests.filter((path) => {
    const source = path.replace(/^\.\//, "../src/").replace(/\.test\.ts$/, "");
    return !(`${source}.ts` in sources || `${source}.tsx` in sources);
  });
  expect(without).toEqual([]);
});

test("a room has at most forty files", () => {
  const counts = new Map<string, number>();
  for (const path of imports.keys()) counts.set(roomOf(path), (counts.get(roomOf(path)) ?? 0) + 1);
  expect([...counts].filter(([, count]) => count > filesAtMost)).toEqual([]);
});
