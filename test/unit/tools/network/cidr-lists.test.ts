import * as fc from "fast-check";
import { BlockList } from "node:net";
import { describe, expect, test } from "vitest";
import { TooMuchInline } from "../../../../src/catalog/inline.ts";
import calculator from "../../../../src/tools/network/cidr-calculator.ts";
import matcher from "../../../../src/tools/network/cidr-matcher.ts";
import toCidr from "../../../../src/tools/network/ip-range-to-cidr.ts";
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

describe("cidr-matcher", () => {
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
            const found = networks
              .filter((one) => holds(one, address))
              .toSorted((a, b) => b.prefix - a.prefix);
            // Of equal networks the first is reported.
            const unique = found.filter(
              (one, index) => index === 0 || found[index - 1]?.prefix !== one.prefix,
            );
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
});

describe("ip-range-to-cidr", () => {
  test.each([
    ["10.0.0.1", "10.0.0.1/32"],
    ["10.0.0.1 – 10.0.0.2", "10.0.0.1/32\n10.0.0.2/32"],
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
});

describe("parts of networks", () => {
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
    expect(await runTool(calculator, input)).toBe(result);
  });

  test.each([
    [{ data: "10.0.0.0/24", split: 23 }, "split must be 24 to 32"],
    [{ data: "10.0.0.0/24", split: 64 }, "split must be 24 to 32"],
    [{ data: "::/0", split: 128 }, "more than 65536 networks"],
    [{ data: "10.0.0.0/24", exclude: ["10.0.0"] }, "exclude"],
  ])("refuses %j", async (input, message) => {
    expect((await refusalOf(runTool(calculator, input))).message).toContain(message);
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
});
