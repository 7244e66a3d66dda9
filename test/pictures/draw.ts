import { readFileSync } from "node:fs";
import type { Page } from "../system/e2e/browser/browser.ts";

/** A part of a page as its browser lays it out, in CSS pixels. */
type Shape =
  | {
      kind: "box";
      x: number;
      y: number;
      width: number;
      height: number;
      radius: number;
      fill: string;
      stroke: string;
      line: number;
    }
  | {
      kind: "text";
      x: number;
      y: number;
      width: number;
      size: number;
      weight: string;
      isMono: boolean;
      fill: string;
      text: string;
      /** Whether it belongs to a navigation, which changes with each new page. */
      isLink: boolean;
    }
  | {
      kind: "drawing";
      x: number;
      y: number;
      width: number;
      height: number;
      viewBox: string;
      fill: string;
      stroke: string;
      line: number;
      /** Its shapes, as SVG. */
      content: string;
    };

/** Runs in the page and returns its shapes. */
const script = readFileSync(new URL("read-shapes.js", import.meta.url), "utf8");

/** Draws the upper part of a page as SVG, which is text: boxes, borders, icons and words. The same layout makes the same picture. */
export async function draw(page: Page, most: number): Promise<string> {
  const {
    width,
    height: whole,
    background,
    shapes,
  } = (await page.evaluate(script)) as {
    width: number;
    height: number;
    background: string;
    shapes: Shape[];
  };
  const height = Math.min(whole, most);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">`,
    `<rect width="${width}" height="${height}" fill="${background}"/>`,
    ...shapes.filter(({ y }) => y < height).map(toElement),
    "</svg>\n",
  ].join("\n");
}

/** The words of a picture, without spaces and without those of navigations. */
export const wordsOf = (svg: string): string =>
  [...svg.matchAll(/<text(?! class="link")[^>]*>([^<]*)</g)]
    .map(([, text = ""]) => text.replaceAll(/\s/g, ""))
    .join("");

function toElement(shape: Shape): string {
  if (shape.kind === "text") {
    const { x, y, width, size, weight, isMono, fill, text, isLink } = shape;
    const family = isMono ? "ui-monospace,Menlo,Consolas,monospace" : "system-ui,sans-serif";
    // The reader's fonts differ from those of the browser that laid it out.
    return `<text${isLink ? ' class="link"' : ""} x="${x}" y="${y}" font-family="${family}" font-size="${size}" font-weight="${weight}" fill="${fill}" textLength="${width}" lengthAdjust="spacingAndGlyphs">${escape(text)}</text>`;
  }
  if (shape.kind === "drawing") {
    const { x, y, width, height, viewBox, fill, stroke, line, content } = shape;
    return `<svg x="${x}" y="${y}" width="${width}" height="${height}" viewBox="${viewBox}" fill="${fill}" stroke="${stroke}" stroke-width="${line}" stroke-linecap="round" stroke-linejoin="round">${content.replaceAll(/\s*\n\s*/g, "")}</svg>`;
  }
  const { x, y, width, height, radius, fill, stroke, line } = shape;
  const edge = line > 0 ? ` stroke="${stroke}" stroke-width="${line}"` : "";
  return `<rect x="${x}" y="${y}" width="${width}" height="${height}" rx="${radius}" fill="${fill}"${edge}/>`;
}

const escape = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
