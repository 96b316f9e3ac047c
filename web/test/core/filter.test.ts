import { describe, expect, test } from "vitest";
import { grouped, groupOf, readFilter } from "../../src/core/filter";

describe("the filter of tags", () => {
  test("a text finds every word, a pattern is between slashes", () => {
    expect(readFilter("loss val").matches("val/Loss")).toBe(true);
    expect(readFilter("loss val").matches("loss")).toBe(false);
    expect(readFilter("/^loss$/").matches("val/loss")).toBe(false);
    expect(readFilter("/loss|acc/").matches("train/acc")).toBe(true);
  });
  test("a broken pattern says so and matches nothing", () => {
    expect(readFilter("/(/").error).not.toBe("");
    expect(readFilter("/(/").matches("(")).toBe(false);
  });
  test("the group of a tag is the part before its first slash", () => {
    expect(groupOf("train/loss/x")).toBe("train");
    expect(
      grouped([{ tag: "b/x" }, { tag: "loss" }, { tag: "b/y" }]).map((group) => [
        group.name,
        group.items.length,
      ]),
    ).toEqual([
      ["", 1],
      ["b", 2],
    ]);
    expect(
      grouped([{ tag: "a/x" }, { tag: "b/x" }, { tag: "b/y" }, { tag: "c/x" }]).map((group) => [
        group.name,
        group.items.length,
      ]),
    ).toEqual([
      ["", 2],
      ["b", 2],
    ]);
  });
});
