import { expect, test } from "vitest";
import { readCamera } from "../../../src/pages/graphs/camera";

test("what a graph's window shows is read from the address; what says nothing shows the whole", () => {
  expect(readCamera("120_-40_0.5")).toEqual({ x: 120, y: -40, scale: 0.5 });
  for (const text of ["", "120_-40", "120_-40_0", "120_-40_5", "a_b_c"])
    expect(readCamera(text)).toBeNull();
});
