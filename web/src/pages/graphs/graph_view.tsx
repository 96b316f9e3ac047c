// The drawing of a graph: pan, zoom, select, unfold.
import { Component } from "preact";
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import type { GraphNode, GraphScope } from "../../core/api";
import { hue, slotOf, theme } from "../../core/colors";
import { formatCount } from "../../core/format";
import { saveText } from "../../core/save";
import { useSetting } from "../../core/setting";
import { useSize } from "../../core/size";
import { useEvent, useStore } from "../../core/store";
import { useText } from "../../core/text";
import { type Curve, type Drawn, type Scene, sceneOf } from "./scene";

/**
 * The point in the middle of the window and the scale. The address has these, since windows differ
 * in size.
 */
interface Camera {
  x: number;
  y: number;
  scale: number;
}

const cameraText = ({ x, y, scale }: Camera) =>
  `${Math.round(x)}_${Math.round(y)}_${Number(scale.toPrecision(3))}`;

/** Null if the text has none; the whole graph is shown then. */
export function readCamera(text: string): Camera | null {
  const [x = NaN, y = NaN, scale = NaN] = text.split("_").map(Number);
  return Number.isFinite(x + y) && scale > 0 && scale <= most ? { x, y, scale } : null;
}

const least = 0.02;
const most = 4;
// Below this scale names and arrows are too small to see but would take most of the time.
const readable = 0.25;
// The address follows the camera after this many milliseconds of rest.
const rest = 200;

interface Props {
  root: GraphScope;
  scopes: ReadonlyMap<string, GraphScope>;
  open: ReadonlySet<string>;
  chosen: string;
  onChoose: (node: GraphNode) => void;
  onToggle: (node: GraphNode) => void;
  onFoldAll: () => void;
}

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
class Node extends Component<NodeProps> {
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

class Edge extends Component<EdgeProps> {
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

// New boxes in one frame. More would block the page.
const atOnce = 400;

/**
 * The boxes to draw now: those already drawn and, in each frame, some new ones until all are drawn.
 */
function useInSlices(wanted: readonly Drawn[], whole: boolean): readonly Drawn[] {
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

const mapWidth = 160;
const mapHeight = 110;
const mapNodes = 3000;

/**
 * A small map of the graph that marks the part in view; a click moves there. Empty if the whole
 * graph is in view.
 */
function Minimap({
  scene,
  camera,
  width,
  height,
  onMove,
}: {
  scene: Scene;
  camera: Camera;
  width: number;
  height: number;
  onMove: (x: number, y: number) => void;
}) {
  const t = useText();
  if (scene.width * camera.scale <= width && scene.height * camera.scale <= height) return null;
  const scale = Math.min(mapWidth / scene.width, mapHeight / scene.height);
  const [w, h] = [width / camera.scale, height / camera.scale];
  const go = (event: PointerEvent) => {
    event.stopPropagation();
    const bounds = (event.currentTarget as Element).getBoundingClientRect();
    onMove((event.clientX - bounds.left) / scale, (event.clientY - bounds.top) / scale);
  };
  return (
    <svg
      class="minimap"
      role="img"
      aria-label={t("minimap")}
      style={{ width: `${scene.width * scale}px`, height: `${scene.height * scale}px` }}
      viewBox={`0 0 ${scene.width} ${scene.height}`}
      onPointerDown={go}
      onPointerMove={(event) => {
        if (event.buttons === 1) go(event);
        else event.stopPropagation();
      }}
    >
      {scene.nodes.slice(0, mapNodes).map(({ node, x, y, width: w, height: h, open }) => (
        <rect key={node.id} class={open ? "whole" : ""} x={x} y={y} width={w} height={h} />
      ))}
      <rect class="window" x={camera.x - w / 2} y={camera.y - h / 2} width={w} height={h} />
    </svg>
  );
}

/** The camera in the address, or else one that shows the whole scene. */
function useCamera(scene: Scene, width: number, height: number) {
  const [kept, keep] = useSetting("camera");
  const [own, setOwn] = useState(() => readCamera(kept));
  const text = own ? cameraText(own) : "";
  const save = useEvent(() => text !== kept && keep(text));
  useEffect(() => {
    const timer = setTimeout(save, rest);
    return () => clearTimeout(timer);
  }, [text]);
  const adopt = useEvent(() => {
    if (kept !== text) setOwn(readCamera(kept));
  });
  useEffect(() => adopt(), [kept]);
  const scale = Math.min(1.25, (width - 32) / scene.width, (height - 32) / scene.height);
  const whole: Camera = { x: scene.width / 2, y: scene.height / 2, scale: scale > 0 ? scale : 1 };
  const move = useEvent((change: (old: Camera) => Camera) =>
    setOwn((old) => {
      const next = change(old ?? whole);
      return next === whole ? old : next;
    }),
  );
  return {
    camera: own ?? whole,
    move,
    showAll: () => setOwn(null),
  };
}

export function GraphView({ root, scopes, open, chosen, onChoose, onToggle, onFoldAll }: Props) {
  const t = useText();
  const scheme = useStore(theme);
  const box = useRef<HTMLDivElement>(null);
  const svg = useRef<SVGSVGElement>(null);
  const { width, height } = useSize(box);
  const scene = useMemo(() => sceneOf(root, scopes, open, chosen), [root, scopes, open, chosen]);
  const [colored, setColored] = useState(true);
  const { camera, move, showAll } = useCamera(scene, width, height);
  const dragged = useRef<{ x: number; y: number } | null>(null);
  useEffect(() => {
    const drawn = scene.nodes.find(({ node }) => node.id === chosen);
    if (!drawn || width === 0) return;
    const [x, y] = [drawn.x + drawn.width / 2, drawn.y + Math.min(drawn.height, 60) / 2];
    move((old) => {
      const inView =
        Math.abs(x - old.x) * old.scale < width / 2 &&
        Math.abs(y - old.y) * old.scale < height / 2 &&
        old.scale >= 0.6;
      return inView ? old : { x, y, scale: Math.max(old.scale, 0.6) };
    });
  }, [chosen, scene, width, height, move]);
  /** `right`, `down`: the point that stays in place, relative to the window's middle. */
  const zoom = useEvent((factor: number, right: number, down: number) =>
    move((old) => {
      const scale = Math.min(most, Math.max(least, old.scale * factor));
      const by = 1 / old.scale - 1 / scale;
      return { scale, x: old.x + right * by, y: old.y + down * by };
    }),
  );
  useEffect(() => {
    const wheel = (event: WheelEvent) => {
      event.preventDefault();
      const bounds = box.current!.getBoundingClientRect();
      zoom(
        event.deltaY > 0 ? 0.85 : 1.18,
        event.clientX - bounds.left - width / 2,
        event.clientY - bounds.top - height / 2,
      );
    };
    const element = box.current!;
    element.addEventListener("wheel", wheel, { passive: false });
    return () => element.removeEventListener("wheel", wheel);
  }, [width, height]);
  // Only boxes in the window are rendered, except for a picture that is saved.
  const [saving, setSaving] = useState(false);
  const seen = ({ x, y, width: w, height: h }: Drawn) => {
    const near = (from: number, size: number, middle: number, room: number) =>
      (from + size - middle) * camera.scale > -room / 2 - 50 &&
      (from - middle) * camera.scale < room / 2 + 50;
    return saving || (near(x, w, camera.x, width) && near(y, h, camera.y, height));
  };
  const named = saving || camera.scale >= readable;
  const nodes = useInSlices(width > 0 ? scene.nodes.filter(seen) : [], saving);
  const visible = new Set(nodes.map(({ node }) => node.id));
  useEffect(() => {
    if (!saving) return;
    setSaving(false);
    const copy = svg.current!.cloneNode(true) as SVGSVGElement;
    copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
    copy.setAttribute("viewBox", `-16 -16 ${scene.width + 32} ${scene.height + 32}`);
    copy.querySelector("g")!.removeAttribute("transform");
    for (const rect of copy.querySelectorAll("rect"))
      for (const [name, value] of [
        ["fill", "#ffffff"],
        ["stroke", "#868e9a"],
      ] as const)
        rect.setAttribute(name, value);
    for (const edge of copy.querySelectorAll(".edge"))
      for (const [name, value] of [
        ["fill", "none"],
        ["stroke", "#868e9a"],
      ] as const)
        edge.setAttribute(name, value);
    for (const text of copy.querySelectorAll("text")) {
      text.setAttribute("font-family", "monospace");
      text.setAttribute("font-size", text.getAttribute("class") === "small" ? "10" : "12");
    }
    saveText("graph.svg", new XMLSerializer().serializeToString(copy), "image/svg+xml");
  }, [saving, scene]);
  const toggle = (node: GraphNode) => {
    if (node.kind === "scope") showAll();
    onToggle(node);
  };
  /** The node of an event's box. */
  const nodeAt = ({ target }: Event) => {
    const id = (target as Element).closest<SVGElement>("[data-node]")?.dataset.node;
    return scene.nodes.find(({ node }) => node.id === id)?.node;
  };
  const boxOf = (drawn: Drawn) => {
    const { node, open: unfolded } = drawn;
    // Operators are coloured by type, scopes by name without numbers.
    const type = node.type || node.label.replace(/\d+/g, "#");
    const tint = colored && !unfolded ? hue(scheme, slotOf({ name: type, type })) : "";
    const under =
      node.type ??
      (node.nodes ? (node.nodes === 1 ? t("nodesOne") : t("nodes", formatCount(node.nodes))) : "");
    return (
      <Node
        key={node.id}
        drawn={drawn}
        chosen={node.id === chosen}
        tint={tint}
        under={under}
        named={named}
      />
    );
  };
  return (
    <div>
      <div class="bar">
        <button type="button" onClick={() => zoom(1.25, 0, 0)} aria-label={`${t("keyZoom")} +`}>
          +
        </button>
        <button type="button" onClick={() => zoom(0.8, 0, 0)} aria-label={`${t("keyZoom")} −`}>
          −
        </button>
        <button type="button" onClick={showAll}>
          {t("fit")}
        </button>
        <button
          type="button"
          onClick={() => {
            showAll();
            onFoldAll();
          }}
          disabled={open.size === 0}
        >
          {t("foldAll")}
        </button>
        <button type="button" onClick={() => setSaving(true)}>
          {t("saveSvg")}
        </button>
        <button type="button" aria-pressed={colored} onClick={() => setColored(!colored)}>
          {t("colour")}
        </button>
        <span class="muted">
          {t("nodes", formatCount(root.nodes_in_graph))}
          {root.more > 0 && `. ${t("leftOut", formatCount(root.more))}`}
        </span>
      </div>
      <div
        class="graph-view"
        ref={box}
        onPointerDown={(event) => {
          if (event.button === 0) dragged.current = { x: event.clientX, y: event.clientY };
        }}
        onPointerMove={(event) => {
          const from = dragged.current;
          if (!from || event.buttons !== 1) return;
          const [dx, dy] = [event.clientX - from.x, event.clientY - from.y];
          dragged.current = { x: event.clientX, y: event.clientY };
          move((old) => ({ ...old, x: old.x - dx / old.scale, y: old.y - dy / old.scale }));
        }}
        onPointerUp={() => {
          dragged.current = null;
        }}
      >
        <svg
          ref={svg}
          role="group"
          aria-label={t("graphs")}
          onClick={(event) => {
            const node = nodeAt(event);
            if (node) onChoose(node);
          }}
          onDblClick={(event) => {
            const node = nodeAt(event);
            if (node) toggle(node);
          }}
          onKeyDown={(event) => {
            const node = nodeAt(event);
            if (!node || (event.key !== "Enter" && event.key !== " ")) return;
            event.preventDefault();
            if (event.key === "Enter") toggle(node);
            else onChoose(node);
          }}
        >
          <defs>
            <marker
              id="arrow"
              viewBox="0 0 8 8"
              refX="7"
              refY="4"
              markerUnits="userSpaceOnUse"
              markerWidth="8"
              markerHeight="8"
              orient="auto-start-reverse"
            >
              <path class="arrow" d="M0 0L8 4L0 8z" />
            </marker>
          </defs>
          <g
            transform={`translate(${width / 2 - camera.x * camera.scale} ${height / 2 - camera.y * camera.scale}) scale(${camera.scale})`}
          >
            {nodes.filter(({ open: unfolded }) => unfolded).map(boxOf)}
            {scene.curves
              .filter(({ edge }) => visible.has(edge.from) || visible.has(edge.to))
              .map((curve) => {
                const { from, to, control } = curve.edge;
                return (
                  <Edge
                    key={`${from}\n${to}\n${control}`}
                    curve={curve}
                    near={from === chosen || to === chosen}
                    named={named}
                    counted={saving || camera.scale > 0.4}
                  />
                );
              })}
            {nodes.filter(({ open: unfolded }) => !unfolded).map(boxOf)}
          </g>
        </svg>
        <Minimap
          scene={scene}
          camera={camera}
          width={width}
          height={height}
          onMove={(x, y) => move((old) => ({ ...old, x, y }))}
        />
      </div>
    </div>
  );
}
