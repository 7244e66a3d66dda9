import { z } from "zod";
import { defineTool } from "../../catalog/tool.ts";
import { decodePercent } from "../../lib/percent.ts";
import { refusing } from "../refusing.ts";

export default defineTool({
  slug: "url-decoder",
  title: "URL decoder",
  summary: "Decode percent-encoded text and report the place of malformed sequences.",
  accepts: "percent-encoded text",
  aliases:
    "url decode, urldecode, decodeuri, decodeuricomponent, unquote url, percent decode, percent decoding, %20, %2f, uri decode, rawurldecode, urllib.parse.unquote, plus to space, unescape url",
  input: z.object({
    data: z.string().describe("The percent-encoded text; its bytes must be UTF-8"),
    mode: z
      .enum(["component", "form", "uri"])
      .default("component")
      .describe(
        "Decoding: component decodes everything; form also decodes + to a space; uri keeps the escapes of ;/?:@&=+$,# because these characters separate the parts of a URL",
      ),
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
  ],
  run({ data, mode, plusAsSpace }) {
    const bytes = Buffer.from(data);
    return refusing(bytes, () => decodePercent(bytes, mode === "uri", plusAsSpace || mode === "form"));
  },
});
