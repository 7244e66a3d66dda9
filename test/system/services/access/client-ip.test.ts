import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { bucketOf, createClientIp } from "../../../../src/services/access/client-ip.ts";

const trustedProxies = ["10.0.0.0/8", "fd00::/8", "192.0.2.7", "unix"];
const xff = createClientIp({ trustedProxies, proxyHeader: "X-Forwarded-For" });
const nobody = createClientIp({ trustedProxies: [], proxyHeader: "X-Forwarded-For" });

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;

describe("X-Forwarded-For", () => {
  test.each<[string, string | undefined, string | undefined, string]>([
    ["no header", "10.0.0.1", undefined, "10.0.0.1"],
    ["a peer that is no proxy is not believed", "203.0.113.9", "198.51.100.1", "203.0.113.9"],
    ["one hop", "10.0.0.1", "198.51.100.1", "198.51.100.1"],
    ["what the client wrote itself is ignored", "10.0.0.1", "6.6.6.6, 198.51.100.1", "198.51.100.1"],
    ["a chain of proxies", "10.0.0.1", "6.6.6.6, 198.51.100.1, 10.1.1.1, 192.0.2.7", "198.51.100.1"],
    ["all of them trusted: the farthest", "10.0.0.1", "10.3.3.3, 10.2.2.2", "10.3.3.3"],
    ["junk ends the walk at the last good hop", "10.0.0.1", "198.51.100.1, unknown, 10.2.2.2", "10.2.2.2"],
    ["junk alone", "10.0.0.1", "unknown", "10.0.0.1"],
    ["empty", "10.0.0.1", "", "10.0.0.1"],
    ["an empty hop is junk", "10.0.0.1", "198.51.100.1,,10.2.2.2", "10.2.2.2"],
    ["a port", "10.0.0.1", "198.51.100.1:4711", "198.51.100.1"],
    ["IPv6 in brackets with a port", "10.0.0.1", "[2001:db8::1]:443", "2001:db8::1"],
    ["a zone", "10.0.0.1", "fe80::1%eth0", "fe80::1"],
    ["IPv4 mapped into IPv6, dotted", "::ffff:10.0.0.1", "::ffff:198.51.100.1", "198.51.100.1"],
    ["IPv4 mapped into IPv6, in hex", "::ffff:0a00:0001", "::ffff:c633:6401", "198.51.100.1"],
    ["an IPv6 address that only looks mapped", "10.0.0.1", "0:0:0:0:1:ffff:c633:6401", "::1:ffff:c633:6401"],
    ["another spelling of an address", "10.0.0.1", "2001:0DB8:0:0:0:0:0:00A1", "2001:db8::a1"],
    ["spaces and tabs", "10.0.0.1", "6.6.6.6,\t 198.51.100.1 \t", "198.51.100.1"],
    ["a no-break space is junk", "10.0.0.1", "6.6.6.6,\u00a0198.51.100.1", "10.0.0.1"],
    ["a peer in another spelling", "2001:DB8:0::0:1", undefined, "2001:db8::1"],
    ["an octal look-alike is junk", "10.0.0.1", "010.0.0.1", "10.0.0.1"],
    ["a hexadecimal look-alike is junk", "10.0.0.1", "0x7f.1", "10.0.0.1"],
    ["a Unix socket that is trusted", undefined, "198.51.100.1", "198.51.100.1"],
    ["a Unix socket without a header", undefined, undefined, "unix"],
  ])("%s", (_, peer, header, client) => {
    expect(xff(peer, header)).toBe(client);
    expect(xff(peer, header)).toBe(client);
  });

  test("by default no proxy is trusted", () => {
    expect(nobody("10.0.0.1", "198.51.100.1")).toBe("10.0.0.1");
    expect(nobody("::ffff:10.0.0.1", "198.51.100.1")).toBe("10.0.0.1");
    expect(nobody(undefined, "198.51.100.1")).toBe("unix");
  });

  test("only the last 32 hops are walked", () => {
    const chain = ["198.51.100.1", ...Array.from({ length: 40 }, (_, n) => `10.0.0.${n + 1}`)].join(", ");
    expect(xff("10.0.0.1", chain)).toBe("10.0.0.9");
  });

  test("a client behind a proxy cannot choose its address, whatever it sends", () => {
    fc.assert(
      fc.property(fc.string(), (invented) => {
        const client = createClientIp({ trustedProxies, proxyHeader: "x-forwarded-for" });
        expect(client("10.0.0.1", `${invented}, 198.51.100.1`)).toBe("198.51.100.1");
      }),
    );
  });
});

describe("Forwarded (RFC 7239)", () => {
  const forwarded = createClientIp({ trustedProxies, proxyHeader: "Forwarded" });

  test.each<[string, string]>([
    ["for=198.51.100.1", "198.51.100.1"],
    ['for=6.6.6.6, For="[2001:db8::1]:4711";proto=https;by=10.0.0.1', "2001:db8::1"],
    ["proto=https;for=198.51.100.1:80", "198.51.100.1"],
    ["for=198.51.100.1, for=_hidden", "10.0.0.1"],
    ["for=198.51.100.1, proto=http", "10.0.0.1"],
    ["198.51.100.1", "10.0.0.1"],
    ["for=[2001:DB8:0::1]", "2001:db8::1"],
    ['for="[2001:db8::1]:_port.1"', "2001:db8::1"],
    ["for=198.51.100.1:_port", "198.51.100.1"],
    ["for=198.51.100.1; proto=https", "198.51.100.1"],
    [";for=198.51.100.1;;", "198.51.100.1"],
    ["for=6.6.6.6,for=198.51.100.1", "198.51.100.1"],
    ["for=6.6.6.6,, for=10.2.2.2", "10.2.2.2"],
    ['for="198.51.100\\.1"', "198.51.100.1"],
    ["FOR=198.51.100.1", "198.51.100.1"],
  ])("%s", (header, client) => {
    expect(forwarded("10.0.0.1", header)).toBe(client);
  });

  test.each<[string, string]>([
    ['for=198.51.100.1;host="a,for=6.6.6.6"', "198.51.100.1"],
    ['for=198.51.100.1;host="a;for=6.6.6.6"', "198.51.100.1"],
    ['host="a,for=6.6.6.6";for=198.51.100.1', "198.51.100.1"],
    ['for=198.51.100.1;host="a\\",for=6.6.6.6;b=\\""', "198.51.100.1"],
    // What the caller sent is before the element of the proxy.
    ['for=6.6.6.6;host=", for=198.51.100.1', "10.0.0.1"],
    ['for=6.6.6.6;a=b", for=198.51.100.1;host=",for=6.6.6.6;c=""', "10.0.0.1"],
    ['for=6.6.6.6;a="b"c, for=198.51.100.1', "10.0.0.1"],
    ['"a", for=198.51.100.1', "10.0.0.1"],
    ["junk, for=198.51.100.1", "198.51.100.1"],
    ["for=6.6.6.6;for=7.7.7.7, for=198.51.100.1", "198.51.100.1"],
  ])("a caller cannot choose its address: %s", (header, client) => {
    expect(forwarded("10.0.0.1", header)).toBe(client);
  });

  test.each([
    "for=198.51.100.1;for=198.51.100.2",
    "for=198.51.100.1;For=198.51.100.1",
    "for=198.51.100.1;proto=http;proto=https",
    'for=198.51.100.1;host=a;HOST="b"',
  ])("a parameter that is repeated makes the hop unknown: %s", (header) => {
    expect(forwarded("10.0.0.1", header)).toBe("10.0.0.1");
  });

  test("a client behind a proxy cannot choose its address, whatever it sends", () => {
    const text = fc.string({ unit: fc.constantFrom(...'forbyhst=;, "\\.:[]16789\t'), maxLength: 60 });
    fc.assert(
      fc.property(text, text, (sent, host) => {
        const quoted = `"${host.replaceAll(/["\\]/g, String.raw`\$&`)}"`;
        const client = createClientIp({ trustedProxies, proxyHeader: "Forwarded" });
        const header = `for=6.6.6.6;by=${sent}, for=198.51.100.1;host=${quoted};proto=https`;
        expect(["198.51.100.1", "10.0.0.1"]).toContain(client("10.0.0.1", header));
        expect(client("10.0.0.1", `for=198.51.100.1;host=${quoted}`)).toBe("198.51.100.1");
      }),
    );
  });
});

test("a header of an extreme length is parsed like any other, and not retained", () => {
  const client = createClientIp({ trustedProxies, proxyHeader: "X-Forwarded-For" });
  const asked = (count: number) => {
    for (let at = 0; at < count; at++) {
      const hop =
        at % 2 ? `2001:db8:${at.toString(16)}::1` : `198.151.${100 + (at % 100)}.${100 + (at >> 5)}`;
      expect(client("10.0.0.1", `${at}${"x".repeat(15_000)}, ${hop}`)).toBe(hop);
      bucketOf(hop);
    }
  };
  const heap = () => {
    collect();
    return process.memoryUsage().heapUsed;
  };
  asked(10);
  const before = heap();
  asked(4_000);
  // 60 MB.
  expect(heap() - before).toBeLessThan(10_000_000);
});

describe("buckets", () => {
  test.each<[string, string, boolean]>([
    ["2001:db8:1:2::1", "2001:db8:1:2:ffff:ffff:ffff:ffff", true],
    ["2001:db8:1:2::1", "2001:DB8:0001:0002:0:0:0:9", true],
    ["2001:db8:1:2::1", "2001:db8:1:3::1", false],
    ["2001:db8::1", "2001:db8:0:1::1", false],
    ["198.51.100.1", "::ffff:198.51.100.1", true],
    ["198.51.100.1", "198.51.100.2", false],
    ["::1", "::2", true],
    ["::1", "127.0.0.1", false],
    ["unix", "", false],
  ])("%s and %s: the same is %s", (a, b, same) => {
    expect(bucketOf(a) === bucketOf(b)).toBe(same);
  });

  test("are hex, whatever their input is", () => {
    fc.assert(
      fc.property(fc.oneof(fc.ipV4(), fc.ipV6(), fc.string()), (ip) => {
        expect(bucketOf(ip)).toMatch(/^[0-9a-f]{2,96}$/);
      }),
    );
    expect(bucketOf("198.51.100.1")).toBe("c6336401");
    expect(bucketOf("2001:db8:1:2::1")).toBe("20010db800010002");
  });
});
