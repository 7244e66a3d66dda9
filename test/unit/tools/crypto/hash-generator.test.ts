import { createHash } from "node:crypto";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import checksum from "../../../../src/tools/crypto/checksum-verifier.ts";
import hmac from "../../../../src/tools/crypto/hmac-generator.ts";
import sri from "../../../../src/tools/crypto/sri-generator.ts";
import tool from "../../../../src/tools/crypto/hash-generator.ts";
import { fieldsOf } from "../../../../src/catalog/fields.ts";
import { atHand, casesOf, readCorpus } from "../../corpora/corpus.ts";
import { refusalOf, runRaw, runTool } from "../run-tool.ts";

const algorithms = fieldsOf(tool.input).find(({ name }) => name === "algorithm")?.values ?? [];

/** Digests of "abc" from FIPS 180-4, FIPS 202, RFC 7693, RFC 1321, the RIPEMD-160 page, GB/T 32905 and the Keccak team. */
test.each([
  ["md5", "900150983cd24fb0d6963f7d28e17f72"],
  ["sha1", "a9993e364706816aba3e25717850c26c9cd0d89d"],
  ["sha224", "23097d223405d8228642a477bda255b32aadbce4bda0b3f7e36c9da7"],
  ["sha512-256", "53048e2681941ef99b2e29b76b4c7dabe4c2d0c634fc6d46e0e2f13107e7af23"],
  ["sha3-256", "3a985da74fe225b2045c172d6bd390bd855f086e3e9d525b46bfe24511431532"],
  ["keccak-256", "4e03657aea45a94fc7d47ba826c8d667c0d1e6e33a64a036ec44f58fa12d6c45"],
  ["blake2s256", "508c5e8c327c14e2e1a72ba34eeb452f37458b209ed63a294d999b4c86675982"],
  ["ripemd160", "8eb208f7e05d987a9b044a8e98c6b087f15a0bfc"],
  ["sm3", "66c7f0f462eeedd9d1f2d46bdc10e4e24167c4875cf2f7a2297da02b8f4ba8e0"],
])("%s of abc", async (algorithm, digest) => {
  expect(await runTool(tool, { data: "abc", algorithm })).toBe(digest);
});

test.each([
  ["SHA256", "sha256"],
  ["sha-256", "sha256"],
  ["SHA2-256", "sha256"],
  ["SHA_1", "sha1"],
  ["SHA512/256", "sha512-256"],
  ["SHA3_256", "sha3-256"],
  ["Keccak256", "keccak-256"],
  ["MD-5", "md5"],
  ["RMD160", "ripemd160"],
  ["BLAKE2b-512", "blake2b512"],
  ["blake2s", "blake2s256"],
])("%s is a spelling of %s, in every tool with a digest", async (spelling, algorithm) => {
  expect(await runTool(tool, { data: "abc", algorithm: spelling })).toBe(
    await runTool(tool, { data: "abc", algorithm }),
  );
  for (const [other, rest] of [
    [hmac, { key: "k" }],
    [sri, {}],
    [checksum, { expected: createHash("sha256").update("abc").digest("hex") }],
  ] as const) {
    const { values = [] } = fieldsOf(other.input).find(({ name }) => name === "algorithm") ?? {};
    const outcome = async (name: string): Promise<unknown> =>
      await runTool(other, { data: "abc", algorithm: name, ...rest }).catch((error: unknown) =>
        String(error),
      );
    if (values.includes(algorithm)) expect(await outcome(spelling)).toEqual(await outcome(algorithm));
  }
});

test.each(["sha25", "sha3", "whirlpool", ""])(
  "%j is refused with the names that exist",
  async (algorithm) => {
    const refusal = await refusalOf(runTool(tool, { data: "abc", algorithm }));
    expect(refusal).toMatchObject({ code: "invalid_input", pointer: "/algorithm" });
    expect(refusal.message).toContain(`sha224, sha256, sha384`);
    expect(refusal.message).toContain(`got ${JSON.stringify(algorithm)}`);
  },
);

test("covers every algorithm, over text and over bytes", async () => {
  expect(algorithms.length).toBeGreaterThan(20);
  for (const algorithm of algorithms) {
    const ofText = await runTool(tool, { data: "é", algorithm });
    expect(ofText).toMatch(/^(?:[\da-f]{2}){16,64}$/);
    expect((await runRaw(tool, Buffer.from([0xc3, 0xa9]), { algorithm })).toString()).toBe(ofText);
  }
});

test("newlines, the byte order mark and NUL are hashed unchanged", async () => {
  const data = "\uFEFFa\r\n\u0000";
  expect(await runTool(tool, { data })).toBe(createHash("sha256").update(data).digest("hex"));
});

test("the same bytes have the same digest in every encoding", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.uint8Array({ maxLength: 300 }),
      fc.constantFrom(...algorithms),
      async (bytes, algorithm) => {
        const digest = (await runRaw(tool, bytes, { algorithm })).toString();
        expect(await runTool(tool, { data: bytes.toHex(), dataEncoding: "hex", algorithm })).toBe(digest);
        expect(await runTool(tool, { data: bytes.toBase64(), dataEncoding: "base64", algorithm })).toBe(
          digest,
        );
        const base64url = await runTool(tool, {
          data: bytes.toHex(),
          dataEncoding: "hex",
          algorithm,
          outputEncoding: "base64url",
        });
        expect(base64url).toBe(Buffer.from(digest, "hex").toString("base64url"));
      },
    ),
  );
});

test("only extendable functions accept a length", async () => {
  expect(await runTool(tool, { data: "", algorithm: "shake256", outputLength: 4 })).toBe("46b9dd2b");
  expect(await runTool(tool, { data: "", algorithm: "shake128" })).toHaveLength(64);
  expect(await runTool(tool, { data: "", algorithm: "shake256" })).toHaveLength(128);
  const refusal = await refusalOf(runTool(tool, { data: "", outputLength: 4 }));
  expect(refusal).toMatchObject({ code: "invalid_input", pointer: "/outputLength" });
});

test("an unknown algorithm is an invalid call", async () => {
  for (const algorithm of ["md4", "__proto__", ""]) {
    expect((await refusalOf(runTool(tool, { data: "", algorithm }))).code).toBe("invalid_input");
  }
});

test.skipIf(!atHand)(`published vectors (${casesOf("nist-hash-vectors")})`, async () => {
  for (const { slug, input, expect: wanted } of readCorpus("nist-hash-vectors")) {
    if (slug !== "hash") continue;
    const { data, algorithm, encoding: dataEncoding } = input;
    expect(await runTool(tool, { data, algorithm, dataEncoding })).toBe(wanted["result"]);
  }
});
