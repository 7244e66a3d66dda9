import * as fc from "fast-check";
import { isIP } from "node:net";
import { expect, test } from "vitest";
import tool from "../../../../src/tools/network/cidr-calculator.ts";
import { refusalOf, runTool } from "../run-tool.ts";

const calculate = async (data: string): Promise<Record<string, unknown>> =>
  JSON.parse(await runTool(tool, { data })) as Record<string, unknown>;

test.each([
  [
    "0.0.0.0/0",
    { last: "255.255.255.255", addresses: "4294967296", usable: "4294967294", reverseZone: "in-addr.arpa" },
  ],
  ["9.8.7.6/8", { network: "9.0.0.0", broadcast: "9.255.255.255", netmask: "255.0.0.0", class: "A" }],
  ["10.0.0.2/31", { firstUsable: "10.0.0.2", lastUsable: "10.0.0.3", usable: "2", broadcast: null }],
  ["10.0.0.2/32", { firstUsable: "10.0.0.2", lastUsable: "10.0.0.2", usable: "1", broadcast: null }],
  ["10.0.0.2", { cidr: "10.0.0.2/32", reverseZone: "2.0.0.10.in-addr.arpa" }],
  ["10.0.0.5/30", { firstUsable: "10.0.0.5", lastUsable: "10.0.0.6", usable: "2", broadcast: "10.0.0.7" }],
  [
    "10.1.2.3/255.255.240.0",
    { cidr: "10.1.0.0/20", wildcard: "0.0.15.255", reverseZone: "1.10.in-addr.arpa" },
  ],
  ["10.1.2.3 255.255.255.0", { prefix: 24 }],
  ["10.1.2.0/0.0.0.255", { prefix: 24, wildcard: "0.0.0.255" }],
  ["10.1.2.0/0.0.0.0", { prefix: 0 }],
  ["3232235777", { address: "192.168.1.1", integer: "3232235777", prefix: 32 }],
  ["0xC0A80101", { address: "192.168.1.1" }],
  ["42540766411282592856903984951653826561", { address: "2001:db8::1" }],
  // A purpose is that of the whole network (RFC 6890).
  ["0.0.0.0/1", { purpose: "several" }],
  ["0.1.2.3/8", { purpose: "this network" }],
  ["10.0.0.0/7", { purpose: "several" }],
  ["8.0.0.0/8", { purpose: "global" }],
  ["::/0", { addresses: "340282366920938463463374607431768211456", netmask: "::", purpose: "several" }],
  [
    "2001:db8::5/64",
    { network: "2001:db8::", firstUsable: "2001:db8::1", usable: "18446744073709551615", broadcast: null },
  ],
  ["2001:db8::2/127", { firstUsable: "2001:db8::2", lastUsable: "2001:db8::3", usable: "2" }],
  ["2001:db8::2/128", { usable: "1", addresses: "1" }],
  ["fe80::1%eth0", { address: "fe80::1", zone: "eth0", purpose: "link-local" }],
  ["::ffff:192.0.2.1", { address: "::ffff:192.0.2.1", version: 6, purpose: "IPv4-mapped" }],
  ["1:0:0:2:0:0:0:3", { address: "1:0:0:2::3" }],
  ["1:0:0:2:3:0:0:4", { address: "1::2:3:0:0:4" }],
  ["1:2:3:4:5:6:0:8", { address: "1:2:3:4:5:6:0:8" }],
  ["172.31.0.1/12\n", { purpose: "private", class: "B" }],
])("%s", async (data, wanted) => {
  expect(await calculate(data)).toMatchObject(wanted);
});

test.each([
  ["010.0.0.1", 0],
  ["10.0.0.08", 7],
  ["10.0.0.256", 7],
  ["10.0.0", 0],
  ["10.0.0.1.2", 0],
  ["10.0.0.1/33", 9],
  ["10.0.0.1/08", 9],
  ["10.0.0.1/-1", 9],
  ["10.0.0.1/255.0.255.0", 9],
  ["10.0.0.1/255.0.0.256", 17],
  ["10.0.0.1/", 9],
  ["10.0.0.1/ 8", 9],
  [" 10.0.0.1", 0],
  ["0x7f.0.0.1", 0],
  ["340282366920938463463374607431768211456", 0],
  ["1111", 0],
  ["", 0],
  ["::1/129", 4],
  ["::1/255.0.0.0", 4],
  ["1::2::3", 4],
  ["1:2:3", 0],
  ["1:2:3:4:5:6:7:8:9", 0],
  ["1:2:3:4:5:6:7:8::", 0],
  ["::12345", 2],
  ["::1.2.3.04", 8],
  ["1.2.3.4::", 0],
  ["fe80::1%eth0/64", 7],
  ["fe80::1%", 7],
])("%j is refused at %i", async (data, offset) => {
  expect(await refusalOf(calculate(data))).toMatchObject({ code: "invalid_document", offset });
});

test("accepts the same addresses as Node", async () => {
  const part = fc.constantFrom("0", "1", "ffff", "10", "255", "256", "01", ":", "::", ".", "1.2.3.4", "g");
  const text = fc.array(part, { minLength: 1, maxLength: 16 }).map((parts) => parts.join(""));
  // A whole number is an address here, and an address may have a port, which Node does not read.
  const address = fc.oneof(text, fc.ipV4(), fc.ipV6()).filter((data) => !/^\d+$|^[\d.]+:\d{1,5}$/.test(data));
  await fc.assert(
    fc.asyncProperty(address, async (data) => {
      const found = await calculate(data).catch(() => ({ version: 0, address: "" }));
      expect(found["version"]).toBe(isIP(data));
      // Its output is read as the same network.
      if (found["version"] !== 0) expect(await calculate(String(found["address"]))).toMatchObject(found);
    }),
  );
});

test.each([
  [{ data: "10.0.0.0/30", split: 32 }, "10.0.0.0/32\n10.0.0.1/32\n10.0.0.2/32\n10.0.0.3/32"],
  [{ data: "10.0.0.9/30", split: 30 }, "10.0.0.8/30"],
  [{ data: "2001:db8::/32", split: 33 }, "2001:db8::/33\n2001:db8:8000::/33"],
  [{ data: "10.0.0.0/24", exclude: ["10.0.0.0/25"] }, "10.0.0.128/25"],
  [{ data: "10.0.0.0/29", exclude: ["10.0.0.3"] }, "10.0.0.0/31\n10.0.0.2/32\n10.0.0.4/30"],
  [{ data: "10.0.0.0/30", exclude: ["9.0.0.0/8", "10.0.0.2/31", "10.0.0.3", "::/0"] }, "10.0.0.0/31"],
  [{ data: "10.0.0.0/24", exclude: ["0.0.0.0/0"] }, ""],
  [{ data: "0.0.0.0/0", exclude: ["0.0.0.0/1"] }, "128.0.0.0/1"],
])("%j", async (input, result) => {
  expect(await runTool(tool, input)).toBe(result);
});

test.each([
  [{ data: "10.0.0.0/24", split: 23 }, "split must be 24 to 32"],
  [{ data: "10.0.0.0/24", split: 64 }, "split must be 24 to 32"],
  [{ data: "::/0", split: 128 }, "more than 65536 networks"],
  [{ data: "10.0.0.0/24", exclude: ["10.0.0"] }, "exclude"],
])("refuses %j", async (input, message) => {
  expect((await refusalOf(runTool(tool, input))).message).toContain(message);
});

test("takes an address with a port, and names the tool for a range", async () => {
  for (const data of ["10.0.0.5:80", "[2001:db8::1]:443", "[2001:db8::1]"])
    expect(await calculate(data)).toMatchObject({
      address: data.startsWith("1") ? "10.0.0.5" : "2001:db8::1",
    });
  for (const data of [
    "10.0.0.0-10.0.0.9",
    "10.0.0.1 – 10.0.0.9",
    "10.0.0.1-9",
    "2001:db8::-2001:db8::9",
    "10.0.*.*",
  ])
    expect((await refusalOf(calculate(data))).message).toContain("ip-range-to-cidr");
});
