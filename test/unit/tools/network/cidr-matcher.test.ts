import * as fc from "fast-check";
import { BlockList } from "node:net";
import { expect, test } from "vitest";
import { TooMuchInline } from "../../../../src/catalog/inline.ts";
import matcher from "../../../../src/tools/network/cidr-matcher.ts";
import { context, refusalOf, runTool } from "../run-tool.ts";

interface Match {
  ip: string;
  matched: boolean;
  cidrs: string[];
}

const match = async (data: string, cidrs: string[]): Promise<Match[]> =>
  (JSON.parse(await runTool(matcher, { data, cidrs })) as { items: Match[] }).items;

const octets = fc.integer({ min: 0, max: 0xffffffff }).map(
  // oxlint-disable-next-line unicorn/prefer-math-trunc
  (value) => [24, 16, 8, 0].map((shift) => (value >>> shift) & 255).join("."),
);

test("takes at most ten thousand networks", async () => {
  const cidrs = (count: number): string[] => Array.from({ length: count }, () => "::/0");
  expect(await match("::1", cidrs(10_000))).toMatchObject([{ matched: true }]);
  expect(await refusalOf(runTool(matcher, { data: "::1", cidrs: cidrs(10_001) }))).toMatchObject({
    code: "invalid_input",
  });
});

test("the narrowest first, each once, as written by the caller", async () => {
  const cidrs = ["0.0.0.0/0", "10.0.0.5/8", "10.0.0.0/8", "10.1.0.0/255.255.0.0", "::/0"];
  expect(await match("10.1.2.3\n\n  11.0.0.0 \r\n::1", cidrs)).toEqual([
    { ip: "10.1.2.3", matched: true, cidrs: ["10.1.0.0/255.255.0.0", "10.0.0.5/8", "0.0.0.0/0"] },
    { ip: "11.0.0.0", matched: true, cidrs: ["0.0.0.0/0"] },
    { ip: "::1", matched: true, cidrs: ["::/0"] },
  ]);
});

test("an address may have a port", async () => {
  const data = "10.1.2.3:443\n[2001:db8::1]:443\n[2001:db8::1]";
  expect(await match(data, ["10.0.0.0/8", "2001:db8::/32"])).toEqual([
    { ip: "10.1.2.3:443", matched: true, cidrs: ["10.0.0.0/8"] },
    { ip: "[2001:db8::1]:443", matched: true, cidrs: ["2001:db8::/32"] },
    { ip: "[2001:db8::1]", matched: true, cidrs: ["2001:db8::/32"] },
  ]);
  expect(await refusalOf(runTool(matcher, { data: "[::g]:1", cidrs: ["::/0"] }))).toMatchObject({
    code: "invalid_document",
    column: 4,
  });
});

test("agrees with Node on which addresses are listed", async () => {
  await fc.assert(
    fc.asyncProperty(octets, octets, fc.integer({ min: 0, max: 32 }), async (ip, network, prefix) => {
      const list = new BlockList();
      list.addSubnet(network, prefix, "ipv4");
      const [found] = await match(ip, [`${network}/${prefix}`]);
      expect(found?.matched).toBe(list.check(ip, "ipv4"));
      const [mapped] = await match(`::ffff:${ip}`, [`${network}/${prefix}`]);
      expect(mapped?.matched).toBe(found?.matched);
    }),
  );
});

test("for nested networks each address lists every network that contains it, the narrowest first", async () => {
  const byte = fc.constantFrom(0, 1, 2, 127, 128, 254, 255);
  const ip = fc.tuple(byte, byte, byte, byte).map((bytes) => bytes.join("."));
  const network = fc.record({ ip, prefix: fc.integer({ min: 0, max: 32 }) });
  const toNumber = (text: string): number =>
    text.split(".").reduce((value, part) => value * 256 + Number(part), 0);
  const holds = (of: { ip: string; prefix: number }, address: string): boolean => {
    const size = 2 ** (32 - of.prefix);
    return Math.floor(toNumber(of.ip) / size) === Math.floor(toNumber(address) / size);
  };
  await fc.assert(
    fc.asyncProperty(
      fc.array(network, { minLength: 1, maxLength: 20 }),
      fc.array(ip, { minLength: 1, maxLength: 20 }),
      async (networks, addresses) => {
        const cidrs = networks.map((one) => `${one.ip}/${one.prefix}`);
        const items = await match(addresses.join("\n"), cidrs);
        for (const [order, address] of addresses.entries()) {
          const found = networks.filter((one) => holds(one, address)).toSorted((a, b) => b.prefix - a.prefix);
          // The first of equal networks is reported.
          const unique = found.filter((one, index) => index === 0 || found[index - 1]?.prefix !== one.prefix);
          expect(items[order]?.cidrs).toEqual(unique.map((one) => `${one.ip}/${one.prefix}`));
        }
      },
    ),
    { seed: 3 },
  );
});

test("a bad line is an error of the document, a bad network one of the call", async () => {
  expect(await refusalOf(match("1.2.3.4\n x", ["::/0"]))).toMatchObject({
    code: "invalid_document",
    line: 2,
    column: 2,
  });
  expect(await refusalOf(match("1.2.3.4", ["::/0", "1.2.3.4/33"]))).toMatchObject({
    code: "invalid_input",
    pointer: "/cidrs",
  });
});

test("many lines in many networks are refused early", async () => {
  const cidrs = Array.from({ length: 129 }, (_, prefix) => `::/${prefix}`);
  const refusal = await refusalOf(match("::\n".repeat(5000), cidrs));
  expect(refusal).toMatchObject({
    code: "invalid_document",
    message: expect.stringContaining("500000") as string,
  });
  expect((await refusalOf(match("::\n".repeat(100_001), ["1.0.0.0/8"]))).line).toBe(100_001);
});

test("a call too expensive for the event loop runs elsewhere", async () => {
  const inline = { ...context, inlineResultBytes: 1_048_576 };
  const call = (lines: number) => matcher.run({ data: "::1\n".repeat(lines), cidrs: ["::/0"] }, inline);
  expect(await call(2000)).toContain('"matched": true');
  expect(() => call(2001)).toThrow(TooMuchInline);
});
