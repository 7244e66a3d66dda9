import { BlockList } from "node:net";
import { expect, test } from "vitest";
import { isMuchOfInternet } from "../../../../src/lib/ip/wide.ts";

test.each([
  ["0.0.0.0/0", true],
  ["128.0.0.0/1", true],
  ["8.0.0.0/7", true],
  ["10.0.0.0/8", false],
  ["192.0.2.7", false],
  ["192.0.2.7/32", false],
  ["::/0", true],
  ["2000::/3", true],
  ["fc00::/6", true],
  ["fc00::/7", false],
  ["fd00::/8", false],
  ["2001:db8::1", false],
  // Through the addresses of IPv4 that are mapped into IPv6.
  ["::/8", true],
  ["::/80", true],
  ["::1/80", true],
  ["::ffff:0:0/96", true],
  ["::ffff:10.0.0.0/103", true],
  ["::ffff:10.0.0.0/104", false],
  ["::ffff:192.0.2.7/128", false],
  ["::1/128", false],
  ["::/96", false],
  ["unix", false],
])("%s: %s", (entry, isWide) => {
  expect(isMuchOfInternet(entry)).toBe(isWide);
});

test("the list of addresses that decides about requests has the mapped ones too", () => {
  const list = new BlockList();
  list.addSubnet("::", 80, "ipv6");
  expect(list.check("203.0.113.7", "ipv4")).toBe(true);
});
