import { generateKeyPairSync } from "node:crypto";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import generator from "../../../../src/tools/jwt/jwt-generator.ts";
import verifier from "../../../../src/tools/jwt/jwt-verifier.ts";
import { refusalOf, runTool } from "../run-tool.ts";

const secret = "a secret that is longer than the sixty-four bytes that HS512 asks for";
const rsa = generateKeyPairSync("rsa", { modulusLength: 2048 });
const pairs = {
  RS256: rsa,
  RS384: rsa,
  RS512: rsa,
  PS256: rsa,
  PS384: rsa,
  PS512: rsa,
  ES256: generateKeyPairSync("ec", { namedCurve: "P-256" }),
  ES384: generateKeyPairSync("ec", { namedCurve: "P-384" }),
  ES512: generateKeyPairSync("ec", { namedCurve: "P-521" }),
  EdDSA: generateKeyPairSync("ed25519"),
  Ed25519: generateKeyPairSync("ed25519"),
};

const sign = async (input: Record<string, unknown>): Promise<string> =>
  await runTool(generator, { data: '{"sub":"ci"}', ...input });

const isValid = async (data: string, key: string, algorithm: string): Promise<boolean> =>
  (JSON.parse(await runTool(verifier, { data, key, algorithms: [algorithm] })) as { valid: boolean }).valid;

const claimsOf = (token: string): unknown =>
  JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString());

test.each(Object.entries(pairs))(
  "%s: signs with the private half what the public half verifies",
  async (algorithm, pair) => {
    const pem = pair.privateKey.export({ type: "pkcs8", format: "pem" }) as string;
    const jwk = JSON.stringify(pair.privateKey.export({ format: "jwk" }));
    for (const key of [pem, jwk]) {
      const token = await sign({ key, algorithm });
      expect(
        await isValid(token, pair.publicKey.export({ type: "spki", format: "pem" }) as string, algorithm),
      ).toBe(true);
      expect(await isValid(token, JSON.stringify(pair.publicKey.export({ format: "jwk" })), algorithm)).toBe(
        true,
      );
    }
  },
);

/** RFC 7515, appendix A.1: its header contains other white space, so only the key is used here. */
test("signs the same with a secret as text, hexadecimal digits, base64 or JWK", async () => {
  const bytes = Buffer.from(secret);
  const token = await sign({ key: secret, algorithm: "HS512" });
  expect(await sign({ key: bytes.toString("hex"), keyEncoding: "hex", algorithm: "HS512" })).toBe(token);
  expect(await sign({ key: bytes.toString("base64"), keyEncoding: "base64", algorithm: "HS512" })).toBe(
    token,
  );
  const jwk = JSON.stringify({ kty: "oct", k: bytes.toString("base64url") });
  expect(await sign({ key: jwk, algorithm: "HS512" })).toBe(token);
});

test("adds times, and keeps those that are present", async () => {
  const now = "2026-01-02T03:04:05.9Z";
  const key = secret;
  const added = await sign({ key, algorithm: "HS256", expiresIn: 60, now });
  expect(claimsOf(added)).toEqual({ sub: "ci", iat: 1_767_323_045, exp: 1_767_323_105 });
  const kept = await sign({ data: '{"iat":1}', key, algorithm: "HS256", expiresIn: 60, now });
  expect(claimsOf(kept)).toEqual({ iat: 1, exp: 1_767_323_105 });
  expect(claimsOf(await sign({ data: "{ }", key, algorithm: "HS256", expiresIn: 60, now }))).toHaveProperty(
    "exp",
  );
  expect(claimsOf(await sign({ data: "{}", key, algorithm: "HS256", now }))).toEqual({});
});

test.each([
  [{ data: '{"exp":1}', expiresIn: 60, algorithm: "HS256" }, "invalid_input", "/expiresIn"],
  [{ algorithm: "none" }, "invalid_input", "/algorithm"],
  [{ algorithm: "RS256" }, "invalid_input", "/key"],
  [{ algorithm: "HS256", key: "" }, "invalid_input", "/key"],
  [{ algorithm: "HS256", key: '{"kty":"oct","k":"c2hvcnQ"}' }, "invalid_input", "/key"],
  [{ algorithm: "HS256", key: '{"kty":{"toString":1},"alg":[]}' }, "invalid_input", "/key"],
  [{ algorithm: "HS256", key: '{"keys":[]}' }, "invalid_input", "/key"],
  [{ algorithm: "HS256", key: "{not JSON" }, "invalid_input", "/key"],
  [
    { algorithm: "RS256", key: "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----" },
    "invalid_input",
    "/key",
  ],
  [
    { algorithm: "HS256", key: rsa.publicKey.export({ type: "spki", format: "pem" }) },
    "invalid_input",
    "/key",
  ],
  [
    { algorithm: "ES256", key: pairs.ES384.privateKey.export({ type: "pkcs8", format: "pem" }) },
    "invalid_input",
    "/key",
  ],
  [{ algorithm: "HS256", data: "[]" }, "invalid_document", undefined],
  [{ algorithm: "HS256", data: '{"a":1,"a":2}' }, "invalid_document", "/a"],
])("%j is refused: %s", async (input, code, pointer) => {
  const refusal = await refusalOf(sign({ key: secret, ...input }));
  expect(refusal.code).toBe(code);
  if (pointer !== undefined) expect(refusal.pointer).toBe(pointer);
  expect(JSON.stringify(refusal)).not.toContain(secret);
});

test("refuses an RSA key that is too short, and recognizes an encrypted one", async () => {
  const short = generateKeyPairSync("rsa", { modulusLength: 1024 }).privateKey.export({
    type: "pkcs8",
    format: "pem",
  });
  expect((await refusalOf(sign({ key: short, algorithm: "RS256" }))).message).toContain("2048");
  const cipher = { type: "pkcs8", format: "pem", cipher: "aes-256-cbc", passphrase: "p" } as const;
  const key = pairs.EdDSA.privateKey.export(cipher);
  expect((await refusalOf(sign({ key, algorithm: "EdDSA" }))).message).toContain("encrypted");
});

test("generates tokens of any claims that verify, and do not once a character has changed", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 2 })),
      fc.nat(),
      async (claims, at) => {
        for (const name of ["exp", "nbf", "iat"]) delete claims[name];
        const token = await sign({ data: JSON.stringify(claims), key: secret, algorithm: "HS256" });
        expect(await isValid(token, secret, "HS256")).toBe(true);
        const index = at % token.length;
        const changed = token.slice(0, index) + (token[index] === "A" ? "B" : "A") + token.slice(index + 1);
        expect(await isValid(changed, secret, "HS256")).toBe(false);
      },
    ),
    { numRuns: 50 },
  );
});

// RFC 7518 §3.2: a key at least as long as the hash.
test.each([
  ["HS256", 31, 32],
  ["HS384", 47, 48],
  ["HS512", 63, 64],
])(
  "%s refuses a secret of %i bytes unless short ones are allowed, and accepts %i",
  async (algorithm, few, enough) => {
    const short = "s".repeat(few);
    const jwk = JSON.stringify({ kty: "oct", k: Buffer.from(short).toString("base64url") });
    for (const key of [short, jwk]) {
      const refusal = await refusalOf(sign({ key, algorithm }));
      expect(refusal).toMatchObject({ code: "invalid_input", pointer: "/key" });
      expect(refusal.message).toContain(`at least ${enough} bytes`);
      expect(await sign({ key, algorithm, allowWeakKey: true })).toMatch(/^eyJ/);
    }
    expect(await sign({ key: "s".repeat(enough), algorithm })).toMatch(/^eyJ/);
  },
);
