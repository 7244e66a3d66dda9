import * as node from "node:crypto";
import { isUtf8 } from "node:buffer";
import { domainToASCII } from "node:url";
import { crc32 } from "node:zlib";
import { assert, base64String, oneof, property, string, uint8Array } from "fast-check";
import { describe, expect, test } from "vitest";
import * as buffer from "../../../src/polyfill/buffer.ts";
import * as crypto from "../../../src/polyfill/crypto.ts";
import { URL as Polyfill, domainToASCII as toASCII } from "../../../src/polyfill/url.ts";
import * as zlib from "../../../src/polyfill/zlib.ts";
import { digests } from "../../../src/lib/digests.ts";
import { atHand, readCorpus } from "../corpora/corpus.ts";
import { anyCharacter } from "../../support/any-character.ts";

// The replacements of Node's modules in a tab return what these return.
const keccak = ["keccak-224", "keccak-256", "keccak-384", "keccak-512"];
/** Around the block sizes of all functions. */
const lengths = [
  0, 1, 3, 55, 56, 63, 64, 65, 71, 72, 103, 104, 111, 112, 119, 120, 127, 128, 129, 135, 136, 143, 144, 1000,
];
const bytesOf = (length: number): Uint8Array => Uint8Array.from({ length }, (_, index) => index * 7);

describe("node:crypto", () => {
  test.each([...digests, ...keccak])("hash and createHash: %s", (name) => {
    for (const length of lengths) {
      const data = bytesOf(length);
      expect(crypto.hash(name, data)).toBe(node.hash(name, data));
      const halves = crypto
        .createHash(name)
        .update(data.subarray(0, length >> 1))
        .update(data.subarray(length >> 1));
      expect(halves.digest("base64url")).toBe(node.hash(name, data, "base64url"));
    }
  });

  test.each(digests)("createHmac: %s", (name) => {
    for (const length of lengths) {
      const key = bytesOf(length);
      expect(crypto.createHmac(name, key).update("abc").digest("hex")).toBe(
        node.createHmac(name, key).update("abc").digest("hex"),
      );
    }
  });

  test.each(["shake128", "shake256"])("%s of any length", (name) => {
    for (const outputLength of [1, 32, 64, 200, 1024]) {
      const options = { outputEncoding: "hex", outputLength } as const;
      expect(crypto.hash(name, "abc", options)).toBe(node.hash(name, "abc", options));
    }
  });

  test("timingSafeEqual", () => {
    expect(crypto.timingSafeEqual(bytesOf(3), bytesOf(3))).toBe(true);
    expect(crypto.timingSafeEqual(bytesOf(3), Uint8Array.of(0, 7, 15))).toBe(false);
    expect(() => crypto.timingSafeEqual(bytesOf(3), bytesOf(4))).toThrow(RangeError);
  });

  test("a name of no function is an error", () => {
    expect(() => crypto.hash("md4", "")).toThrow("Digest method not supported: md4");
  });
});

describe("Buffer", () => {
  const text = oneof(string({ unit: anyCharacter }), string({ unit: "grapheme" }), base64String());
  const encodings = ["utf8", "latin1", "hex", "base64", "base64url", "utf16le"] as const;

  test.each(encodings)("texts and bytes in %s", (encoding) => {
    // Node decodes the lower byte of a character beyond U+00FF.
    const coded = /^(?:hex|base64)/.test(encoding)
      ? text.map((one) => one.replaceAll(/[^\0-\x7F]/g, ""))
      : text;
    assert(
      property(coded, uint8Array({ maxLength: 300 }), (one, bytes) => {
        expect([...buffer.Buffer.from(one, encoding)]).toEqual([...Buffer.from(one, encoding)]);
        expect(buffer.Buffer.from(bytes).toString(encoding)).toBe(Buffer.from(bytes).toString(encoding));
      }),
    );
  });

  test("sizes, comparisons and searches", () => {
    assert(
      property(text, uint8Array({ maxLength: 40 }), uint8Array({ maxLength: 3 }), (one, bytes, part) => {
        expect(buffer.Buffer.byteLength(one)).toBe(Buffer.byteLength(one));
        expect(buffer.isUtf8(bytes)).toBe(isUtf8(bytes));
        expect(buffer.Buffer.compare(bytes, part)).toBe(Buffer.compare(bytes, part));
        expect(buffer.Buffer.from(bytes).indexOf(part)).toBe(Buffer.from(bytes).indexOf(part));
        expect(buffer.Buffer.concat([bytes, part]).equals(Uint8Array.of(...bytes, ...part))).toBe(true);
        expect(zlib.crc32(bytes)).toBe(crc32(bytes));
      }),
    );
  });

  test("a part is a view, and numbers are read and written at an offset in it", () => {
    const whole = buffer.Buffer.alloc(24);
    const part = whole.subarray(4);
    part.writeUInt32BE(0xde_ad_be_ef, 2);
    part.writeUInt32LE(0x01_02_03_04, 6);
    part.writeBigUInt64BE(0x01_02_03_04_05_06_07_08n, 10);
    expect(part).toBeInstanceOf(buffer.Buffer);
    expect([whole.readUInt32BE(6), part.readUInt16BE(2), part.readUIntBE(2, 3)]).toEqual([
      0xde_ad_be_ef, 0xde_ad, 0xde_ad_be,
    ]);
    expect([part.readUInt32LE(6), whole.toString("hex", 14)]).toEqual([
      0x01_02_03_04,
      "01020304050607080000",
    ]);
    expect(part.write("äbc", 18, "utf8")).toBe(2);
    expect(buffer.Buffer.from(part.buffer, 22, 2).toString()).toBe("ä");
    expect(part.copy(whole, 0, 0, 2)).toBe(2);
    expect(part.equals(whole.subarray(4))).toBe(true);
  });
});

describe("node:url", () => {
  test.skipIf(!atHand)("parses the URLs of a third-party suite as Node does (1522 cases of wpt-url)", () => {
    const members = [
      "href",
      "origin",
      "protocol",
      "username",
      "password",
      "host",
      "hostname",
      "port",
      "pathname",
      "search",
      "hash",
    ] as const;
    const partsOf = (url: Pick<URL, (typeof members)[number]> | null) =>
      url && members.map((name) => url[name]);
    const differing = readCorpus("wpt-url").flatMap(({ slug, input }) => {
      const data = String(input["data"]);
      const base = input["base"] === undefined ? undefined : String(input["base"]);
      // Rows of domains, too.
      const pairs = [[data, base] as const, [`https://${data}/x`, undefined] as const];
      const isSame = pairs.every(
        ([text, from]) =>
          JSON.stringify(partsOf(URL.parse(text, from))) ===
          JSON.stringify(partsOf(Polyfill.parse(text, from))),
      );
      const isDomain = slug === "idn-to-ascii";
      return isSame && (!isDomain || domainToASCII(data) === toASCII(data)) ? [] : [data];
    });
    expect(differing).toEqual([]);
  });

  test.each(["example.com", "bücher.example", "☃.net", "a b", "xn--bcher-kva", "", "１.２.３.４"])(
    "domainToASCII of %j",
    (name) => {
      expect(toASCII(name)).toBe(domainToASCII(name));
    },
  );
});
