// Records the calls that draw on a canvas as an SVG file.

const round = (value: number) => String(Math.round(value * 100) / 100);
const escaped = (text: string) => text.replace(/[&<>"]/g, (c) => `&#${c.charCodeAt(0)};`);

/** A canvas path as the text of an SVG path. */
export class SvgPath {
  text = "";
  private open = false;
  moveTo(x: number, y: number): void {
    if (!Number.isFinite(x + y)) return;
    this.text += `M${round(x)} ${round(y)}`;
    this.open = true;
  }
  lineTo(x: number, y: number): void {
    if (!Number.isFinite(x + y)) return;
    if (this.open) this.text += `L${round(x)} ${round(y)}`;
    else this.moveTo(x, y);
  }
  closePath(): void {
    if (this.open) this.text += "Z";
  }
  rect(x: number, y: number, w: number, h: number): void {
    this.text += `M${round(x)} ${round(y)}h${round(w)}v${round(h)}h${round(-w)}Z`;
  }
  /** A whole circle: no chart draws another arc. */
  arc(x: number, y: number, r: number): void {
    if (!Number.isFinite(x + y)) return;
    this.text += `M${round(x - r)} ${round(y)}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0Z`;
  }
}

interface State {
  fillStyle: string;
  strokeStyle: string;
  lineWidth: number;
  globalAlpha: number;
  font: string;
  textAlign: string;
  textBaseline: string;
  dash: readonly number[];
  clip: string;
}

/** The part of a canvas' context that charts use. */
export class SvgContext {
  fillStyle = "#000";
  strokeStyle = "#000";
  lineWidth = 1;
  globalAlpha = 1;
  lineJoin = "round";
  font = "11px sans-serif";
  textAlign = "left";
  textBaseline = "middle";
  private dash: readonly number[] = [];
  private clipped = "";
  private path = new SvgPath();
  private readonly saved: State[] = [];
  private readonly defs: string[] = [];
  private readonly parts: string[] = [];

  /** `measure`: the width of a text in pixels. */
  constructor(
    private readonly width: number,
    private readonly height: number,
    private readonly measure: (text: string) => number,
  ) {}

  save(): void {
    const {
      fillStyle,
      strokeStyle,
      lineWidth,
      globalAlpha,
      font,
      textAlign,
      textBaseline,
      dash,
      clipped: clip,
    } = this;
    this.saved.push({
      fillStyle,
      strokeStyle,
      lineWidth,
      globalAlpha,
      font,
      textAlign,
      textBaseline,
      dash,
      clip,
    });
  }
  restore(): void {
    const state = this.saved.pop();
    if (!state) return;
    const { dash, clip, ...rest } = state;
    Object.assign(this, rest);
    this.dash = dash;
    this.clipped = clip;
  }
  beginPath(): void {
    this.path = new SvgPath();
  }
  moveTo(x: number, y: number): void {
    this.path.moveTo(x, y);
  }
  lineTo(x: number, y: number): void {
    this.path.lineTo(x, y);
  }
  closePath(): void {
    this.path.closePath();
  }
  rect(x: number, y: number, w: number, h: number): void {
    this.path.rect(x, y, w, h);
  }
  arc(x: number, y: number, r: number, ..._: number[]): void {
    this.path.arc(x, y, r);
  }
  setLineDash(dash: readonly number[]): void {
    this.dash = dash;
  }
  measureText(text: string): { width: number } {
    return { width: this.measure(text) };
  }
  clip(): void {
    const id = `c${this.defs.length}`;
    this.defs.push(`<clipPath id="${id}"><path d="${this.path.text}"/></clipPath>`);
    this.clipped = ` clip-path="url(#${id})"`;
  }
  stroke(path: SvgPath = this.path): void {
    const dash = this.dash.length > 0 ? ` stroke-dasharray="${this.dash.join(" ")}"` : "";
    this.parts.push(
      `<path d="${path.text}" fill="none" stroke="${this.strokeStyle}" stroke-width="${this.lineWidth}" stroke-linejoin="round"${dash}${this.faint()}${this.clipped}/>`,
    );
  }
  fill(path: SvgPath = this.path): void {
    this.parts.push(
      `<path d="${path.text}" fill="${this.fillStyle}"${this.faint()}${this.clipped}/>`,
    );
  }
  fillText(text: string, x: number, y: number): void {
    const anchor =
      this.textAlign === "right" ? "end" : this.textAlign === "center" ? "middle" : "start";
    const size = Number(/([\d.]+)px/.exec(this.font)?.[1] ?? 11);
    const down =
      this.textBaseline === "top" ? size * 0.8 : this.textBaseline === "middle" ? size * 0.35 : 0;
    this.parts.push(
      `<text x="${round(x)}" y="${round(y + down)}" text-anchor="${anchor}" font-size="${size}" fill="${this.fillStyle}"${this.faint()}>${escaped(text)}</text>`,
    );
  }
  /** The picture with a title and a background. */
  toString(title: string, ground: string, ink: string): string {
    return (
      `<svg xmlns="http://www.w3.org/2000/svg" width="${this.width}" height="${this.height + 28}" viewBox="0 -28 ${this.width} ${this.height + 28}" font-family="system-ui, sans-serif">` +
      `<title>${escaped(title)}</title><defs>${this.defs.join("")}</defs><rect y="-28" width="${this.width}" height="${this.height + 28}" fill="${ground}"/>` +
      `<text x="10" y="-9" font-size="13" fill="${ink}">${escaped(title)}</text>${this.parts.join("")}</svg>\n`
    );
  }
  private faint(): string {
    return this.globalAlpha < 1 ? ` opacity="${this.globalAlpha}"` : "";
  }
}
