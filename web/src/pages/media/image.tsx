// One recorded picture: as recorded, as a difference from another, or magnified.
import { useState } from "preact/hooks";
import { getMedium, type Place } from "../../core/api";
import { useBlobAddress } from "../../core/blob_address";
import { formatCount } from "../../core/format";
import { fileName, saveBlob } from "../../core/save";
import { useLoaded } from "../../core/store";
import { useText } from "../../core/text";
import { IconButton } from "../../widgets/icons";
import { Failed, Loading } from "../../widgets/notice";
import { Lens } from "./lens";
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

export function ImageValue({ place, other, style, actual, lens, onLens }: Props) {
  const t = useText();
  const { data, error } = useLoaded(JSON.stringify(place), (signal) => getMedium(place, signal));
  const address = useBlobAddress(data?.blob ?? null);
  const [size, setSize] = useState({ width: 0, height: 0 });
  if (error) return <Failed error={error} />;
  const title = `${place.tag}, ${t("stepAt", formatCount(Number(data?.headers.get("X-Sightline-Step") ?? 0)))}`;
  const worked = lens || other !== null;
  return (
    <>
      {worked ? (
        <Compared place={place} other={other} style={style} label={title} lens={lens} />
      ) : (
        <div
          class={`picture${actual ? " actual" : ""}`}
          tabIndex={actual ? 0 : -1}
          role="group"
          aria-label={title}
          onClick={onLens}
        >
          {address && (
            <img
              src={address}
              alt={title}
              class={actual ? "" : "fit"}
              style={{ filter: style }}
              onLoad={(event) =>
                setSize({
                  width: event.currentTarget.naturalWidth,
                  height: event.currentTarget.naturalHeight,
                })
              }
            />
          )}
        </div>
      )}
      <p class="muted">
        {size.width > 0 && t("pixels", size.width, size.height)}{" "}
        <IconButton
          name={lens ? "shrink" : "grow"}
          label={`${lens ? t("leaveFull") : t("underLens")}: ${title}`}
          onClick={onLens}
        />
        <IconButton
          name="download"
          label={`${t("savePng")}: ${title}`}
          disabled={!data}
          onClick={() =>
            saveBlob(fileName(place.tag, data!.blob.type.split("/")[1] ?? "png"), data!.blob)
          }
        />
      </p>
    </>
  );
}
