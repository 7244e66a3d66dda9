import * as fc from "fast-check";
import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import {
  createKey,
  hashKey,
  isKey,
  keyPrefix,
  recordIdFrom,
  recordIdOf,
} from "../../../../src/services/access/key-format.ts";

const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const bytes = fc.uint8Array({ minLength: 400, maxLength: 400 });

function keyFrom(seed: Uint8Array): string {
  let at = 0;
  return createKey((count) => {
    // Once the seed is used up: rejected values must not loop for ever.
    const part = seed.slice(at, (at += count));
    return part.length === count ? part : new Uint8Array(count).fill(7);
  });
}

test("every key has the form that a scanner looks for, and validates", () => {
  fc.assert(
    fc.property(bytes, (seed) => {
      const key = keyFrom(seed);
      expect(key).toMatch(/^svc_live_[0-9A-Za-z]{38}$/);
      expect(isKey(key)).toBe(true);
    }),
  );
});

test("every change of a single character is found by shape or checksum", () => {
  fc.assert(
    fc.property(
      bytes,
      fc.nat(46),
      fc.constantFrom(...alphabet, "_", "-", " ", "é"),
      (seed, at, character) => {
        const key = keyFrom(seed);
        fc.pre(key[at] !== character);
        expect(isKey(key.slice(0, at) + character + key.slice(at + 1))).toBe(false);
      },
    ),
    { numRuns: 500 },
  );
});

test("a missing part, or an extra one", () => {
  const key = keyFrom(new Uint8Array(400).fill(3));
  for (const text of [
    "",
    keyPrefix,
    key.slice(0, -1),
    key.slice(1),
    `${key}0`,
    `${key}\n`,
    ` ${key}`,
    key.toUpperCase(),
  ]) {
    expect(isKey(text)).toBe(false);
  }
});

test("the checksum is CRC-32 in base62, as anyone can compute it", () => {
  // 32 zeros: crc32("svc_live_" + "0" × 32) by zlib, Python or cksum -o3 alike.
  const body = keyPrefix + "0".repeat(32);
  let crc = ~0;
  for (const byte of Buffer.from(body)) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  let rest = BigInt(~crc >>> 0);
  let digits = "";
  for (let i = 0; i < 6; i++) {
    digits = alphabet[Number(rest % 62n)] + digits;
    rest /= 62n;
  }
  expect(createKey(() => new Uint8Array(32))).toBe(body + digits);
});

test("no character is more likely than another: bytes beyond the last multiple of 62 are skipped", () => {
  const bytesOf = [Uint8Array.from({ length: 32 }, (_, n) => 248 + (n % 8)), new Uint8Array(32).fill(247)];
  const key = createKey(() => bytesOf.shift() ?? new Uint8Array(32));
  expect(key.slice(9, 41)).toBe("z".repeat(32));
  const each = createKey((count) => Uint8Array.from({ length: count }, (_, n) => n * 2));
  expect(each.slice(9, 41)).toBe("02468ACEGIKMOQSUWYacegikmoqsuwy0");
});

test("ids derive from the hash and lead back to the record", () => {
  const hash = hashKey("svc_live_x");
  expect(hash).toBe(createHash("sha256").update("svc_live_x").digest("hex"));
  expect(recordIdFrom(`key_${recordIdOf(hash)}`)).toBe(hash.slice(0, 20));
  for (const text of ["key_", "key_../../../etc/passwd", `key_${"A".repeat(20)}`, `key_${"a".repeat(21)}`]) {
    expect(recordIdFrom(text)).toBeUndefined();
  }
});
