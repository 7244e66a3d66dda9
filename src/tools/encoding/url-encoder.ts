import { z } from "zod";
import { defineTool } from "../../catalog/tool.ts";
import { encodePercent, percentModes } from "../../lib/percent.ts";
import { createTextRun, endOfCharacters } from "../part-run.ts";
import { refusing } from "../refusing.ts";

export default defineTool({
  slug: "url-encoder",
  title: "URL encoder",
  summary: "Percent-encode text for a part of a URL, a form or a whole URL.",
  page: {
    tile: "For a part, a form, a whole URL",
    view: "text",
    options: ["mode"],
    labels: {
      mode: "For",
      "mode=component": "A part",
      "mode=form": "A form",
      "mode=uri": "A whole URL",
      "mode=rfc3986": "RFC 3986",
    },
  },
  accepts: "text",
  aliases:
    "url encode, urlencode, encodeuri, encodeuricomponent, percent encode, percent encoding, uri encode, rawurlencode, urllib.parse.quote, jq @uri, escape url, spaces in url, %20, form encode, url escape",
  input: z.object({
    data: z.string().describe("The text to encode, as UTF-8"),
    mode: z
      .enum(percentModes)
      .default("component")
      .describe(
        "Encoding: component is encodeURIComponent; form encodes a space as +, as HTML forms do; uri keeps the separators of a URL; rfc3986 keeps only letters, digits and -._~, as signatures require",
      ),
  }),
  exact: true,
  examples: [
    { input: { data: "Zażółć + 100%" }, result: "Za%C5%BC%C3%B3%C5%82%C4%87%20%2B%20100%25" },
    { title: "Form encoding", input: { data: "a b+c*~", mode: "form" }, result: "a+b%2Bc*%7E" },
    {
      title: "A whole URL keeps its structure",
      input: { data: "https://example.com/a b?q=é#x", mode: "uri" },
      result: "https://example.com/a%20b?q=%C3%A9#x",
    },
    {
      title: "For a signature (RFC 3986 §2.3)",
      input: { data: "it's (1)!", mode: "rfc3986" },
      result: "it%27s%20%281%29%21",
    },
  ],
  run: ({ data, mode }) => refusing(data, () => encodePercent(data, mode)),
  runBlocks: ({ mode }) =>
    createTextRun("url-encoder", {
      cut: (bytes) => endOfCharacters(bytes),
      write: (text) => [encodePercent(text, mode)],
    }),
});
