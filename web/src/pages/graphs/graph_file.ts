// A drawn graph as an SVG file.

const rectStyle = { fill: "#ffffff", stroke: "#868e9a" };
const edgeStyle = { fill: "none", stroke: "#868e9a" };

function set(element: Element, attributes: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
}

/** The text of the file. A copy is made, since the styles of the page are not in the file. */
export function graphFile(drawn: SVGSVGElement, width: number, height: number): string {
  const copy = drawn.cloneNode(true) as SVGSVGElement;
  set(copy, {
    xmlns: "http://www.w3.org/2000/svg",
    viewBox: `-16 -16 ${width + 32} ${height + 32}`,
  });
  copy.querySelector("g")!.removeAttribute("transform");
  for (const rect of copy.querySelectorAll("rect")) set(rect, rectStyle);
  for (const edge of copy.querySelectorAll(".edge")) set(edge, edgeStyle);
  for (const text of copy.querySelectorAll("text")) {
    const size = text.getAttribute("class") === "small" ? "10" : "12";
    set(text, { "font-family": "monospace", "font-size": size });
  }
  return new XMLSerializer().serializeToString(copy);
}
