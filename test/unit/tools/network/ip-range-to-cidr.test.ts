import * as fc from "fast-check";
import { BlockList } from "node:net";
import { expect, test } from "vitest";
import { TooMuchInline } from "../../../../src/catalog/inline.ts";
import toCidr from "../../../../src/tools/network/ip-range-to-cidr.ts";
import { context, refusalOf, runTool } from "../run-tool.ts";

const octets = fc.integer({ min: 0, max: 0xffffffff }).map(
  // oxlint-disable-next-line unicorn/prefer-math-trunc
  (value) => [24, 16, 8, 0].map((shift) => (value >>> shift) & 255).join("."),
);

test.each([
  ["10.0.0.1", "10.0.0.1/32"],
  ["10.0.0.1 – 10.0.0.2", "10.0.0.1/32\n10.0.0.2/32"],
  ["10.0.0.4-7", "10.0.0.4/30"],
  ["10.0.0.0 255.255.255.0\n10.0.1.0 0.0.0.255\n10.0.2.0/0.0.0.255", "10.0.0.0/24\n10.0.1.0/24\n10.0.2.0/24"],
  ["10.0.0.5:80\n[2001:db8::1]:443", "10.0.0.5/32\n2001:db8::1/128"],
  ["192.168.*.*", "192.168.0.0/16"],
  ["10.*.*.*\n10.1.2.*", "10.0.0.0/8\n10.1.2.0/24"],
  ["10.0.0.0-10.0.0.0", "10.0.0.0/32"],
  ["0.0.0.0-255.255.255.255", "0.0.0.0/0"],
  ["0.0.0.0-255.255.255.254", Array.from({ length: 32 }, (_, index) => index + 1)],
  ["::-ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "::/0"],
  ["127.255.255.255-128.0.0.0", "127.255.255.255/32\n128.0.0.0/32"],
  ["1.1.1.1 - 1.1.1.2\n\n::1-::2\n", "1.1.1.1/32\n1.1.1.2/32\n::1/128\n::2/128"],
])("%j", async (data, wanted) => {
  const result = await runTool(toCidr, { data });
  if (typeof wanted === "string") expect(result).toBe(wanted);
  else expect(result.split("\n").map((cidr) => Number(cidr.split("/")[1]))).toEqual(wanted);
});

test.each([
  ["1.2.3.4-1.2.3.3", 8],
  ["1.2.3.4-::1", 8],
  ["1.2.3.4-", 8],
  ["1.2.3.4-3", 8],
  ["1.2.3.4-256", 8],
  ["10.0.0.0 255.0.255.0", 9],
  ["10.*.1.*", 3],
  ["1.2.3.4\n1.2.3.04", 14],
  ["", 0],
  ["fe80::1%a-fe80::2", 7],
])("%j is refused", async (data, offset) => {
  expect(await refusalOf(runTool(toCidr, { data }))).toMatchObject({ code: "invalid_document", offset });
});

test("the networks cover the range exactly, without gaps", async () => {
  await fc.assert(
    fc.asyncProperty(octets, octets, async (a, b) => {
      const number = (ip: string): number =>
        ip.split(".").reduce((value, part) => value * 256 + Number(part), 0);
      const [first, last] = number(a) <= number(b) ? [a, b] : [b, a];
      let next = number(first);
      for (const cidr of (await runTool(toCidr, { data: `${first}-${last}` })).split("\n")) {
        const [ip = "", prefix] = cidr.split("/");
        expect(number(ip)).toBe(next);
        next += 2 ** (32 - Number(prefix));
      }
      expect(next).toBe(number(last) + 1);
    }),
  );
});

test("a call too expensive for the event loop runs elsewhere", async () => {
  const inline = { ...context, inlineResultBytes: 1_048_576 };
  const data = (lines: number) => "::1-ffff:ffff:ffff:ffff:ffff:ffff:ffff:fffe\n".repeat(lines);
  expect(String(await toCidr.run({ data: data(11) }, inline)).split("\n")).toHaveLength(11 * 254);
  expect(() => toCidr.run({ data: data(12) }, inline)).toThrow(TooMuchInline);
});

test("the size of the output is limited", async () => {
  const data = "::1-ffff:ffff:ffff:ffff:ffff:ffff:ffff:fffe\n".repeat(1000);
  expect((await refusalOf(runTool(toCidr, { data }))).code).toBe("invalid_document");
});

test.each([
  ["10.0.0.0/24\n10.0.1.0/24", {}, "10.0.0.0/24\n10.0.1.0/24"],
  ["10.0.1.0/24\n10.0.0.0/24\n10.0.0.5", { merge: true }, "10.0.0.0/23"],
  ["::/1\n8000::/1\n1.1.1.1", { merge: true }, "1.1.1.1/32\n::/0"],
  [
    "10.0.0.0-10.0.0.5\n10.0.0.3-10.0.0.9\n10.0.0.11",
    { merge: true },
    "10.0.0.0/29\n10.0.0.8/31\n10.0.0.11/32",
  ],
])("of %j with %j: %j", async (data, options, result) => {
  expect(await runTool(toCidr, { data, ...options })).toBe(result);
});

test("merged networks cover the same addresses", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(octets, fc.integer({ min: 0, max: 32 })), { minLength: 1, maxLength: 20 }),
      octets,
      async (networks, probe) => {
        const [mine, theirs] = [new BlockList(), new BlockList()];
        const data = networks.map(([address, prefix]) => `${address}/${prefix}`);
        for (const [address, prefix] of networks) theirs.addSubnet(address, prefix);
        const merged = (await runTool(toCidr, { data: data.join("\n"), merge: true })).split("\n");
        for (const one of merged) mine.addSubnet(one.split("/")[0] ?? "", Number(one.split("/")[1]));
        for (const address of [probe, ...networks.map(([one]) => one)])
          expect(mine.check(address)).toBe(theirs.check(address));
      },
    ),
    { numRuns: 200 },
  );
});
