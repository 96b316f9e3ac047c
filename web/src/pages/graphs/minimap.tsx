// A small map of a graph.
import { useText } from "../../core/text";
import type { Camera } from "./camera";
import type { Scene } from "./scene";

const mapWidth = 160;
const mapHeight = 110;
const mapNodes = 3000;

/**
 * A small map of the graph that marks the part in view; a click moves there. Empty if the whole
 * graph is in view.
 */
export function Minimap({
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
