import { z } from "zod";
import { ToolError } from "../../catalog/errors.ts";
import { invalidField } from "../../catalog/input.ts";
import { defineTool } from "../../catalog/tool.ts";
import { hintForUrl, toUrlParts } from "../../lib/url-parts.ts";

export default defineTool({
  slug: "url-parser",
  title: "URL parser",
  version: "1.1.0",
  summary: "Parse a URL as browsers do (WHATWG URL Standard), with its query as ordered pairs.",
  page: {
    tile: "Parts and query of a URL",
    layout: "line",
    view: "props+table",
    tab: "Parts",
    options: ["base"],
    labels: { data: "URL", base: "Base" },
  },
  accepts: "a URL",
  aliases:
    "url, parse url, uri, parse uri, split url, url components, url parts, hostname from url, extract domain, url host, url query parameters, urlsearchparams, new url, urlparse, parse_url, url dissect, dissect link, urllib.parse, protocol host path, deep link, idna, punycode",
  input: z.object({
    data: z.string().describe("The URL, absolute or, with base, relative"),
    base: z
      .string()
      .max(65_536)
      .default("")
      .describe("Absolute URL against which a relative one is resolved"),
  }),
  examples: [
    {
      input: { data: "https://example.com:8443/a/../b?q=1&q=%C3%A9#top" },
      result: `{
  "href": "https://example.com:8443/b?q=1&q=%C3%A9#top",
  "origin": "https://example.com:8443",
  "protocol": "https:",
  "username": "",
  "password": "",
  "host": "example.com:8443",
  "hostname": "example.com",
  "port": "8443",
  "effectivePort": 8443,
  "pathname": "/b",
  "search": "?q=1&q=%C3%A9",
  "hash": "#top",
  "query": [
    {
      "name": "q",
      "value": "1"
    },
    {
      "name": "q",
      "value": "é"
    }
  ]
}`,
    },
    {
      title: "A relative URL, and an IPv4 address in an obscure notation",
      input: { data: "//0x7f.1/x", base: "http://example.com/" },
      result: `{
  "href": "http://127.0.0.1/x",
  "origin": "http://127.0.0.1",
  "protocol": "http:",
  "username": "",
  "password": "",
  "host": "127.0.0.1",
  "hostname": "127.0.0.1",
  "port": "",
  "effectivePort": 80,
  "pathname": "/x",
  "search": "",
  "hash": "",
  "query": []
}`,
    },
  ],
  run({ data, base }) {
    if (base !== "" && !URL.canParse(base)) throw invalidField("base", "Must be an absolute URL.");
    const parts = toUrlParts(data, base);
    if (parts !== undefined) return JSON.stringify(parts, null, 2);
    throw new ToolError("invalid_document", `This is not a valid URL.${hintForUrl(data.trim(), base)}`);
  },
});
