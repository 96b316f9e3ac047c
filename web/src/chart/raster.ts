// Draws many lines into a picture: in every column of the screen's pixels, each line's span from
// its smallest to its largest value. Strokes of the canvas take fifty times as long.

// Reused for the next picture of the same size: a chart draws many, and they are large.
let kept: { image: ImageData; rows: Uint32Array; canvas: OffscreenCanvas } | null = null;

function sheet(width: number, height: number) {
  if (kept?.image.width === width && kept.image.height === height) return kept;
  const image = new ImageData(width, height);
  kept = {
    image,
    rows: new Uint32Array(image.data.buffer),
    canvas: new OffscreenCanvas(width, height),
  };
  return kept;
}

export class Raster {
  // Column after column: a span is one piece.
  private readonly pixels: Uint32Array;
  private ink = 0;
  private x = NaN;
  private y = NaN;
  // The part of a column that a path covers. It is painted later, since the next segment may
  // lengthen it.
  private column = -1;
  private low = Infinity;
  private high = -Infinity;

  /**
   * A picture in the screen's pixels. A path's unit is `ratio` pixels, and its origin is at `left`,
   * `top`.
   */
  constructor(
    readonly width: number,
    readonly height: number,
    readonly ratio: number,
    readonly left: number,
    readonly top: number,
  ) {
    this.pixels = new Uint32Array(width * height);
  }

  /** The colour of the next paths. They replace what is below. */
  pen([r, g, b]: readonly [number, number, number], alpha: number): void {
    this.paint();
    this.ink = ((Math.round(alpha * 255) << 24) | (b << 16) | (g << 8) | r) >>> 0;
  }

  moveTo(x: number, y: number): void {
    this.paint();
    this.x = x * this.ratio - this.left;
    this.y = y * this.ratio - this.top;
  }

  lineTo(x: number, y: number): void {
    let ax = this.x;
    let ay = this.y;
    this.x = x * this.ratio - this.left;
    this.y = y * this.ratio - this.top;
    let bx = this.x;
    let by = this.y;
    if (bx < ax) [ax, ay, bx, by] = [bx, by, ax, ay];
    if (!(bx >= 0 && ax < this.width)) return;
    const first = Math.max(0, Math.floor(ax));
    const last = Math.min(this.width - 1, Math.floor(bx));
    if (Math.floor(ax) === Math.floor(bx)) {
      this.cover(first, ay, by);
      return;
    }
    const slope = (by - ay) / (bx - ax);
    for (let column = first; column <= last; column++) {
      this.cover(
        column,
        ay + (Math.max(ax, column) - ax) * slope,
        ay + (Math.min(bx, column + 1) - ax) * slope,
      );
    }
  }

  private cover(column: number, a: number, b: number): void {
    if (column !== this.column) this.paint();
    this.column = column;
    this.low = Math.min(this.low, a, b);
    this.high = Math.max(this.high, a, b);
  }

  private paint(): void {
    const { column, pixels, height, ink } = this;
    if (column >= 0) {
      const thick = (this.ratio - 1) / 2;
      const begin = column * height;
      const from = begin + Math.max(0, Math.floor(this.low - thick));
      const to = begin + Math.min(height - 1, Math.floor(this.high + thick));
      for (let at = from; at <= to; at++) pixels[at] = ink;
    }
    this.column = -1;
    this.low = Infinity;
    this.high = -Infinity;
  }

  /** A pixel: alpha, blue, green, red from the highest byte on; 0 if it is empty. */
  at(column: number, row: number): number {
    this.paint();
    return this.pixels[column * this.height + row]!;
  }

  /** Draws the picture on the canvas. */
  show(context: CanvasRenderingContext2D): void {
    this.paint();
    const { width, height, pixels } = this;
    const { image, rows, canvas } = sheet(width, height);
    for (let column = 0, from = 0; column < width; column++) {
      for (let at = column; at < rows.length; at += width) rows[at] = pixels[from++]!;
    }
    canvas.getContext("2d")!.putImageData(image, 0, 0);
    context.save();
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.drawImage(canvas, this.left, this.top);
    context.restore();
  }
}
