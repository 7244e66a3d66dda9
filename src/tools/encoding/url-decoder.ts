import { z } from "zod";
import { defineTool } from "../../catalog/tool.ts";
import { decodeEscapes, endOfEscapes, type EscapeOptions, hasMalformed } from "../../lib/percent-escapes.ts";
import { decodedBytes } from "../decoded-bytes.ts";
import { createTextRun } from "../part-run.ts";
import { refusing, withRemedy } from "../refusing.ts";

const input = z.object({
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
});

export default defineTool({
  slug: "url-decoder",
  title: "URL decoder",
  version: "1.2.1",
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
  input,
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
  run: ({ data, ...options }) =>
    refusing(data, () =>
      withRemedy(
        () => decodeEscapes(data, toOptions(options)),
        () => remedyFor(data, options),
      ),
    ),
  runBlocks(options) {
    if (options.charset !== "utf-8") return undefined;
    return createTextRun("url-decoder", {
      cut: endOfEscapes,
      write: (text) => [refusing(text, () => decodeEscapes(text, toOptions(options)))],
    });
  },
});

type Options = Omit<z.output<typeof input>, "data">;

const toOptions = ({ mode, charset, keepMalformed, plusAsSpace }: Options): EscapeOptions => ({
  charset,
  keepMalformed,
  keepReserved: mode === "uri",
  plusAsSpace: plusAsSpace || mode === "form",
});

function remedyFor(text: string, options: Options): string | undefined {
  if (hasMalformed(text, toOptions(options))) return "keepMalformed to true";
  return options.charset === "utf-8" ? "charset to that of the escaped bytes" : undefined;
}
