import { execFileSync } from "node:child_process";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { decodeFileName, encodeFileName, showFileName } from "../../../src/lib/file-name.ts";
import { anyCharacter } from "../../support/any-character.ts";

const names = fc.oneof(
  fc.uint8Array({ maxLength: 12 }),
  fc.string({ unit: anyCharacter }).map((text) => Buffer.from(text)),
  // Bytes around the borders of UTF-8: continuation, overlong, surrogates, beyond U+10FFFF.
  fc
    .array(fc.constantFrom(0x41, 0x80, 0xbf, 0xc0, 0xc3, 0xa9, 0xe2, 0x82, 0xed, 0xa0, 0xf0, 0x9f, 0xf5), {
      maxLength: 8,
    })
    .map((bytes) => Buffer.from(bytes)),
);

test("a name keeps its bytes", () => {
  fc.assert(
    fc.property(names, (bytes) => {
      expect(Buffer.from(encodeFileName(decodeFileName(bytes)))).toEqual(Buffer.from(bytes));
    }),
  );
});

test("names that are UTF-8 are ordinary strings, and others are as Python decodes them", () => {
  expect(decodeFileName(Buffer.from("café 😀"))).toBe("café 😀");
  expect(decodeFileName(Buffer.from([0x61, 0xe9, 0x62]))).toBe("a\udce9b");
  // A surrogate half in UTF-8, which is not valid.
  expect(decodeFileName(Buffer.from([0xed, 0xa0, 0x80]))).toBe("\udced\udca0\udc80");
  expect(encodeFileName("café")).toBe("café");
});

test("bash reads a shown name as the name, and two names are never shown alike", () => {
  const plain = names.map((bytes) => decodeFileName(bytes)).filter((name) => !name.includes("\0"));
  const found = fc.sample(plain, 300);
  const quoted = found.map((name) => {
    const shown = showFileName(name);
    if (shown === name) return `'${name.replaceAll("'", String.raw`'\''`)}'`;
    expect(shown).toMatch(/^\$'[^\p{Cc}\p{Cs}]*'$/u);
    return shown;
  });
  const script = Buffer.from(`printf '%s\\0' ${quoted.join(" ")}`);
  const bytes = execFileSync("bash", {
    input: script,
    env: { LC_ALL: "C.UTF-8", PATH: process.env.PATH ?? "" },
  });
  const expected = Buffer.concat(
    found.flatMap((name) => [Buffer.from(encodeFileName(name)), Buffer.from([0])]),
  );
  expect(bytes.equals(expected)).toBe(true);
  expect(showFileName("$'a'")).toBe(String.raw`$'$\'a\''`);
  expect(showFileName("a\nb\udce9\u0085\\")).toBe(String.raw`$'a\nb\xe9\xc2\x85\\'`);
});
