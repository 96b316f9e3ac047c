import { expect, test } from "vitest";
import { atMost } from "../../src/core/at_most";

/** Tasks that end when they are told to, and the names of those that have begun. */
function tasks(inPlace: ReturnType<typeof atMost>) {
  const begun: string[] = [];
  const ends = new Map<string, { resolve: () => void; reject: (error: Error) => void }>();
  const start = (name: string) =>
    inPlace(
      () =>
        new Promise<void>((resolve, reject) => {
          begun.push(name);
          ends.set(name, { resolve, reject });
        }),
    );
  return { begun, start, of: (name: string) => ends.get(name)! };
}

test("as many run at once as may, and the next begins when one ends", async () => {
  const { begun, start, of } = tasks(atMost(2));
  const first = start("a");
  start("b");
  start("c");
  start("d");
  expect(begun).toEqual(["a", "b"]);
  of("a").resolve();
  await first;
  await Promise.resolve();
  expect(begun).toEqual(["a", "b", "c"]);
});

test("a task that fails gives its place to the next", async () => {
  const { begun, start, of } = tasks(atMost(1));
  const first = start("a");
  start("b");
  of("a").reject(new Error("broken"));
  await expect(first).rejects.toThrow("broken");
  await Promise.resolve();
  expect(begun).toEqual(["a", "b"]);
});

test("a place that nobody waits for is free again", async () => {
  const { begun, start, of } = tasks(atMost(1));
  const first = start("a");
  of("a").resolve();
  await first;
  start("b");
  expect(begun).toEqual(["a", "b"]);
});
