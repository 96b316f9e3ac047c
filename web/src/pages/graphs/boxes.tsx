// The boxes and edges of a drawn graph, and how many boxes are drawn in one frame.
import { Component } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { hue, slotOf, type Theme } from "../../core/colors";
import { formatCount } from "../../core/format";
import { t } from "../../core/text";
import type { Curve, Drawn } from "./scene";

interface NodeProps {
  drawn: Drawn;
  chosen: boolean;
  tint: string;
  under: string;
  named: boolean;
}

/**
 * A box. There may be thousands, so it has no hooks or listeners and renders only when its own
 * properties change.
 */
export class Node extends Component<NodeProps> {
  override shouldComponentUpdate(next: NodeProps) {
    const now = this.props;
    return (
      now.drawn !== next.drawn ||
      now.chosen !== next.chosen ||
      now.tint !== next.tint ||
      now.under !== next.under ||
      now.named !== next.named
    );
  }
  render({ drawn, chosen, tint, under, named }: NodeProps) {
    const { node, x, y, width, height, open } = drawn;
    return (
      <g
        class={`node ${node.kind}${open ? " open" : ""}${chosen ? " chosen" : ""}`}
        transform={`translate(${x} ${y})`}
        tabIndex={0}
        role="button"
        data-node={node.id}
        aria-pressed={chosen}
        {...(node.kind === "scope" ? { "aria-expanded": open } : {})}
      >
        <title>{node.id}</title>
        <rect
          class={open ? "shade" : ""}
          width={width}
          height={height}
          rx={node.kind === "op" ? 14 : 6}
          style={tint && { stroke: tint, "stroke-width": 2.5 }}
        />
        {named && (
          <text
            x={open ? 10 : width / 2}
            y={open ? 17 : under ? 16 : 18}
            text-anchor={open ? "start" : "middle"}
          >
            {drawn.label}
          </text>
        )}
        {named && !open && under && (
          <text class="small" x={width / 2} y={30} text-anchor="middle">
            {under}
          </text>
        )}
      </g>
    );
  }
}

interface EdgeProps {
  curve: Curve;
  near: boolean;
  named: boolean;
  counted: boolean;
}

export class Edge extends Component<EdgeProps> {
  override shouldComponentUpdate(next: EdgeProps) {
    const now = this.props;
    return (
      now.curve !== next.curve ||
      now.near !== next.near ||
      now.named !== next.named ||
      now.counted !== next.counted
    );
  }
  render({ curve: { edge, path, middle }, near, named, counted }: EdgeProps) {
    return (
      <g>
        <path
          class={`edge${edge.control ? " control" : ""}${near ? " near" : ""}`}
          d={path}
          marker-end={named ? "url(#arrow)" : undefined}
        >
          {edge.shape && <title>{edge.shape}</title>}
        </path>
        {edge.count > 1 && counted && (
          <text class="small" x={middle.x + 4} y={middle.y}>
            {edge.count}
          </text>
        )}
      </g>
    );
  }
}

/** The words below a node's name: its type, or the number of nodes in a scope. */
export function underName({ node }: Drawn): string {
  if (node.type !== undefined) return node.type;
  if (!node.nodes) return "";
  return node.nodes === 1 ? t("nodesOne") : t("nodes", formatCount(node.nodes));
}

/** The colour of a node: an operator's by its type, a scope's by its name without numbers. */
export function tintOf({ node, open }: Drawn, theme: Theme): string {
  const type = node.type || node.label.replace(/\d+/g, "#");
  return open ? "" : hue(theme, slotOf({ name: type, type }));
}

// New boxes in one frame. More would block the page.
const atOnce = 400;

/**
 * The boxes to draw now: those already drawn and, in each frame, some new ones until all are drawn.
 */
export function useInSlices(wanted: readonly Drawn[], whole: boolean): readonly Drawn[] {
  const there = useRef<ReadonlySet<string>>(new Set());
  const [, again] = useState(0);
  let room = whole ? Infinity : atOnce;
  const drawn = wanted.filter(({ node }) => there.current.has(node.id) || room-- > 0);
  useLayoutEffect(() => {
    there.current = new Set(drawn.map(({ node }) => node.id));
  });
  useEffect(() => {
    if (drawn.length === wanted.length) return;
    const frame = requestAnimationFrame(() => again((n) => n + 1));
    return () => cancelAnimationFrame(frame);
  });
  return drawn;
}
