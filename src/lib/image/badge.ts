import { textWidth } from "./text-width.ts";
import { escapeXml } from "./xml.ts";

export interface Badge {
  label: string;
  message: string;
  color: string;
  labelColor: string;
  style: "flat" | "flat-square";
}

const height = 20;

/**
 * Draws a badge as SVG, label on the left and message on the right. Every text is escaped, and its length is
 * the same in all fonts.
 */
export function drawBadge({ label, message, color, labelColor, style }: Badge): string {
  const left = label === "" ? 0 : Math.round(textWidth(label)) + 10;
  const right = Math.round(textWidth(message)) + 10;
  const width = left + right;
  const title = escapeXml(label === "" ? message : `${label}: ${message}`);
  const texts = [
    ...(label === "" ? [] : [drawText(label, 0, left)]),
    ...(message === "" ? [] : [drawText(message, left, right)]),
  ];
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" role="img" aria-label="${title}">`,
    `<title>${title}</title>`,
    `<clipPath id="r"><rect width="${width}" height="${height}" rx="${style === "flat" ? 3 : 0}" fill="#fff"/></clipPath>`,
    `<g clip-path="url(#r)">`,
    ...(left === 0 ? [] : [`<rect width="${left}" height="${height}" fill="${labelColor}"/>`]),
    `<rect x="${left}" width="${right}" height="${height}" fill="${color}"/>`,
    ...(style === "flat" ? [shade(width)] : []),
    `</g>`,
    `<g fill="#fff" text-anchor="middle" font-family="Verdana,Geneva,DejaVu Sans,sans-serif" font-size="11">`,
    ...texts,
    `</g>`,
    `</svg>`,
  ].join("");
}

/** Light at the top, dark at the bottom; a gradient within the SVG needs no second file. */
const shade = (width: number): string =>
  '<linearGradient id="s" x2="0" y2="100%"><stop offset="0" stop-color="#bbb" stop-opacity=".1"/><stop offset="1" stop-opacity=".1"/></linearGradient>' +
  `<rect width="${width}" height="${height}" fill="url(#s)"/>`;

function drawText(text: string, from: number, width: number): string {
  const middle = from + width / 2;
  const escaped = escapeXml(text);
  const length = Math.max(1, width - 10);
  return [
    // The shadow makes text readable on a bright colour.
    `<text x="${middle}" y="15" fill="#010101" fill-opacity=".3" textLength="${length}" aria-hidden="true">${escaped}</text>`,
    `<text x="${middle}" y="14" textLength="${length}">${escaped}</text>`,
  ].join("");
}
