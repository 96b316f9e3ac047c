// The drawing of a graph: pan, zoom, select, unfold.
import type { RefObject } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { GraphNode, GraphScope } from "../../core/api";
import { theme } from "../../core/colors";
import { formatCount } from "../../core/format";
import { saveText } from "../../core/save";
import { useSize } from "../../core/size";
import { useStore } from "../../core/store";
import { useText } from "../../core/text";
import { Edge, Node, tintOf, underName, useInSlices } from "./boxes";
import { type Camera, useCamera, useSight, useWheel } from "./camera";
import { graphFile } from "./graph_file";
import { Minimap } from "./minimap";
import { type Drawn, type Scene, sceneOf } from "./scene";

// Below this scale names and arrows are too small to see but would take most of the time.
const readable = 0.25;

interface Props {
  root: GraphScope;
  scopes: ReadonlyMap<string, GraphScope>;
  open: ReadonlySet<string>;
  chosen: string;
  onChoose: (node: GraphNode) => void;
  onToggle: (node: GraphNode) => void;
  onFoldAll: () => void;
}

interface ToolbarProps {
  root: GraphScope;
  foldable: boolean;
  colored: boolean;
  onZoom: (factor: number) => void;
  onFit: () => void;
  onFoldAll: () => void;
  onSave: () => void;
  onColor: () => void;
}

function Toolbar(props: ToolbarProps) {
  const t = useText();
  const { root, foldable, colored, onZoom } = props;
  return (
    <div class="bar">
      <button type="button" onClick={() => onZoom(1.25)} aria-label={`${t("keyZoom")} +`}>
        +
      </button>
      <button type="button" onClick={() => onZoom(0.8)} aria-label={`${t("keyZoom")} −`}>
        −
      </button>
      <button type="button" onClick={props.onFit}>
        {t("fit")}
      </button>
      <button type="button" onClick={props.onFoldAll} disabled={!foldable}>
        {t("foldAll")}
      </button>
      <button type="button" onClick={props.onSave}>
        {t("saveSvg")}
      </button>
      <button type="button" aria-pressed={colored} onClick={props.onColor}>
        {t("colour")}
      </button>
      <span class="muted">
        {t("nodes", formatCount(root.nodes_in_graph))}
        {root.more > 0 && `. ${t("leftOut", formatCount(root.more))}`}
      </span>
    </div>
  );
}

interface DrawingProps {
  svg: RefObject<SVGSVGElement>;
  scene: Scene;
  camera: Camera;
  width: number;
  height: number;
  chosen: string;
  colored: boolean;
  /** Whether everything is drawn, for a file, and not only what can be seen. */
  whole: boolean;
  onChoose: (node: GraphNode) => void;
  onToggle: (node: GraphNode) => void;
}

function Arrowhead() {
  return (
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
  );
}

/** The boxes in the window; the window is `room` wide around `middle`. */
function inWindow(camera: Camera, width: number, height: number) {
  const near = (from: number, size: number, middle: number, room: number) =>
    (from + size - middle) * camera.scale > -room / 2 - 50 &&
    (from - middle) * camera.scale < room / 2 + 50;
  return ({ x, y, width: w, height: h }: Drawn) =>
    near(x, w, camera.x, width) && near(y, h, camera.y, height);
}

function Drawing(props: DrawingProps) {
  const { svg, scene, camera, width, height, chosen, colored, whole, onChoose, onToggle } = props;
  const t = useText();
  const scheme = useStore(theme);
  const seen = inWindow(camera, width, height);
  const wanted = width > 0 ? scene.nodes.filter((drawn) => whole || seen(drawn)) : [];
  const nodes = useInSlices(wanted, whole);
  const visible = new Set(nodes.map(({ node }) => node.id));
  const named = whole || camera.scale >= readable;
  /** The node of an event's box. */
  const nodeAt = ({ target }: Event) => {
    const id = (target as Element).closest<SVGElement>("[data-node]")?.dataset.node;
    return scene.nodes.find(({ node }) => node.id === id)?.node;
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const node = nodeAt(event);
    if (!node || (event.key !== "Enter" && event.key !== " ")) return;
    event.preventDefault();
    if (event.key === "Enter") onToggle(node);
    else onChoose(node);
  };
  const boxOf = (drawn: Drawn) => (
    <Node
      key={drawn.node.id}
      drawn={drawn}
      chosen={drawn.node.id === chosen}
      tint={colored ? tintOf(drawn, scheme) : ""}
      under={underName(drawn)}
      named={named}
    />
  );
  const [x, y] = [width / 2 - camera.x * camera.scale, height / 2 - camera.y * camera.scale];
  return (
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
        if (node) onToggle(node);
      }}
      onKeyDown={onKeyDown}
    >
      <Arrowhead />
      <g transform={`translate(${x} ${y}) scale(${camera.scale})`}>
        {nodes.filter(({ open }) => open).map(boxOf)}
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
                counted={whole || camera.scale > 0.4}
              />
            );
          })}
        {nodes.filter(({ open }) => !open).map(boxOf)}
      </g>
    </svg>
  );
}

/** Draws the whole graph once, and saves it as a file. */
function useSaving(svg: RefObject<SVGSVGElement>, scene: Scene): [boolean, () => void] {
  const [saving, setSaving] = useState(false);
  useEffect(() => {
    if (!saving) return;
    setSaving(false);
    saveText("graph.svg", graphFile(svg.current!, scene.width, scene.height), "image/svg+xml");
  }, [saving, svg, scene]);
  return [saving, () => setSaving(true)];
}

/** A drag moves what is shown. */
function useDrag(move: (change: (old: Camera) => Camera) => void) {
  const last = useRef<{ x: number; y: number } | null>(null);
  return {
    onPointerDown: (event: PointerEvent) => {
      if (event.button === 0) last.current = { x: event.clientX, y: event.clientY };
    },
    onPointerMove: (event: PointerEvent) => {
      const from = last.current;
      if (!from || event.buttons !== 1) return;
      const [dx, dy] = [event.clientX - from.x, event.clientY - from.y];
      last.current = { x: event.clientX, y: event.clientY };
      move((old) => ({ ...old, x: old.x - dx / old.scale, y: old.y - dy / old.scale }));
    },
    onPointerUp: () => {
      last.current = null;
    },
  };
}

export function GraphView({ root, scopes, open, chosen, onChoose, onToggle, onFoldAll }: Props) {
  const box = useRef<HTMLDivElement>(null);
  const svg = useRef<SVGSVGElement>(null);
  const { width, height } = useSize(box);
  const scene = useMemo(() => sceneOf(root, scopes, open, chosen), [root, scopes, open, chosen]);
  const [colored, setColored] = useState(true);
  const { camera, move, zoom, showAll } = useCamera(scene, width, height);
  useSight(move, scene, chosen, width, height);
  useWheel(box, zoom, width, height);
  const [saving, save] = useSaving(svg, scene);
  const drag = useDrag(move);
  return (
    <div>
      <Toolbar
        root={root}
        foldable={open.size > 0}
        colored={colored}
        onZoom={(factor) => zoom(factor, 0, 0)}
        onFit={showAll}
        onFoldAll={() => {
          showAll();
          onFoldAll();
        }}
        onSave={save}
        onColor={() => setColored(!colored)}
      />
      <div class="graph-view" ref={box} {...drag}>
        <Drawing
          svg={svg}
          scene={scene}
          camera={camera}
          width={width}
          height={height}
          chosen={chosen}
          colored={colored}
          whole={saving}
          onChoose={onChoose}
          onToggle={(node) => {
            if (node.kind === "scope") showAll();
            onToggle(node);
          }}
        />
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
