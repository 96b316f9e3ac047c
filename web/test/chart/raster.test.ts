import { describe, expect, test } from "vitest";
import { Raster } from "../../src/chart/raster";

describe("many lines as spans", () => {
  const rows = (raster: Raster, column: number) =>
    Array.from({ length: raster.height }, (_, row) => row).filter(
      (row) => raster.at(column, row) !== 0,
    );
  const drawn = (points: [number, number][], ratio = 1) => {
    const raster = new Raster(8, 8, ratio, 0, 0);
    raster.pen([1, 2, 3], 1);
    points.forEach(([x, y], i) => (i === 0 ? raster.moveTo(x, y) : raster.lineTo(x, y)));
    return raster;
  };
  test("a column holds its smallest and its largest value", () => {
    expect(
      rows(
        drawn([
          [2.5, 6.5],
          [2.5, 1.5],
        ]),
        2,
      ),
    ).toEqual([1, 2, 3, 4, 5, 6]);
  });
  test("a line touches every column between its ends, forwards and backwards", () => {
    for (const points of [
      [
        [0, 0],
        [8, 8],
      ],
      [
        [8, 8],
        [0, 0],
      ],
    ] as [number, number][][]) {
      const raster = drawn(points);
      for (let column = 0; column < 8; column++) expect(rows(raster, column)).toContain(column);
    }
  });
  test("what lies outside is cut off, not moved to the edge", () => {
    expect(
      rows(
        drawn([
          [-4, -4],
          [12, 12],
        ]),
        3,
      ),
    ).toContain(3);
    expect(
      rows(
        drawn([
          [2, -9],
          [2, -3],
        ]),
        2,
      ),
    ).toEqual([]);
    expect(
      rows(
        drawn([
          [-5, 2],
          [-1, 2],
        ]),
        0,
      ),
    ).toEqual([]);
  });
  test("strokes of one column have nothing between them; those of one path are joined", () => {
    const raster = drawn([
      [2.5, 1.5],
      [2.5, 2.5],
    ]);
    raster.moveTo(2.5, 5.5);
    raster.lineTo(2.2, 6.5);
    raster.lineTo(2.8, 4.5);
    expect(rows(raster, 2)).toEqual([1, 2, 4, 5, 6]);
  });
  test("a new colour leaves what was drawn before as it was", () => {
    const raster = drawn([
      [2.5, 1.5],
      [2.5, 2.5],
    ]);
    raster.pen([0, 0, 1], 1);
    raster.lineTo(2.5, 3.5);
    expect([1, 2, 3].map((row) => raster.at(2, row))).toEqual([0xff030201, 0xff010000, 0xff010000]);
  });
  test("the pen's colour is red, green, blue", () => {
    expect(
      drawn([
        [0, 0],
        [1, 0],
      ]).at(0, 0),
    ).toBe(0xff030201);
  });
});
