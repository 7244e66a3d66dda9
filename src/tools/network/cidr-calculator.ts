import { z } from "zod";
import { defineTool } from "../../catalog/tool.ts";
import { DocumentFault } from "../../lib/fault.ts";
import { describeNetwork } from "../../lib/ip/describe.ts";
import { withoutPort } from "../../lib/ip/host.ts";
import { fromInteger } from "../../lib/ip/integer.ts";
import { parseNetwork } from "../../lib/ip/network.ts";
import { onLine, withoutLineEnd } from "../../lib/lines.ts";
import { listParts, partFields } from "../network-parts.ts";
import { refusing } from "../refusing.ts";

export default defineTool({
  slug: "cidr-calculator",
  title: "CIDR calculator",
  version: "1.3.0",
  summary: "Calculate the network, range, mask, hosts and reverse zone of a network, or split it.",
  page: {
    tile: "Range, mask, hosts, split",
    layout: "line",
    view: "props",
    tab: "Network",
    options: ["split", "exclude"],
    labels: { data: "Address or network", split: "Split into /", exclude: "Leave out" },
  },
  accepts: "an address or network",
  aliases:
    "cidr, subnet, subnet calculator, ip calculator, ipcalc, netmask, subnet mask, ip to integer, integer to ip, ipv4, ipv6, network address, broadcast address, wildcard mask, usable hosts, sipcalc, reverse dns zone, ip address converter, ipv4 subnet, split subnet, split network, how many hosts, ip address information",
  input: z.object({
    data: z
      .string()
      .describe(
        "An address, optionally with a prefix length (10.1.2.3/20), a netmask (10.1.2.3/255.255.240.0) or a wildcard mask (10.1.2.3/0.0.15.255), or with a port; a whole number is an address too",
      ),
    ...partFields,
  }),
  examples: [
    {
      input: { data: "192.0.2.130/26" },
      result: `{
  "version": 4,
  "cidr": "192.0.2.128/26",
  "address": "192.0.2.130",
  "integer": "3221226114",
  "prefix": 26,
  "netmask": "255.255.255.192",
  "wildcard": "0.0.0.63",
  "network": "192.0.2.128",
  "broadcast": "192.0.2.191",
  "first": "192.0.2.128",
  "last": "192.0.2.191",
  "firstUsable": "192.0.2.129",
  "lastUsable": "192.0.2.190",
  "addresses": "64",
  "usable": "62",
  "class": "C",
  "purpose": "documentation",
  "reverseZone": "2.0.192.in-addr.arpa"
}`,
    },
    {
      title: "Split into networks of a prefix length, without one of them",
      input: { data: "10.0.0.0/24", split: 26, exclude: ["10.0.0.64/26"] },
      result: "10.0.0.0/26\n10.0.0.128/26\n10.0.0.192/26",
    },
    {
      title: "An IPv6 point-to-point link, both addresses usable (RFC 6164)",
      input: { data: "2001:DB8:0:0::1/127" },
      result:
        '{\n  "version": 6,\n  "cidr": "2001:db8::/127",\n  "address": "2001:db8::1",\n  "integer": "42540766411282592856903984951653826561",\n  "prefix": 127,\n  "netmask": "ffff:ffff:ffff:ffff:ffff:ffff:ffff:fffe",\n  "wildcard": "::1",\n  "network": "2001:db8::",\n  "broadcast": null,\n  "first": "2001:db8::",\n  "last": "2001:db8::1",\n  "firstUsable": "2001:db8::",\n  "lastUsable": "2001:db8::1",\n  "addresses": "2",\n  "usable": "2",\n  "purpose": "documentation",\n  "reverseZone": "0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.8.b.d.0.1.0.0.2.ip6.arpa"\n}',
    },
  ],
  run({ data, ...parts }, context) {
    const network = refusing(data, () => {
      const text = withoutLineEnd(data);
      if (range.test(text))
        throw new DocumentFault("This is a range of addresses; ip-range-to-cidr converts it.", { index: 0 });
      return onLine(withoutPort(text), (address) => parseNetwork(fromInteger(address)));
    });
    return (
      listParts(network, { data, ...parts }, context) ?? JSON.stringify(describeNetwork(network), null, 2)
    );
  },
});

/** Two addresses, or 10.0.0.1-9 or 10.0.*.*. */
const range =
  /^(?:\d+\.){3}\d+\s*[-\u2010-\u2015\u2212]|^[\da-f]*:[\da-f:]*\s*[-\u2010-\u2015\u2212]|^(?:\d+\.){1,3}\*/i;
