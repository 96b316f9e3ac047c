import { describe, expect, test } from "vitest";
import { difference, isGrey, type Picture, pixelText } from "../../../src/pages/media/pixels";

describe("pictures", () => {
  const picture = (...pixels: number[][]): Picture => ({
    width: pixels.length,
    height: 1,
    bytes: Uint8ClampedArray.from(pixels.flatMap((p) => [...p, 255])),
  });
  test("their difference: red where there is more, blue where less, white where they are equal", () => {
    const found = difference(
      picture([10, 10, 10], [5, 5, 5], [0, 0, 0]),
      picture([0, 0, 0], [5, 5, 5], [20, 20, 20]),
    )!;
    expect(found).toMatchObject({ most: 20, pixels: 2 });
    const [r, , b] = found.picture.bytes;
    expect(r).toBeGreaterThan(b!);
    expect([...found.picture.bytes.slice(4, 7)]).toEqual([255, 255, 255]);
    expect(found.picture.bytes[10]).toBeGreaterThan(found.picture.bytes[8]!);
  });
  test("of other sizes have none", () =>
    expect(difference(picture([1, 1, 1]), picture([1, 1, 1], [1, 1, 1]))).toBeNull());
  test("a pixel's numbers", () => {
    const grey = picture([7, 7, 7], [8, 8, 8]);
    expect(isGrey(grey)).toBe(true);
    expect(pixelText(grey, 1, 0, true)).toBe("8");
    expect(pixelText(picture([1, 2, 3]), 0, 0, false)).toBe("1 2 3");
  });
});
