// Small pictures for the tiles of the overview: the newest histograms, image and landscape of the
// first run that has one.
import { useEffect, useRef } from "preact/hooks";
import { drawContourField } from "../../chart/contours";
import { drawDistribution } from "../../chart/distribution";
import { prepare } from "../../chart/draw";
import { getHistograms, getLandscape, getMedium, getPlaces, type TagOfRuns } from "../../core/api";
import { hue, theme } from "../../core/colors";
import { get } from "../../core/http";
import { revision, slots } from "../../core/model";
import { useSize } from "../../core/size";
import { useEvent, useLoaded, useStore } from "../../core/store";
import { BlobImage } from "../../widgets/blob_media";

interface Props {
  tag: TagOfRuns;
  run: string;
}
const ridges = 24;
const levels = 12;

function useCanvas(
  draw: (context: CanvasRenderingContext2D, width: number, height: number) => void,
  changes: readonly unknown[],
) {
  const box = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const { width, height } = useSize(box);
  const newest = useEvent(draw);
  useEffect(() => {
    if (canvas.current && width > 0) newest(prepare(canvas.current, width, height), width, height);
  }, [newest, width, height, ...changes]);
  return (
    <div class="drawn" ref={box}>
      <canvas ref={canvas} />
    </div>
  );
}

function Ridges({ tag, run }: Props) {
  const scheme = useStore(theme);
  const held = useStore(slots);
  const rank = tag.ranks[0] ?? 0;
  const { data } = useLoaded(`${run}\n${tag.tag}\n${useStore(revision)}`, (signal) =>
    getHistograms({ run, tag: tag.tag, rank, limit: ridges }, signal),
  );
  return useCanvas(
    (context, width, height) => {
      const values = (data?.values ?? []).filter((value) => value.counts?.length > 0);
      const color = hue(scheme, held.get(run) ?? 0);
      const picture = { context, values, width, height, color, chosen: -1, bare: true };
      if (values.length > 0) drawDistribution(picture, "ridges");
    },
    [data, scheme, held],
  );
}

function Picture({ tag, run }: Props) {
  const rank = tag.ranks[0] ?? 0;
  const { data } = useLoaded(`${run}\n${tag.tag}\n${useStore(revision)}`, async (signal) => {
    const series = { run, kind: "image" as const, tag: tag.tag, rank };
    const at = (await getPlaces(series, signal)).at.pop();
    return at === undefined ? null : (await getMedium({ ...series, at }, signal)).blob;
  });
  return <div class="drawn">{data && <BlobImage blob={data} alt="" />}</div>;
}

function Field({ tag, run }: Props) {
  const { data } = useLoaded(`${run}\n${tag.tag}\n${useStore(revision)}`, async (signal) => {
    const name = (await get("landscapes", { run }, signal)).landscapes.find(
      (one) => one.tag === tag.tag && one.nx > 1 && one.ny > 1,
    );
    return name
      ? getLandscape(
          { run, kind: "landscape", tag: name.tag, rank: name.rank, at: name.at },
          signal,
        )
      : null;
  });
  return useCanvas(
    (context, width, height) => {
      if (data) drawContourField(context, data, width, height, levels);
    },
    [data],
  );
}

export function TilePicture({ tag, run }: Props) {
  if (tag.kind === "histogram") return <Ridges tag={tag} run={run} />;
  return tag.kind === "image" ? <Picture tag={tag} run={run} /> : <Field tag={tag} run={run} />;
}
