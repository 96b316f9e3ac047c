import { describe, expect, test } from "vitest";
import { pairsOf, roleOf } from "../../src/chart/pairs";

describe("validation stands with training", () => {
  const pairs = (...tags: string[]) =>
    pairsOf(tags.map((tag) => ({ tag }))).map(({ tag, others }) => [
      tag.tag,
      ...others.map((other) => other.tag),
    ]);
  test.each([
    [["train/loss", "val/loss"], [["train/loss", "val/loss"]]],
    [
      ["loss", "val_loss", "lr"],
      [["loss", "val_loss"], ["lr"]],
    ],
    [
      ["Accuracy/train", "Accuracy/test", "Accuracy/validation"],
      [["Accuracy/train", "Accuracy/test", "Accuracy/validation"]],
    ],
    [
      ["loss", "train/loss", "eval/loss"],
      [["loss"], ["train/loss", "eval/loss"]],
    ],
  ])("%j", (tags, wanted) => expect(pairs(...tags)).toEqual(wanted));
  test("alone, or with a word that is all of the tag, each stays by itself", () => {
    expect(pairs("val/loss", "lr", "test", "validation")).toEqual([
      ["val/loss"],
      ["lr"],
      ["test"],
      ["validation"],
    ]);
    expect(roleOf("train_test_gap").role).toBe("");
    expect(roleOf("interval/loss").role).toBe("");
  });
});

describe("the curves of a main tag are on one chart", () => {
  const curve = (main: string, key: string) => ({ tag: `${main}/${key}`, main });
  const charts = (...tags: { tag: string; main?: string }[]) =>
    pairsOf(tags).map(({ name, tag, others, curves }) => [
      name,
      curves,
      ...[tag, ...others].map((one) => one.tag),
    ]);
  test("by the name of the tag, at the place of the first", () =>
    expect(
      charts(curve("loss", "train"), { tag: "lr" }, curve("loss", "valid"), curve("n/x", "a/b")),
    ).toEqual([
      ["loss", true, "loss/train", "loss/valid"],
      ["lr", false, "lr"],
      ["n/x/a/b", false, "n/x/a/b"],
    ]));
  test("with the tag itself, and apart from validation", () =>
    expect(
      charts({ tag: "val_loss" }, { tag: "loss" }, curve("loss", "a"), curve("loss", "b")),
    ).toEqual([
      ["val_loss", false, "val_loss"],
      ["loss", true, "loss", "loss/a", "loss/b"],
    ]));
});
