import { hash } from "node:crypto";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import tool from "../../../../src/tools/crypto/checksum-verifier.ts";
import { digests } from "../../../../src/lib/digests.ts";
import { refusalOf, runRaw, runTool } from "../run-tool.ts";

interface Report {
  valid: boolean;
  errors: { rule: string; severity: string }[];
}

const verify = async (input: Record<string, unknown>): Promise<Report> =>
  JSON.parse(await runTool(tool, input)) as Report;

const hex = hash("sha256", "abc");
const sha1 = hash("sha1", "abc");

test.each([
  hex,
  hex.toUpperCase(),
  ` ${hex}\n`,
  `${hex}  abc.txt`,
  `${hex} *abc file.txt\n`,
  `\\${hex}  a\\nb.txt`,
  `SHA256 (abc (1).txt) = ${hex}`,
  `SHA2-256(abc.txt)= ${hex}`,
  `SHA256(abc.txt)= ${hex}`,
  `sha256:${hex}`,
  `SHA-256:${hex}`,
  `sha256-${hash("sha256", "abc", "base64")}`,
  `SHA256          ${hex.toUpperCase()}       C:\\abc.txt`,
  `Algorithm       Hash       Path\n---------       ----       ----\nSHA256          ${hex.toUpperCase()}       C:\\abc.txt\n`,
  `\nAlgorithm : SHA256\nHash      : ${hex.toUpperCase()}\nPath      : C:\\abc.txt\n`,
  `SHA256 hash of abc.txt:\r\n${hex}\r\nCertUtil: -hashfile command completed successfully.\r\n`,
  (hex.match(/../g) ?? []).join(":"),
  (hex.match(/../g) ?? []).join(" "),
  hash("sha256", "abc", "base64"),
  hash("sha256", "abc", "base64url"),
  hash("sha384", "abc", "base64"),
  hash("sha512", "abc"),
  `sha512-256:${hash("sha512-256", "abc")}`,
  `SHA3-256 (abc) = ${hash("sha3-256", "abc")}`,
  `SHA512/256 (abc) = ${hash("sha512-256", "abc")}`,
])("%s is the digest of abc", async (expected) => {
  expect(await verify({ data: "abc", expected })).toEqual({ valid: true, errors: [] });
});

test("md5 and sha1 verify with a warning", async () => {
  const report = await verify({ data: "abc", expected: sha1 });
  expect(report).toMatchObject({ valid: true, errors: [{ rule: "weak-algorithm", severity: "warning" }] });
});

test("a digest of another length than the given algorithm has is refused with the option that infers it", async () => {
  const refusal = await refusalOf(runTool(tool, { data: "abc", expected: sha1, algorithm: "sha256" }));
  expect(refusal).toMatchObject({ code: "invalid_input", pointer: "/expected" });
  expect(refusal.message).toContain("set algorithm to auto");
});

test("a given algorithm takes precedence over the length", async () => {
  const expected = hash("blake2s256", "abc");
  expect((await verify({ data: "abc", expected, algorithm: "blake2s256" })).valid).toBe(true);
  expect((await verify({ data: "abc", expected })).valid).toBe(false);
});

test.each([
  ["nothing of the kind", "/expected"],
  ["", "/expected"],
  [`${hex}00`, "/algorithm"],
  [hex.slice(1), "/expected"],
  [`${hex}  a\nno digest\n`, "/expected"],
  ["# only a comment\n", "/expected"],
  [`md5:${hex}`, "/expected"],
])("%j is refused at %s", async (expected, pointer) => {
  expect(await refusalOf(runTool(tool, { data: "abc", expected }))).toMatchObject({
    code: "invalid_input",
    pointer,
  });
});

describe("a whole checksum file", () => {
  const other = hash("sha256", "other");
  const file = `# penknife 1.0\n\n${other}  dist/other.txt\r\n${hex} *dist/abc.txt\n`;
  const signed = `-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA256\n\n${file}-----BEGIN PGP SIGNATURE-----\n\niQEzBAEBCAAdFiEE4DF4OUZ0oXgLPDNQ\n-----END PGP SIGNATURE-----\n`;
  const bsd = `MD5 (abc.txt) = ${hash("md5", "abc")}\nSHA256 (abc.txt) = ${hex}\nSHA256 (other.txt) = ${other}\n`;

  test.each([
    [file, undefined, []],
    [file, "abc.txt", []],
    [file, "dist/abc.txt", []],
    [file, "other.txt", ["digest-mismatch"]],
    [signed, "abc.txt", []],
    [bsd, "other.txt", ["digest-mismatch"]],
    [bsd, "abc.txt", ["weak-algorithm"]],
    [`\\${hex}  a\\nb.txt\n${other}  c`, "a\nb.txt", []],
    [`${other}  a\n${other}  b`, undefined, ["digest-mismatch"]],
    [`${other}  a\n${hash("sha512", "x")}  b`, undefined, ["digest-mismatch", "digest-mismatch"]],
  ])("%j with the name %j: %j", async (expected, name, rules) => {
    const report = await verify({ data: "abc", expected, ...(name !== undefined && { name }) });
    expect(report.errors.map(({ rule }) => rule)).toEqual(rules);
  });

  test("every line of a name must match", async () => {
    const report = await verify({ data: "abc", expected: `${hex}  a\n${hash("sha512", "x")}  a`, name: "a" });
    expect(report).toMatchObject({ valid: false, errors: [{ rule: "digest-mismatch" }] });
  });

  test("a name that no line has is refused with those that are there", async () => {
    const refusal = await refusalOf(runTool(tool, { data: "abc", expected: file, name: "none" }));
    expect(refusal).toMatchObject({ code: "invalid_input", pointer: "/name" });
    expect(refusal.message).toContain('it has "dist/other.txt", "dist/abc.txt".');
    const nameless = await refusalOf(runTool(tool, { data: "abc", expected: hex, name: "none" }));
    expect(nameless.message).toContain("leave name out");
  });

  test("a line without a digest is refused with its number", async () => {
    const expected = `${hex}  a\n${hex.slice(1)}  b`;
    expect((await refusalOf(runTool(tool, { data: "abc", expected }))).message).toContain("Line 2");
  });
});

test("the digest of any bytes verifies, and fails with a changed bit", async () => {
  await fc.assert(
    fc.asyncProperty(fc.uint8Array(), fc.constantFrom(...digests), fc.nat(), async (bytes, algorithm, at) => {
      const digest = hash(algorithm, bytes, "buffer");
      const right = await runRaw(tool, bytes, { expected: digest.toString("hex"), algorithm });
      expect((JSON.parse(right.toString()) as Report).valid).toBe(true);
      digest[at % digest.length] = (digest[at % digest.length] ?? 0) ^ 1;
      const wrong = await runRaw(tool, bytes, { expected: digest.toString("hex"), algorithm });
      expect((JSON.parse(wrong.toString()) as Report).errors[0]?.rule).toBe("digest-mismatch");
    }),
  );
});
