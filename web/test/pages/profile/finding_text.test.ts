import { expect, test } from "vitest";
import { findingInChinese } from "../../../src/pages/profile/finding_text";

test("numbers and names stay where they belong", () => {
  expect(findingInChinese("a step waits 1.50 ms of its 8.00 ms (median of 9 steps)")).toBe(
    "每步 8.00 ms 中等待 1.50 ms（9 步的中位数）",
  );
});

test("a part without a translation stays English, the others do not", () => {
  expect(findingInChinese("something new; fuse small operators")).toBe("something new；融合小算子");
});
