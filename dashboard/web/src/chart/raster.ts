// Many lines at once: of each the span from its smallest to its largest value in every column of the screen's pixels,
// written into a picture. A canvas' own strokes take fifty times as long.

export class Raster {
  private readonly pixels: Uint32Array;
  private ink = 0;
  private x = NaN;
  private y = NaN;

  /** A picture of so many of the screen's pixels; the paths' unit is `ratio` of them, and 0, 0 lies at `left`, `top`. */
  constructor(readonly width: number, readonly height: number, readonly ratio: number, readonly left: number, readonly top: number) {
    this.pixels = new Uint32Array(width * height);
  }

  /** The colour of what follows; what was there is replaced. */
  pen([r, g, b]: readonly [number, number, number], alpha: number): void {
    this.ink = ((Math.round(alpha * 255) << 24) | (b << 16) | (g << 8) | r) >>> 0;
  }

  moveTo(x: number, y: number): void {
    this.x = x * this.ratio - this.left;
    this.y = y * this.ratio - this.top;
  }

  lineTo(x: number, y: number): void {
    let ax = this.x;
    let ay = this.y;
    this.moveTo(x, y);
    let bx = this.x;
    let by = this.y;
    if (bx < ax) [ax, ay, bx, by] = [bx, by, ax, ay];
    if (!(bx >= 0 && ax < this.width)) return;
    const first = Math.max(0, Math.floor(ax));
    const last = Math.min(this.width - 1, Math.floor(bx));
    if (Math.floor(ax) === Math.floor(bx)) {
      this.span(first, ay, by);
      return;
    }
    const slope = (by - ay) / (bx - ax);
    for (let column = first; column <= last; column++) {
      this.span(column, ay + (Math.max(ax, column) - ax) * slope, ay + (Math.min(bx, column + 1) - ax) * slope);
    }
  }

  private span(column: number, a: number, b: number): void {
    const thick = (this.ratio - 1) / 2;
    const from = Math.max(0, Math.floor(Math.min(a, b) - thick));
    const to = Math.min(this.height - 1, Math.floor(Math.max(a, b) + thick));
    const { pixels, width, ink } = this;
    for (let at = from * width + column, end = to * width + column; at <= end; at += width) pixels[at] = ink;
  }

  /** What is there: 0 is nothing, else alpha, blue, green, red from the highest byte on. */
  at(column: number, row: number): number {
    return this.pixels[row * this.width + column]!;
  }

  /** Draws the picture over what the canvas shows. */
  show(context: CanvasRenderingContext2D): void {
    const picture = new OffscreenCanvas(this.width, this.height);
    const bytes = new Uint8ClampedArray(this.pixels.buffer as ArrayBuffer);
    picture.getContext("2d")!.putImageData(new ImageData(bytes, this.width, this.height), 0, 0);
    context.save();
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.drawImage(picture, this.left, this.top);
    context.restore();
  }
}
