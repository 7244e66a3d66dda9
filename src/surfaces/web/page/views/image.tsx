import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import { Icon } from "../ui/icon.tsx";
import { download } from "../tools/download.ts";
import { toVisible } from "../ui/text.tsx";
import code from "./code/code.css";
import { CodeBox } from "./code/code.tsx";
import { readContrast } from "./contrast.ts";
import glyphs from "./glyphs.css";
import { Glyphs } from "./glyphs.tsx";
import { toSize } from "./hint.ts";
import parts from "./parts.css";
import { rawTab } from "./parts.tsx";
import picture from "./picture.css";
import { Picture } from "./picture.tsx";
import { textOfOutcome, useRunInTab } from "./run-in-tab.ts";
import { isSvg } from "./shape.ts";
import type { View, ViewProps, ViewTab } from "./view.ts";

/** An SVG image: drawn, also as PNG, as its text, and in the other forms that its tool has. */
export const imageView: View = {
  sheets: [glyphs, code, parts, picture],
  tabs(props) {
    const text = props.result as string;
    if (!isSvg(text)) return [text.startsWith("data:") ? rawTab("Data URI") : terminalTab];
    const formats = props.definition?.input.properties["format"]?.enum ?? [];
    return [
      previewTab,
      ...(formats.includes("terminal") && props.callInTab !== undefined ? [otherTerminalTab] : []),
      ...(formats.length === 0 ? [markdownTab] : []),
      rawTab("SVG", "xml"),
    ];
  },
};

const previewTab: ViewTab = { id: "preview", label: "Preview", Component: Preview };

/** Pixels of the shorter side of a PNG, so that it can be printed. */
const minPixels = 512;

function Preview(props: ViewProps): JSX.Element {
  const { definition, result } = props;
  const svg = result as string;
  const size = useSignal<readonly [number, number] | undefined>(undefined);
  const failure = useSignal("");
  const name = definition?.slug ?? "image";
  const contrast = useSignal<number | undefined>(undefined);
  useEffect(() => void (contrast.value = readContrast(svg, resolveColour)), [svg]);
  const title = /<title>([^<]*)<\/title>/.exec(svg)?.[1];
  async function downloadPng(): Promise<void> {
    const png = await toPng(svg);
    if (png === undefined) failure.value = "The browser cannot draw this image.";
    else download(`${name}.png`, png);
  }

  return (
    <div class="v-stack">
      <Picture
        type="image/svg+xml"
        body={svg}
        label={toVisible(title ?? "The result as an image")}
        onSize={(width, height) => (size.value = [width, height])}
      />
      <p class="v-caption">
        {size.value === undefined ? null : (
          <span>
            {size.value[0]} × {size.value[1]}
          </span>
        )}
        <span>{toSize(new TextEncoder().encode(svg).length)}</span>
        {contrast.value === undefined ? null : (
          <span class={contrast.value >= 3 ? "tag ok" : "tag bad"}>
            Contrast {contrast.value.toFixed(1)}:1, {contrast.value >= 3 ? "readable" : "hard to read"}
          </span>
        )}
        <span class="end" />
        <span role="status">{failure.value}</span>
        <button type="button" onClick={() => void downloadPng()}>
          <Icon name="download" /> PNG
        </button>
        <button type="button" onClick={() => download(`${name}.svg`, svg)}>
          <Icon name="download" /> SVG
        </button>
      </p>
    </div>
  );
}

/** Returns a colour of CSS as "#rrggbb", if it is opaque; a canvas knows the names. */
function resolveColour(colour: string): string {
  if (colour.startsWith("#")) return colour;
  const context = document.createElement("canvas").getContext("2d");
  if (context === null) return colour;
  context.fillStyle = colour;
  return context.fillStyle;
}

/** Draws an image on a canvas. Returns its bytes; undefined if the browser cannot draw it. */
async function toPng(svg: string): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const url = URL.createObjectURL(new Blob([svg], { type: "image/svg+xml" }));
  try {
    const image = new Image();
    image.src = url;
    await image.decode();
    const scale = Math.max(
      1,
      Math.ceil(minPixels / Math.max(1, Math.min(image.naturalWidth, image.naturalHeight))),
    );
    const canvas = Object.assign(document.createElement("canvas"), {
      width: image.naturalWidth * scale,
      height: image.naturalHeight * scale,
    });
    const context = canvas.getContext("2d");
    if (context === null) return undefined;
    context.imageSmoothingEnabled = false;
    context.drawImage(image, 0, 0, canvas.width, canvas.height);
    const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, "image/png"));
    return blob === null ? undefined : new Uint8Array(await blob.arrayBuffer());
  } catch {
    return undefined;
  } finally {
    URL.revokeObjectURL(url);
  }
}

const terminalTab: ViewTab = {
  id: "terminal",
  label: "Terminal",
  Component: ({ result }) => <Terminal text={result as string} />,
};

const Terminal = ({ text }: { text: string }): JSX.Element => (
  <pre class="v-terminal-code" tabIndex={0} role="group" aria-label="The result as a terminal shows it">
    <Glyphs>{text}</Glyphs>
  </pre>
);

/** The same code in block characters; the page runs the tool once more for it. */
const otherTerminalTab: ViewTab = {
  id: "terminal",
  label: "Terminal",
  Component({ callInTab, result }) {
    const outcome = useRunInTab(callInTab, { format: "terminal" }, [result]);
    return <Terminal text={textOfOutcome(outcome.value) ?? ""} />;
  },
};

const markdownTab: ViewTab = {
  id: "markdown",
  label: "Markdown",
  Component: (props) => (
    <CodeBox text={toMarkdown(props)} language={undefined} wraps={props.wraps} label="Markdown" />
  ),
  text: toMarkdown,
};

/** Returns a line of Markdown that shows the image, which it has in itself. */
function toMarkdown({ result }: ViewProps): string {
  const svg = result as string;
  const title = /<title>([^<]*)<\/title>/.exec(svg)?.[1] ?? "image";
  return `![${title.replaceAll(/[[\]\\]/g, "\\$&")}](data:image/svg+xml;base64,${btoa(String.fromCharCode(...new TextEncoder().encode(svg)))})`;
}
