import type { AnswerForm } from "../../catalog/execute.ts";
import { splitHeader } from "../../lib/header-list.ts";

/** One range of an Accept or Accept-Encoding header (RFC 9110 §12.5). */
interface Range {
  name: string;
  quality: number;
}

/** The form of an answer over HTTP. */
export type HttpForm = Exclude<AnswerForm, "report" | "fix">;

const forms: readonly (readonly [type: string, form: HttpForm])[] = [
  ["application/json", "json"],
  ["text/plain", "text"],
  ["application/octet-stream", "bytes"],
];

/**
 * Returns the form of answer that an Accept header prefers, JSON if it has no preference; undefined if it accepts none.
 */
export function negotiateForm(accept: string | undefined): HttpForm | undefined {
  if (accept === undefined || accept === "*/*" || accept === "application/json" || accept === "")
    return "json";
  return prefer(accept, forms);
}

/** Returns the value of the offer with the highest quality; the first one on a tie. */
export function prefer<Value>(
  accept: string,
  offers: readonly (readonly [type: string, value: Value])[],
): Value | undefined {
  const ranges = parseRanges(accept);
  let best: { value: Value; quality: number } | undefined;
  for (const [type, value] of offers) {
    const quality = qualityOf(type, ranges);
    if (quality > 0 && (best === undefined || quality > best.quality)) best = { value, quality };
  }
  return best?.value;
}

/** Reports whether an Accept header prefers a page to a problem document, as those of browsers do. */
export const prefersPage = (accept: string | undefined): boolean =>
  accept !== undefined &&
  /text\/html/i.test(accept) &&
  prefer(accept, [
    ["application/json", false],
    ["application/problem+json", false],
    ["text/html", true],
  ]) === true;

/** Returns the quality of the most specific range that covers the type. */
function qualityOf(type: string, ranges: readonly Range[]): number {
  const family = `${type.slice(0, type.indexOf("/"))}/*`;
  for (const name of [type, family, "*/*"]) {
    const range = ranges.find((candidate) => candidate.name === name);
    if (range !== undefined) return range.quality;
  }
  return 0;
}

export type Coding = "br" | "gzip";

/** Returns the coding to compress with, brotli on a tie; undefined for no compression. */
export function negotiateCoding(accept: string | undefined): Coding | undefined {
  if (accept === undefined || accept === "") return undefined;
  const ranges = parseRanges(accept);
  const any = ranges.find(({ name }) => name === "*")?.quality ?? 0;
  const of = (coding: string): number => ranges.find(({ name }) => name === coding)?.quality ?? any;
  const gzip = Math.max(of("gzip"), ranges.find(({ name }) => name === "x-gzip")?.quality ?? 0);
  const br = of("br");
  // A client that prefers an uncompressed answer gives identity a higher quality.
  const identity = ranges.find(({ name }) => name === "identity")?.quality ?? 0;
  if (Math.max(br, gzip) <= 0 || Math.max(br, gzip) < identity) return undefined;
  return br >= gzip ? "br" : "gzip";
}

function parseRanges(header: string): Range[] {
  return splitHeader(header, ",").map((part) => {
    const [name = "", ...parameters] = splitHeader(part, ";");
    const weight = parameters
      .map((text) => /^q[ \t]*=[ \t]*([\d.]+)$/i.exec(text)?.[1])
      .find((q) => q !== undefined);
    const quality = weight === undefined ? 1 : Number(weight);
    return { name: name.toLowerCase(), quality: quality >= 0 && quality <= 1 ? quality : 0 };
  });
}
