import { BlockList } from "node:net";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { whyForbidden } from "../../../../src/lib/ip/forbidden.ts";
import { formatAddress } from "../../../../src/lib/ip/format.ts";
import { parseAddress } from "../../../../src/lib/ip/parse.ts";

const why = (text: string): string | undefined => whyForbidden(parseAddress(text));

test.each([
  ["0.0.0.0", "this network"],
  ["0.255.255.255", "this network"],
  ["10.0.0.0", "private"],
  ["10.255.255.255", "private"],
  ["100.64.0.0", "shared address space"],
  ["100.100.100.200", "shared address space"],
  ["100.127.255.255", "shared address space"],
  ["127.0.0.1", "loopback"],
  ["127.255.255.255", "loopback"],
  ["168.63.129.16", "cloud metadata"],
  ["169.254.169.254", "link-local"],
  ["172.16.0.0", "private"],
  ["172.31.255.255", "private"],
  ["192.0.0.192", "protocol assignments"],
  ["192.0.2.1", "documentation"],
  ["192.88.99.1", "deprecated"],
  ["192.168.255.255", "private"],
  ["198.18.0.0", "benchmarking"],
  ["198.19.255.255", "benchmarking"],
  ["198.51.100.7", "documentation"],
  ["203.0.113.7", "documentation"],
  ["224.0.0.1", "multicast"],
  ["239.255.255.255", "multicast"],
  ["240.0.0.0", "reserved"],
  ["255.255.255.254", "reserved"],
  ["255.255.255.255", "broadcast"],
  ["::", "unspecified"],
  ["::1", "loopback"],
  ["::2", "reserved"],
  // IPv4-compatible (RFC 4291 §2.5.5.1), deprecated.
  ["::127.0.0.1", "reserved"],
  ["::8.8.8.8", "reserved"],
  ["::ffff:127.0.0.1", "loopback"],
  ["::ffff:169.254.169.254", "link-local"],
  ["::ffff:0:7f00:1", "reserved"],
  ["64:ff9b::10.0.0.1", "private"],
  ["64:ff9b::a9fe:a9fe", "link-local"],
  ["64:ff9b:1::8.8.8.8", "IPv4-IPv6 translation"],
  ["100::1", "discard-only"],
  ["2001::1", "this network"],
  // Teredo: the inverted client 10.0.0.1 behind a public server, and vice versa.
  ["2001:0:808:808::f5ff:fffe", "private"],
  ["2001:0:a00:1::f7f7:f7f7", "private"],
  ["2001:2::1", "benchmarking"],
  ["2001:10::1", "protocol assignments"],
  ["2001:db8::1", "documentation"],
  ["2002:7f00:1::1", "loopback"],
  ["2002:a9fe:a9fe::", "link-local"],
  ["2002:c0a8:101::1", "private"],
  // ISATAP under an ordinary prefix; the bit only marks a globally unique IPv4 address.
  ["2606:4700::5efe:10.0.0.1", "private"],
  ["2606:4700::200:5efe:127.0.0.1", "loopback"],
  ["2606:4700:1:2:0:5efe:a9fe:a9fe", "link-local"],
  ["fe80::5efe:8.8.8.8", "link-local"],
  ["3fff::1", "documentation"],
  ["4000::1", "reserved"],
  ["5f00::1", "reserved"],
  ["8000::", "reserved"],
  ["fc00::1", "unique local"],
  ["fd00:ec2::254", "unique local"],
  ["fe80::1", "link-local"],
  ["fe80::1%eth0", "link-local"],
  ["febf::1", "link-local"],
  ["fec0::1", "site-local"],
  ["feff::1", "site-local"],
  ["ff02::1", "multicast"],
  ["ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "multicast"],
])("refuses to reach %s: %s", (text, reason) => {
  expect(why(text)).toBe(reason);
});

test.each([
  "1.1.1.1",
  "8.8.8.8",
  "9.255.255.255",
  "11.0.0.0",
  "100.63.255.255",
  "100.128.0.0",
  "126.255.255.255",
  "128.0.0.0",
  "168.63.129.15",
  "169.253.255.255",
  "172.15.255.255",
  "172.32.0.0",
  "192.167.255.255",
  "192.169.0.0",
  "198.17.255.255",
  "198.20.0.0",
  "223.255.255.255",
  "2000::1",
  "2606:4700:4700::1111",
  "2a00:1450:4001:80b::200e",
  "3ffe::1",
  "::ffff:8.8.8.8",
  "64:ff9b::8.8.8.8",
  "2002:808:808::1",
  "2001:0:808:808::f7f7:f7f7",
  "2606:4700::5efe:8.8.8.8",
  "2606:4700::100:5efe:10.0.0.1",
])("allows the ordinary address %s", (text) => {
  expect(why(text)).toBeUndefined();
});

test("classifies every IPv6 notation of an IPv4 address like that address", () => {
  const v4 = fc.bigInt({ min: 0n, max: 0xffffffffn });
  fc.assert(
    fc.property(
      fc.oneof(
        v4,
        v4.map((value) => 0x0a000000n | (value & 0xffffffn)),
      ),
      (value) => {
        const reason = whyForbidden({ version: 4, value });
        expect(whyForbidden({ version: 6, value: (0xffffn << 32n) | value })).toBe(reason);
        expect(whyForbidden({ version: 6, value: (0x64ff9bn << 96n) | value })).toBe(reason);
        expect(whyForbidden({ version: 6, value: (0x2002n << 112n) | (value << 80n) | 1n })).toBe(reason);
      },
    ),
  );
});

test("forbids IPv6 outside of 2000::/3, except notations of IPv4", () => {
  const unicast = new BlockList();
  unicast.addSubnet("2000::", 3, "ipv6");
  unicast.addSubnet("::ffff:0:0", 96, "ipv6");
  unicast.addSubnet("64:ff9b::", 96, "ipv6");
  fc.assert(
    fc.property(
      fc.bigInt({ min: 0n, max: (1n << 128n) - 1n }),
      fc.integer({ min: 0, max: 112 }),
      (value, shift) => {
        const address = { version: 6, value: value >> BigInt(shift) } as const;
        const known = unicast.check(formatAddress(address), "ipv6");
        expect(known || whyForbidden(address) !== undefined).toBe(true);
      },
    ),
  );
});
