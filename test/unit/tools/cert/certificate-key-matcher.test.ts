import { createPublicKey, generateKeyPairSync, type KeyObject } from "node:crypto";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import tool from "../../../../src/tools/cert/certificate-key-matcher.ts";
import parser from "../../../../src/tools/cert/x509-parser.ts";
import { refusalOf, runTool } from "../run-tool.ts";
import { createCertificate, createPair, createRequest, type Pair, toPem } from "./pki.ts";

const own = createPair();
const other = createPair();
const certificate = toPem("CERTIFICATE", createCertificate({ subject: "a" }, own));
const otherCertificate = toPem("CERTIFICATE", createCertificate({ subject: "b" }, other));
const request = toPem("CERTIFICATE REQUEST", createRequest("a", own));
const secret = (pair: Pair): string => pair.privateKey.export({ type: "pkcs8", format: "pem" }) as string;
const open = (key: KeyObject): string => key.export({ type: "spki", format: "pem" }) as string;

async function match(data: string, key: string): Promise<string[]> {
  const text = await runTool(tool, { data, key });
  for (const line of [secret(own), secret(other)]) expect(text).not.toContain(line.split("\n")[1]);
  const report = JSON.parse(text) as { valid: boolean; errors: { rule: string; line: number }[] };
  expect(report.valid).toBe(report.errors.length === 0);
  return report.errors.map(({ rule, line }) => `${rule}:${line}`);
}

test.each([
  [certificate, secret(own), []],
  [certificate, open(own.publicKey), []],
  [certificate, request, []],
  [request, secret(own), []],
  [request, certificate, []],
  [`text\n${certificate}${otherCertificate}`, secret(own), []],
  [certificate, `${certificate}${secret(own)}`, []],
  [certificate, secret(other), ["key-mismatch:1"]],
  [`text\n${request}`, open(other.publicKey), ["key-mismatch:2"]],
  [`${certificate}${otherCertificate}`, secret(other), [`leaf-not-first:${certificate.split("\n").length}`]],
])("case %#", async (data, key, rules) => {
  expect(await match(data, key)).toEqual(rules);
});

test("accepts keys of every kind, in old and current formats", async () => {
  const rsa = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const ec = generateKeyPairSync("ec", { namedCurve: "P-256" });
  for (const { privateKey, publicKey } of [rsa, ec]) {
    // Signed by another key, as a certificate is.
    const data = toPem("CERTIFICATE", createCertificate({ subject: "a" }, { privateKey, publicKey }, own));
    expect(await match(data, privateKey.export({ type: "pkcs8", format: "pem" }) as string)).toEqual([]);
    const old = privateKey === rsa.privateKey ? "pkcs1" : "sec1";
    expect(await match(data, privateKey.export({ type: old, format: "pem" }) as string)).toEqual([]);
    expect(await match(data, secret(own))).toEqual(["key-mismatch:1"]);
  }
  expect(await match(certificate, rsa.publicKey.export({ type: "pkcs1", format: "pem" }) as string)).toEqual([
    "key-mismatch:1",
  ]);
});

test.each([
  [certificate, "", "invalid_input"],
  [certificate, "secret", "invalid_input"],
  [certificate, toPem("PRIVATE KEY", Buffer.from("0000")), "invalid_input"],
  [certificate, toPem("OPENSSH PRIVATE KEY", Buffer.from("openssh-key-v1")), "invalid_input"],
  ["", secret(own), "invalid_document"],
  [secret(own), secret(own), "invalid_document"],
  [toPem("CERTIFICATE REQUEST", Buffer.from([0x30, 0])), secret(own), "invalid_document"],
])("case %# is refused", async (data, key, code) => {
  expect((await refusalOf(runTool(tool, { data, key }))).code).toBe(code);
});

test("an encrypted key is reported as such, in every format", async () => {
  const cipher = { format: "pem", cipher: "aes-128-cbc", passphrase: "p" } as const;
  const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  for (const type of ["pkcs8", "pkcs1"] as const) {
    const key = privateKey.export({ type, ...cipher }) as string;
    expect((await refusalOf(runTool(tool, { data: certificate, key }))).message).toContain("encrypted");
  }
});

test("a truncated or changed request is refused or compared, and never causes an internal error", async () => {
  const der = createRequest("a", own);
  const key = open(createPublicKey(own.privateKey));
  await fc.assert(
    fc.asyncProperty(fc.nat({ max: der.length - 1 }), fc.nat({ max: 255 }), async (at, byte) => {
      const changed = Buffer.from(der);
      changed[at] = byte;
      try {
        await match(toPem("CERTIFICATE REQUEST", changed), key);
      } catch (error) {
        expect(error).toMatchObject({ name: "ToolError", code: "invalid_document" });
      }
    }),
    { numRuns: 500 },
  );
});

// RFC 8017 §3.1: with the exponent 1 anybody can sign.
test("a certificate with a worthless key matches, with a finding", async () => {
  const { n = "" } = generateKeyPairSync("rsa", { modulusLength: 2048 }).publicKey.export({ format: "jwk" });
  const weak = createPublicKey({ key: { kty: "RSA", n, e: "AQ" }, format: "jwk" });
  const document = toPem(
    "CERTIFICATE",
    createCertificate({ subject: "w" }, { ...own, publicKey: weak }, own),
  );
  expect(await match(document, open(weak))).toEqual(["weak-key:1"]);
  const described = JSON.parse(await runTool(parser, { data: document })) as {
    certificates: { key: { weakness?: string } }[];
  };
  expect(described.certificates[0]?.key.weakness).toMatch(/^The exponent of the RSA key is 1;/);
});
