import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useMemo } from "preact/hooks";
import { Icon } from "../ui/icon.tsx";
import { download } from "../tools/download.ts";
import sheet from "./bytes.css";
import code from "./code/code.css";
import { codeOf } from "./code/code.tsx";
import { findLanguage } from "./code/languages.ts";
import glyphs from "./glyphs.css";
import { toSize } from "./hint.ts";
import { findImage, type ImageType } from "./image-type.ts";
import parts from "./parts.css";
import picture from "./picture.css";
import { Picture } from "./picture.tsx";
import { isSvg } from "./shape.ts";
import type { View, ViewProps, ViewTab } from "./view.ts";
import { Window } from "./window.tsx";

/** Bytes: as an image, as text or in hexadecimal, by the first of them. */
export const bytesView: View = {
  sheets: [glyphs, code, parts, picture, sheet],
  tabs({ result }) {
    if (typeof result === "string") {
      const text: ViewTab = { id: "text", label: "Text", Component: codeOf(findLanguage(result)) };
      return isSvg(result) ? [imageTab, hexTab, text] : [text, hexTab];
    }
    return findImage(result) === undefined ? [hexTab] : [imageTab, hexTab];
  },
  note({ result }) {
    const image = typeof result === "string" ? undefined : findImage(result);
    return image === undefined ? undefined : `A ${image.name} image`;
  },
};

const svg: ImageType = { name: "SVG", type: "image/svg+xml", ending: "svg" };

const imageTab: ViewTab = {
  id: "image",
  label: "Image",
  Component({ definition, result }) {
    const found = typeof result === "string" ? svg : (findImage(result) ?? svg);
    const { name, type, ending, detail, size: given } = found;
    const drawn = useSignal<readonly [number, number] | undefined>(undefined);
    const size = given ?? drawn.value;
    return (
      <div class="v-stack">
        <Picture
          type={type}
          body={result}
          label="The result as an image"
          onSize={(width, height) => (drawn.value = [width, height])}
        />
        <p class="v-caption">
          <span>{name}</span>
          {size === undefined ? null : (
            <span>
              {size[0].toLocaleString()} × {size[1].toLocaleString()}
            </span>
          )}
          {detail === undefined ? null : <span>{detail}</span>}
          <span>{toSize(bytesOf(result).length)}</span>
          <span class="end" />
          <button type="button" onClick={() => download(`${definition?.slug ?? "image"}.${ending}`, result)}>
            <Icon name="download" /> {name}
          </button>
        </p>
      </div>
    );
  },
};

const bytesOf = (result: ViewProps["result"]): Uint8Array =>
  typeof result === "string" ? new TextEncoder().encode(result) : result;

const hexTab: ViewTab = {
  id: "hex",
  label: "Hex",
  Component({ result }) {
    const bytes = useMemo(() => bytesOf(result), [result]);
    return <Hex bytes={bytes} />;
  },
  text: ({ result }) => {
    const bytes = bytesOf(result).subarray(0, maxCopied);
    return Array.from({ length: Math.ceil(bytes.length / 16) }, (_, row) =>
      toRow(bytes, row).join("  "),
    ).join("\n");
  },
};

/** Bytes that are copied as a dump; Download gives all. */
const maxCopied = 1_048_576;

/** Returns the offset, the digits and the characters of sixteen bytes. */
function toRow(bytes: Uint8Array, row: number): [offset: string, digits: string, characters: string] {
  const part = bytes.subarray(row * 16, row * 16 + 16);
  const digits = Array.from(part, (byte) => byte.toString(16).padStart(2, "0")).join(" ");
  const characters = Array.from(part, (byte) =>
    byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : "·",
  ).join("");
  return [(row * 16).toString(16).padStart(8, "0"), digits.padEnd(47), characters];
}

function Hex({ bytes }: { bytes: Uint8Array }): JSX.Element {
  return (
    <div class="v-hex" tabIndex={0} role="group" aria-label="Bytes in hexadecimal">
      <Window count={Math.ceil(bytes.length / 16)} height={1.25}>
        {(from, to) =>
          Array.from({ length: to - from }, (_, at) => {
            const [offset, digits, characters] = toRow(bytes, from + at);
            return (
              <div key={from + at}>
                <span class="muted">{offset}</span>
                {"  "}
                {digits}
                {"  "}
                <span class="v-string">{characters}</span>
              </div>
            );
          })
        }
      </Window>
    </div>
  );
}
