import { z } from "zod";
import { isolateOver } from "../../catalog/inline.ts";
import { defineTool } from "../../catalog/tool.ts";
import { coverRanges } from "../../lib/ip/range.ts";
import { refusing } from "../refusing.ts";

/** Networks computed on the event loop at most, in some 5 ms. */
const maxInline = 3000;

export default defineTool({
  slug: "ip-range-to-cidr",
  title: "IP range to CIDR",
  version: "1.3.0",
  summary: "Convert address ranges to the smallest equivalent list of networks, or aggregate networks.",
  page: {
    tile: "Smallest list of networks",
    view: "list",
    tab: "Networks",
    options: ["merge"],
    labels: { data: "Ranges", merge: "Merge" },
  },
  accepts: "address ranges",
  aliases:
    "ip range, range to cidr, aggregate cidr, merge cidr, summarize networks, ipv4 range expander, ip range to subnet, cidr aggregation, collapse networks, combine subnets, supernet, route summarization, start and end ip, iprange, minimize networks",
  input: z.object({
    data: z
      .string()
      .describe(
        "Ranges such as 10.0.0.1-10.0.0.9, 10.0.0.1-9 or 10.0.*.*, or networks, also with a mask, one per line, at most 10,000; a single address is a range of one",
      ),
    merge: z
      .boolean()
      .default(false)
      .describe("Join what overlaps or touches, in the order of the addresses"),
  }),
  examples: [
    { input: { data: "10.0.0.0-10.0.1.127" }, result: "10.0.0.0/24\n10.0.1.0/25" },
    {
      title: "A range without aligned boundaries",
      input: { data: "192.0.2.1 - 192.0.2.6" },
      result: "192.0.2.1/32\n192.0.2.2/31\n192.0.2.4/31\n192.0.2.6/32",
    },
    {
      title: "Networks aggregated",
      input: { data: "10.0.1.0/24\n10.0.0.0/24\n10.0.0.7\n10.0.2.0-10.0.3.255", merge: true },
      result: "10.0.0.0/22",
    },
    {
      title: "An IPv6 range, and all IPv4 addresses",
      input: { data: "2001:db8::-2001:db8::ffff\n0.0.0.0-255.255.255.255" },
      result: "2001:db8::/112\n0.0.0.0/0",
    },
  ],
  run: ({ data, merge }, context) =>
    refusing(data, () =>
      coverRanges(data, { merge }, (networks) => isolateOver(networks, maxInline, context)).join("\n"),
    ),
});
