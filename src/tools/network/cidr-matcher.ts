import { DocumentFault } from "../../lib/fault.ts";
import { z } from "zod";
import { isolateOver } from "../../catalog/inline.ts";
import { invalidField } from "../../catalog/input.ts";
import { defineTool } from "../../catalog/tool.ts";
import { matchLines } from "../../lib/ip/match-lines.ts";
import { type Network, parseNetwork } from "../../lib/ip/network.ts";
import { refusing } from "../refusing.ts";

/** Lines and matches processed on the event loop at most, in some 5 ms. */
const maxInline = 4000;

export default defineTool({
  slug: "cidr-matcher",
  title: "CIDR matcher",
  version: "1.1.0",
  summary: "List the networks that contain each address of a list, the narrowest first.",
  page: {
    tile: "Which networks hold an address",
    layout: "compare",
    view: "table",
    tab: "Matches",
    second: "cidrs",
    labels: { data: "Addresses", cidrs: "Networks" },
  },
  accepts: "addresses, one per line",
  aliases:
    "ip in range, ip in cidr, ip in subnet, grepcidr, is ip in network, match ip addresses, ip allow list, ip whitelist, firewall rule match, which subnet contains, ip lookup, filter ips, security group match, longest prefix match",
  input: z.object({
    data: z.string().describe("Addresses, also with a port, one per line, at most 100,000"),
    cidrs: z
      .array(z.string().max(100))
      .min(1)
      .max(10_000)
      .describe("The networks; IPv4 networks also contain IPv4-mapped addresses (::ffff:10.0.0.1)"),
  }),
  examples: [
    {
      input: { data: "10.1.2.3\n192.0.2.1", cidrs: ["10.0.0.0/8", "10.1.0.0/16"] },
      result:
        '{\n  "items": [\n    {\n      "ip": "10.1.2.3",\n      "matched": true,\n      "cidrs": [\n        "10.1.0.0/16",\n        "10.0.0.0/8"\n      ]\n    },\n    {\n      "ip": "192.0.2.1",\n      "matched": false,\n      "cidrs": []\n    }\n  ]\n}',
    },
    {
      title: "An IPv4 address as a dual-stack socket sees it",
      input: { data: "::ffff:10.1.2.3", cidrs: ["10.0.0.0/8", "::/0"] },
      result:
        '{\n  "items": [\n    {\n      "ip": "::ffff:10.1.2.3",\n      "matched": true,\n      "cidrs": [\n        "::/0",\n        "10.0.0.0/8"\n      ]\n    }\n  ]\n}',
    },
  ],
  run: ({ data, cidrs }, context) => {
    const networks = cidrs.map(toNetwork);
    return refusing(data, () => {
      const items = matchLines(data, networks, cidrs, (size) => isolateOver(size, maxInline, context));
      return JSON.stringify({ items }, null, 2);
    });
  },
});

function toNetwork(text: string, index: number): Network {
  try {
    return parseNetwork(text.trim());
  } catch (error) {
    throw error instanceof DocumentFault
      ? invalidField("cidrs", `Item ${index + 1}: ${error.message}`)
      : error;
  }
}
