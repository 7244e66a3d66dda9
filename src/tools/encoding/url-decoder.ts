import { z } from "zod";
import { defineTool } from "../../catalog/tool.ts";
import type { Charset } from "../../lib/charset.ts";
import { decodePercent, decodePercentIn, withoutUnicodeEscapes } from "../../lib/percent.ts";
import { decodedBytes } from "../decoded-bytes.ts";
import { refusing, withRemedy } from "../refusing.ts";

export default defineTool({
  slug: "url-decoder",
  title: "URL decoder",
  version: "1.2.0",
  summary: "Decode percent-encoded text and report the place of malformed sequences.",
  page: {
    tile: "%20 to a space",
    view: "text",
    options: ["mode", "plusAsSpace", "charset"],
    labels: {
      mode: "Read as",
      "mode=component": "A part",
      "mode=form": "A form",
      "mode=uri": "A whole URL",
      plusAsSpace: "+ is a space",
      charset: "Text is",
    },
  },
  accepts: "percent-encoded text",
  aliases:
    "url decode, urldecode, decodeuri, decodeuricomponent, unquote url, percent decode, percent decoding, %20, %2f, uri decode, rawurldecode, urllib.parse.unquote, plus to space, unescape url",
  input: z.object({
    data: z.string().describe("The percent-encoded text"),
    mode: z
      .enum(["component", "form", "uri"])
      .default("component")
      .describe(
        "Decoding: component decodes everything; form also decodes + to a space; uri keeps the escapes of ;/?:@&=+$,# because these characters separate the parts of a URL",
      ),
    charset: decodedBytes.charset.describe("Character set of the escaped bytes; the result is always UTF-8"),
    keepMalformed: z
      .boolean()
      .default(false)
      .describe("Keep a % that two hexadecimal digits do not follow, instead of refusing it"),
    plusAsSpace: z.boolean().default(false).describe("Decode + to a space, as mode form always does"),
  }),
  exact: true,
  examples: [
    { input: { data: "Za%C5%BC%C3%B3%C5%82%C4%87%20%2B%20100%25" }, result: "Zażółć + 100%" },
    {
      title: "A plus sign stays a plus sign by default",
      input: { data: "a+b%2Bc" },
      result: "a+b+c",
    },
    { title: "Form encoding", input: { data: "a+b%2Bc", mode: "form" }, result: "a b+c" },
    {
      title: "A whole URL keeps its structure",
      input: { data: "/a%20b%2Fc?x=%26%C3%A9", mode: "uri" },
      result: "/a b%2Fc?x=%26é",
    },
    {
      title: "Another character set, and a plain percent sign",
      input: { data: "100% caf%E9", charset: "iso-8859-1", keepMalformed: true },
      result: "100% café",
    },
  ],
  run({ data, mode, charset, keepMalformed, plusAsSpace: plus }) {
    const options = { keepReserved: mode === "uri", plusAsSpace: plus || mode === "form" };
    // A plain percent sign is escaped, which the decoder then decodes.
    const kept = keepMalformed ? data.replaceAll(/%(?!u?[\dA-Fa-f]{2})/g, "%25") : data;
    const text = charset === "utf-8" ? withoutUnicodeEscapes(kept) : kept;
    return refusing(text, () =>
      withRemedy(
        () => decode(text, charset, options),
        () => remedyFor(text, charset),
      ),
    );
  },
});

function remedyFor(text: string, charset: Charset): string | undefined {
  if (/%(?![\dA-Fa-f]{2})/.test(text)) return "keepMalformed to true";
  return charset === "utf-8" ? "charset to that of the escaped bytes" : undefined;
}

function decode(
  text: string,
  charset: Charset,
  options: { keepReserved: boolean; plusAsSpace: boolean },
): string {
  if (charset !== "utf-8") return decodePercentIn(text, charset, options);
  return decodePercent(Buffer.from(text), options.keepReserved, options.plusAsSpace);
}
