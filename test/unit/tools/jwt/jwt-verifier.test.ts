import { createHash, createHmac, generateKeyPairSync, sign } from "node:crypto";
import { describe, expect, test } from "vitest";
import tool from "../../../../src/tools/jwt/jwt-verifier.ts";
import { atHand, casesOf, readCorpus } from "../../corpora/corpus.ts";
import { refusalOf, runTool } from "../run-tool.ts";

const secret = "a secret of thirty-two bytes or more";
const now = "2026-01-02T03:04:05Z";
const seconds = Date.parse(now) / 1000;
const part = (value: unknown): string =>
  Buffer.from(typeof value === "string" ? value : JSON.stringify(value)).toString("base64url");

function hs256(payload: unknown, header: unknown = { alg: "HS256" }, key: string | Buffer = secret): string {
  const input = `${part(header)}.${part(payload)}`;
  return `${input}.${createHmac("sha256", key).update(input).digest("base64url")}`;
}

async function rules(data: string, options: Record<string, unknown> = {}): Promise<string[]> {
  const input = { data, key: secret, algorithms: ["HS256"], now, ...options };
  const report = JSON.parse(await runTool(tool, input)) as {
    valid: boolean;
    errors: { rule: string; severity: string; message: string }[];
  };
  expect(report.valid).toBe(report.errors.every(({ severity }) => severity === "warning"));
  expect(JSON.stringify(report)).not.toContain(secret);
  return report.errors.map(({ rule }) => rule);
}

test.each([
  [{}, {}, []],
  [{ exp: seconds + 1 }, {}, []],
  [{ exp: seconds }, {}, ["expired"]],
  [{ exp: seconds }, { clockTolerance: 1 }, []],
  [{ nbf: seconds }, {}, []],
  [{ nbf: seconds + 1 }, {}, ["not-yet-valid"]],
  [{ nbf: seconds + 1 }, { clockTolerance: 1 }, []],
  [{ iat: seconds + 60 }, {}, ["issued-in-future"]],
  [{ exp: "2099" }, {}, ["malformed-claims"]],
  [{ exp: null }, {}, ["malformed-claims"]],
  [{ iss: "a" }, { issuer: "a" }, []],
  [{ iss: ["a"] }, { issuer: "a" }, ["issuer-mismatch"]],
  [{}, { issuer: "a" }, ["issuer-mismatch"]],
  [{ aud: "a" }, { audience: "a" }, []],
  [{ aud: ["b", "a"] }, { audience: "a" }, []],
  [{ aud: "ab" }, { audience: "a" }, ["audience-mismatch"]],
  [{}, { audience: "a" }, ["audience-mismatch"]],
  [{ exp: 0, aud: "b" }, { audience: "a" }, ["expired", "audience-mismatch"]],
  [{ exp: 0 }, { payload: "any" }, []],
])("%j with %j: %j", async (claims, options, wanted) => {
  expect(await rules(hs256(claims), options)).toEqual(wanted);
});

test.each([
  [{ sub: "ann" }, { subject: "ann" }, []],
  [{ sub: "ann" }, { subject: "bob" }, ["subject-mismatch"]],
  [{}, { subject: "ann" }, ["subject-mismatch"]],
  [{ iat: seconds - 60 }, { maxAge: 60 }, []],
  [{ iat: seconds - 61 }, { maxAge: 60 }, ["too-old"]],
  [{ iat: seconds - 61 }, { maxAge: 60, clockTolerance: 1 }, []],
  [{}, { maxAge: 60 }, ["too-old"]],
  [{ scope: "admin" }, { claims: { scope: "admin" } }, []],
  [{ scope: ["read", "admin"] }, { claims: '{"scope":"admin"}' }, []],
  [{ scope: "administrator" }, { claims: { scope: "admin" } }, ["claim-mismatch"]],
  [{ a: { b: [1, null] } }, { claims: { a: { b: [1, null] } } }, []],
  [{ n: 1 }, { claims: '{"n":1.0}' }, []],
  ['{"n":9007199254740993}', { claims: '{"n":9007199254740992}' }, ["claim-mismatch"]],
  [{}, { claims: '{"__proto__":{}}' }, ["claim-missing"]],
  [{ email: null }, { requiredClaims: ["email"] }, []],
  [{}, { requiredClaims: ["email", "constructor"] }, ["claim-missing", "claim-missing"]],
])("%j with the requirements %j: %j", async (claims, options, wanted) => {
  expect(await rules(hs256(claims), options)).toEqual(wanted);
});

test.each([
  ["at+jwt", "at+jwt", []],
  ["application/at+jwt", "AT+JWT", []],
  ["JWT", "at+jwt", ["type-mismatch"]],
  [undefined, "JWT", ["type-mismatch"]],
  [["JWT"], "JWT", ["type-mismatch"]],
])("the type %j where %j is required: %j", async (typ, type, wanted) => {
  const token = hs256({}, { alg: "HS256", typ });
  expect(await rules(token, { type })).toEqual(wanted);
  expect(await rules(token, { type, payload: "any" })).toEqual(wanted);
});

test.each(["Bearer ", "Authorization: Bearer ", "  bearer\n"])(
  "%j before a token is skipped",
  async (before) => {
    expect(await rules(`${before}${hs256({})} \n`)).toEqual([]);
    expect(await rules(`"${hs256({})}"`)).toEqual([]);
  },
);

test.each([
  ["HS512", true],
  ["none", false],
  ["HS1", false],
])("of the algorithm %s, the message says where to allow it: %j", async (alg, advised) => {
  const text = await runTool(tool, { data: hs256({}, { alg }), key: secret, algorithms: ["HS256"], now });
  expect(text).toContain("algorithm-not-allowed");
  expect(text.includes("add it to algorithms")).toBe(advised);
});

describe("the claims", () => {
  const input = (data: string, rest: object = {}) => ({
    data,
    key: secret,
    algorithms: ["HS256"],
    now,
    ...rest,
  });

  test("of a valid token are returned with every digit", async () => {
    const text = await runTool(tool, input(hs256('{"id":9007199254740993,"a":{"b":"\\n"}}')));
    expect(text).toBe(
      '{\n  "valid": true,\n  "errors": [],\n  "claims": {\n    "id": 9007199254740993,\n    "a": {\n      "b": "\\n"\n    }\n  }\n}',
    );
  });

  test("of a token with a warning are returned beside it", async () => {
    expect(await runTool(tool, input(hs256({ iat: seconds + 60 })))).toMatch(
      /"issued-in-future"[^]*"claims": \{\n {4}"iat"/,
    );
  });

  test.each([
    ["expired", hs256({ sub: "leak", exp: 0 }), {}],
    ["forged", hs256({ sub: "leak" }, { alg: "HS256" }, "another key, of more than thirty-two bytes"), {}],
    ["without a required claim", hs256({ sub: "leak" }), { requiredClaims: ["scope"] }],
    ["of another type", hs256({ sub: "leak" }), { type: "at+jwt" }],
    ["of any payload", hs256({ sub: "leak" }), { payload: "any" }],
  ])("of a token %s are not", async (_, token, options) => {
    const text = await runTool(tool, input(token, options));
    expect(text).not.toContain("leak");
    expect(text).not.toContain('"claims"');
  });

  test("cannot be required of any payload, and must be an object", async () => {
    for (const [options, code, words] of [
      [{ payload: "any", claims: "{}" }, "invalid_input", 'set payload to "claims"'],
      [{ payload: "any", requiredClaims: ["a"] }, "invalid_input", 'set payload to "claims"'],
      [{ claims: "[]" }, "invalid_document", "an object"],
    ] as const) {
      const refusal = await refusalOf(runTool(tool, input(hs256({}), options)));
      expect(refusal.code).toBe(code);
      expect(refusal.message).toContain(words);
    }
  });
});

test.each(["[]", '"text"', "", "{", '{"a":1,"a":2}', '{"exp":1e400}', "null"])(
  "the payload %j is not a claims set",
  async (payload) => {
    expect(await rules(hs256(payload))).toEqual(["malformed-claims"]);
    expect(await rules(hs256(payload), { payload: "any" })).toEqual([]);
  },
);

/** RFC 8725 §2. */
test("refuses none, an algorithm that is not allowed, and a missing one", async () => {
  for (const alg of [
    "none",
    "None",
    "nOnE",
    "HS384",
    "hs256",
    "",
    null,
    7,
    { toString: 1 },
    "__proto__",
    undefined,
  ]) {
    expect(await rules(`${part({ alg })}.${part({})}.`)).toEqual(["algorithm-not-allowed"]);
    expect(await rules(hs256({}, { alg }))).toEqual(["algorithm-not-allowed"]);
  }
  for (const algorithms of [[], ["none"], ["HS256", "none"]])
    expect((await refusalOf(rules(hs256({}), { algorithms }))).code).toBe("invalid_input");
});

test("a public key is never used as a shared secret", async () => {
  const { publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const pem = publicKey.export({ type: "spki", format: "pem" }) as string;
  const jwk = JSON.stringify(publicKey.export({ format: "jwk" }));
  for (const key of [pem, jwk])
    expect(await rules(hs256({}, { alg: "HS256" }, key), { key, algorithms: ["HS256", "RS256"] })).toEqual([
      "unsuitable-key",
    ]);
});

test("unusable keys are findings", async () => {
  const huge = {
    kty: "RSA",
    n: Buffer.alloc(256, 0xff).toString("base64url"),
    e: Buffer.alloc(9, 0xff).toString("base64url"),
  };
  const options = { algorithms: ["RS256"], payload: "any" };
  const data = hs256({}, { alg: "RS256" });
  expect(await rules(data, { ...options, key: JSON.stringify(huge) })).toEqual(["unsuitable-key"]);
  for (const key of [
    "",
    "{",
    "{}",
    '{"kty":"oct"}',
    "-----BEGIN PUBLIC KEY-----",
    "ssh-rsa AAAAB3NzaC1yc2E=",
  ])
    expect(await rules(data, { ...options, key })).toEqual(["unusable-key"]);
});

test("a JWK is limited to the algorithm, use and operations that it names, and must be long enough", async () => {
  const k = part(secret);
  const rulesOf = async (jwk: object): Promise<string[]> =>
    await rules(hs256({}), { key: JSON.stringify({ kty: "oct", k, ...jwk }) });
  expect(await rulesOf({ alg: "HS256", use: "sig", key_ops: ["verify"] })).toEqual([]);
  for (const jwk of [{ alg: "HS512" }, { alg: 7 }, { use: "enc" }, { key_ops: ["sign"] }, { key_ops: [] }])
    expect(await rulesOf(jwk)).toEqual(["unsuitable-key"]);
  const short = JSON.stringify({ kty: "oct", k: part("short") });
  expect(await rules(hs256({}, undefined, "short"), { key: short })).toEqual(["unsuitable-key"]);
  expect(await rules(hs256({}, undefined, "short"), { key: "short" })).toEqual(["weak-secret"]);
});

test("a set selects the key with the token's identifier", async () => {
  const keys = JSON.stringify({
    keys: [
      null,
      { kty: "unheard-of" },
      { kty: "oct", kid: "a", k: part("another secret, but of thirty-two bytes") },
      { kty: "oct", kid: "b", k: part(secret) },
    ],
  });
  expect(await rules(hs256({}, { alg: "HS256", kid: "b" }), { key: keys })).toEqual([]);
  expect(await rules(hs256({}, { alg: "HS256", kid: "a" }), { key: keys })).toEqual(["signature-mismatch"]);
  expect(await rules(hs256({}, { alg: "HS256", kid: "c" }), { key: keys })).toEqual(["no-matching-key"]);
  expect(await rules(hs256({}), { key: keys })).toEqual([]);
  expect(await rules(hs256({}), { key: '{"keys":[]}' })).toEqual(["no-matching-key"]);
});

test("critical extensions and duplicate header names are findings", async () => {
  expect(await rules(hs256({}, { alg: "HS256", crit: ["b64"], b64: false }))).toEqual(["unsupported-crit"]);
  expect(await rules(hs256({}, '{"alg":"none","alg":"HS256"}'))).toEqual(["malformed-token"]);
});

test("a token has exactly one encoding", async () => {
  const token = hs256({});
  const [header = "", payload = "", signature = ""] = token.split(".");
  const last = signature.at(-1) ?? "";
  const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  // The last of 43 characters has two more bits than 32 bytes need.
  const other = signature.slice(0, -1) + alphabet[alphabet.indexOf(last) ^ 1];
  for (const data of [
    `${token}=`,
    `${header}=.${payload}.${signature}`,
    `${header}.${payload}\n.${signature}`,
    `${header} .${payload}.${signature}`,
    `${header}.${payload}.${other}`,
    `${token}.`,
    `${header}.${payload}`,
    JSON.stringify({ protected: header, payload, signature }),
    "",
  ])
    expect(await rules(data)).toEqual(["malformed-token"]);
});

test("an ECDSA signature in DER is refused", async () => {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const input = `${part({ alg: "ES256" })}.${part({})}`;
  const key = publicKey.export({ type: "spki", format: "pem" });
  const signed = (dsaEncoding: "der" | "ieee-p1363"): string =>
    `${input}.${sign("sha256", Buffer.from(input), { key: privateKey, dsaEncoding }).toString("base64url")}`;
  expect(await rules(signed("ieee-p1363"), { key, algorithms: ["ES256"] })).toEqual([]);
  expect(await rules(signed("der"), { key, algorithms: ["ES256"] })).toEqual(["signature-mismatch"]);
});

test.skipIf(!atHand)(`forgeries of Wycheproof (${casesOf("wycheproof")})`, async () => {
  const algorithms = [
    "HS256",
    "HS384",
    "HS512",
    "RS256",
    "RS384",
    "RS512",
    "PS256",
    "PS384",
    "PS512",
    "ES256",
    "ES384",
  ];
  for (const row of readCorpus("wycheproof")) {
    if (row.slug !== "jwt-verify" || row.disputed_by !== undefined) continue;
    const { data, key } = row.input;
    const result = await runTool(tool, { data, key, algorithms: [...algorithms, "ES512"], payload: "any" });
    expect((JSON.parse(result) as { valid: boolean }).valid, row.case).toBe(row.expect["valid"]);
  }
});

// RFC 8017 §3.1: the modulus is a product of large primes, the exponent odd and at least 3.
test.each<[string, (n: bigint) => [bigint, bigint]]>([
  ["e = 1", (n) => [n, 1n]],
  ["e = 0", (n) => [n, 0n]],
  ["e = 2", (n) => [n, 2n]],
  ["an even exponent", (n) => [n, 65_536n]],
  ["an even modulus", (n) => [n - 1n, 65_537n]],
  ["a modulus with a small factor", (n) => [n - (n % 34n) + 17n, 65_537n]],
  ["a modulus of ROCA", () => [rocaModulus(), 65_537n]],
])("an RSA key with %s verifies nothing", async (_, change) => {
  const { publicKey, privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const input = "eyJhbGciOiJSUzI1NiJ9.e30";
  const data = `${input}.${sign("sha256", Buffer.from(input), privateKey).toString("base64url")}`;
  const jwk = publicKey.export({ format: "jwk" });
  const options = { algorithms: ["RS256"], payload: "any" };
  expect(await rules(data, { ...options, key: JSON.stringify(jwk) })).toEqual([]);
  const [n, e] = change(BigInt(`0x${Buffer.from(jwk.n ?? "", "base64url").toString("hex")}`));
  const weak = JSON.stringify({ kty: "RSA", n: toBase64url(n), e: toBase64url(e) });
  expect(await rules(data, { ...options, key: weak })).toEqual(["unsuitable-key"]);
});

test("with e = 1 the padded hash itself would be a signature, which is refused", async () => {
  // EMSA-PKCS1-v1_5 (RFC 8017 §9.2): anyone who knows the modulus can compute this.
  const input = "eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJyb290In0";
  const info = Buffer.from("3031300d060960864801650304020105000420", "hex");
  const hashed = createHash("sha256").update(input).digest();
  const padding = Buffer.alloc(256 - 3 - info.length - hashed.length, 0xff);
  const forged = Buffer.concat([Buffer.from([0, 1]), padding, Buffer.from([0]), info, hashed]);
  const { n } = generateKeyPairSync("rsa", { modulusLength: 2048 }).publicKey.export({ format: "jwk" });
  const options = { algorithms: ["RS256"], key: JSON.stringify({ kty: "RSA", n, e: "AQ" }) };
  expect(await rules(`${input}.${forged.toString("base64url")}`, options)).toEqual(["unsuitable-key"]);
});

test("a point of small order and a point off the curve are refused as keys", async () => {
  const jwk = { kty: "OKP", crv: "Ed25519", x: Buffer.from([1, ...Array(31).fill(0)]).toString("base64url") };
  const data = `${Buffer.from('{"alg":"EdDSA"}').toString("base64url")}.e30.${Buffer.alloc(64).toString("base64url")}`;
  const options = { payload: "any", algorithms: ["EdDSA"] };
  expect(await rules(data, { ...options, key: JSON.stringify(jwk) })).toEqual(["unsuitable-key"]);
  const { x } = generateKeyPairSync("ec", { namedCurve: "P-256" }).publicKey.export({ format: "jwk" });
  const beside = JSON.stringify({ kty: "EC", crv: "P-256", x, y: x });
  expect(await rules(data, { algorithms: ["ES256"], key: beside })).toEqual(["unusable-key"]);
});

const toBase64url = (value: bigint): string => {
  const digits = value.toString(16);
  return Buffer.from(digits.padStart(digits.length + (digits.length % 2), "0"), "hex").toString("base64url");
};

/** A 2048-bit number that is a power of 65537 modulo each prime up to 167, as products of ROCA's primes are. */
function rocaModulus(): bigint {
  const primes = Array.from({ length: 166 }, (_, index) => BigInt(index + 2)).filter(
    (value, _, all) => !all.some((factor) => factor < value && value % factor === 0n),
  );
  const product = primes.reduce((one, prime) => one * prime, 1n);
  return (1n << 2047n) - ((1n << 2047n) % product) + product + (65_537n ** 5n % product);
}
