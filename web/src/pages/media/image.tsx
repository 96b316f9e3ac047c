// One recorded picture: as recorded, as a difference from another, or magnified.
import { useState } from "preact/hooks";
import { getMedium, type Place } from "../../core/api";
import { formatBytes, formatCount } from "../../core/format";
import { fileName, saveBlob } from "../../core/save";
import { useLoaded } from "../../core/store";
import { useText } from "../../core/text";
import { BlobImage } from "../../widgets/blob_media";
import { IconButton } from "../../widgets/icons";
import { Failed, Loading } from "../../widgets/notice";
import { Lens } from "./lens";
import { formatOf, type PictureFormat } from "./picture_format";
import { decode, difference } from "./pixels";

interface Props {
  place: Place;
  /** The picture that it is compared with. */
  other: Place | null;
  style: string;
  actual: boolean;
  lens: boolean;
  onLens: () => void;
}

function Compared({
  place,
  other,
  style,
  label,
  lens,
}: {
  place: Place;
  other: Place | null;
  style: string;
  label: string;
  lens: boolean;
}) {
  const t = useText();
  const { data, error } = useLoaded(JSON.stringify([place, other]), async (signal) => {
    const [own, its] = await Promise.all(
      [place, ...(other ? [other] : [])].map(async (one) =>
        decode((await getMedium(one, signal)).blob),
      ),
    );
    return { own: own!, its: its ?? null, compared: its ? difference(own!, its) : null };
  });
  if (error) return <Failed error={error} />;
  if (!data)
    return (
      <div class={lens ? "lens" : "picture"}>
        <Loading />
      </div>
    );
  if (data.its && !data.compared)
    return (
      <p class="warning">
        {t(
          "otherSize",
          `${data.own.width} × ${data.own.height}`,
          `${data.its.width} × ${data.its.height}`,
        )}
      </p>
    );
  const picture = data.compared?.picture ?? data.own;
  return (
    <>
      {lens ? (
        <Lens picture={picture} values={data.own} style={style} label={label} />
      ) : (
        <Still picture={picture} label={label} />
      )}
      {data.compared && (
        <p class="muted" role="status">
          {t(
            "pixelsDiffer",
            formatCount(data.compared.pixels),
            formatCount(picture.width * picture.height),
            data.compared.most,
          )}
        </p>
      )}
    </>
  );
}

function Still({
  picture,
  label,
}: {
  picture: { width: number; height: number; bytes: Uint8ClampedArray };
  label: string;
}) {
  const draw = (canvas: HTMLCanvasElement | null) => {
    if (!canvas) return;
    canvas.width = picture.width;
    canvas.height = picture.height;
    canvas
      .getContext("2d")!
      .putImageData(
        new ImageData(
          picture.bytes as Uint8ClampedArray<ArrayBuffer>,
          picture.width,
          picture.height,
        ),
        0,
        0,
      );
  };
  return (
    <div class="picture" role="img" aria-label={label}>
      <canvas class="fit" ref={draw} aria-hidden="true" />
    </div>
  );
}

/** Why the browser shows no picture, in words. */
function WhyNot({ format, bytes }: { format: PictureFormat; bytes: number }) {
  const t = useText();
  const { name, cut } = format;
  const size = formatBytes(bytes);
  const reason =
    bytes === 0
      ? t("pictureEmpty")
      : name === ""
        ? t("pictureUnknown", size)
        : name === "SVG" || name === "HTML"
          ? t("pictureScripts", name, size)
          : t(cut ? "pictureCut" : "pictureRefused", name, size);
  return (
    <p class="warning" role="status">
      {reason}
    </p>
  );
}

/** What the browser does not show as it was recorded. */
function Notes({ format }: { format: PictureFormat }) {
  const t = useText();
  const notes = [
    format.cut && t("pictureCutNote", format.name),
    format.bits !== null && t("pictureBits", format.bits),
    format.cmyk && t("pictureCmyk"),
    format.turned && t("pictureTurned"),
  ].filter((note) => note !== false);
  return notes.length === 0 ? null : <p class="muted">{notes.join(" ")}</p>;
}

async function getPicture(place: Place, signal: AbortSignal) {
  const { blob, headers } = await getMedium(place, signal);
  return { blob, headers, format: formatOf(new Uint8Array(await blob.arrayBuffer())) };
}

/** The picture as the browser shows it. `onSize` tells its size in pixels, or that there is none. */
function AsRecorded({
  picture,
  title,
  style,
  actual,
  onLens,
  onSize,
}: {
  picture: Blob | null;
  title: string;
  style: string;
  actual: boolean;
  onLens: () => void;
  onSize: (size: { width: number; height: number }) => void;
}) {
  return (
    <div
      class={`picture${actual ? " actual" : ""}`}
      tabIndex={actual ? 0 : -1}
      role="group"
      aria-label={title}
      onClick={onLens}
    >
      {picture && (
        <BlobImage
          blob={picture}
          alt={title}
          class={actual ? "" : "fit"}
          style={{ filter: style }}
          onLoad={({ currentTarget }) =>
            onSize({ width: currentTarget.naturalWidth, height: currentTarget.naturalHeight })
          }
          onError={() => onSize({ width: 0, height: 0 })}
        />
      )}
    </div>
  );
}

export function ImageValue({ place, other, style, actual, lens, onLens }: Props) {
  const t = useText();
  const { data, error } = useLoaded(JSON.stringify(place), (signal) => getPicture(place, signal));
  const [size, setSize] = useState<{ of: Blob; width: number; height: number } | null>(null);
  if (error) return <Failed error={error} />;
  const title = `${place.tag}, ${t("stepAt", formatCount(Number(data?.headers.get("X-Sightline-Step") ?? 0)))}`;
  const shown = size && size.of === data?.blob ? size : null;
  const refused = shown?.width === 0;
  const save = (
    <IconButton
      name="download"
      label={`${refused ? t("saveFile") : t("savePng")}: ${title}`}
      disabled={!data}
      onClick={() => saveBlob(fileName(place.tag, extensionOf(data!.format)), data!.blob)}
    />
  );
  if (refused && data)
    return (
      <>
        <WhyNot format={data.format} bytes={data.blob.size} />
        <p class="muted">{save}</p>
      </>
    );
  return (
    <>
      {lens || other !== null ? (
        <Compared place={place} other={other} style={style} label={title} lens={lens} />
      ) : (
        <AsRecorded
          picture={data?.blob ?? null}
          title={title}
          style={style}
          actual={actual}
          onLens={onLens}
          onSize={(next) => data && setSize({ ...next, of: data.blob })}
        />
      )}
      {data && <Notes format={data.format} />}
      <p class="muted">
        {shown && t("pixels", shown.width, shown.height)}{" "}
        <IconButton
          name={lens ? "shrink" : "grow"}
          label={`${lens ? t("leaveFull") : t("underLens")}: ${title}`}
          onClick={onLens}
        />
        {save}
      </p>
    </>
  );
}

/** The extension for a file with this picture. */
function extensionOf({ name }: PictureFormat): string {
  return name === "" ? "bin" : name.toLowerCase().replaceAll(" ", "");
}
