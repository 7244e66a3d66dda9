import { X509Certificate } from "node:crypto";
import { rootCertificates } from "node:tls";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import tool from "../../../../src/tools/cert/x509-parser.ts";
import { atHand, casesOf, readCorpus } from "../../corpora/corpus.ts";
import { refusalOf, runRaw, runTool } from "../run-tool.ts";
import { createCertificate, createPair, toPem } from "./pki.ts";

const now = "2026-01-02T03:04:05Z";

interface Parsed {
  certificates: Record<string, unknown>[];
  ordered: boolean;
}

const parse = async (data: string): Promise<Parsed> =>
  JSON.parse(await runTool(tool, { data, now })) as Parsed;

const pem = (...ders: Buffer[]): string => ders.map((one) => toPem("CERTIFICATE", one)).join("");

const pairs = { root: createPair(), middle: createPair(), leaf: createPair() };
const root = createCertificate({ subject: "Root", ca: true }, pairs.root);
const middle = createCertificate({ subject: "Middle", issuer: "Root", ca: true }, pairs.middle, pairs.root);
const leaf = createCertificate(
  { subject: "leaf", issuer: "Middle", dns: ["a.example", "*.a.example"] },
  pairs.leaf,
  pairs.middle,
);

test("a chain in order, out of order, and with a part missing", async () => {
  const chain = await parse(pem(leaf, middle, root));
  expect(chain.ordered).toBe(true);
  expect(chain.certificates.map(({ issuedBy }) => issuedBy)).toEqual([1, 2, 2]);
  expect(chain.certificates.map(({ selfSigned }) => selfSigned)).toEqual([false, false, true]);
  const mixed = await parse(pem(leaf, root, middle));
  expect(mixed.ordered).toBe(false);
  expect(mixed.certificates.map(({ issuedBy }) => issuedBy)).toEqual([2, 1, 1]);
  expect((await parse(pem(leaf, root))).ordered).toBe(false);
  expect((await parse(pem(leaf, middle, root, root))).certificates.map(({ issuedBy }) => issuedBy)).toEqual([
    1, 2, 3, 2,
  ]);
});

test("serial numbers, key ids and fingerprints are in one notation", async () => {
  const roots = rootCertificates.slice(0, 40);
  const { certificates } = await parse(roots.join("\n"));
  for (const [index, facts] of certificates.entries()) {
    const { serialNumber, subjectKeyId, authorityKeyId, fingerprintSha256, fingerprintSha1 } = facts;
    for (const hex of [serialNumber, subjectKeyId, authorityKeyId, fingerprintSha256, fingerprintSha1])
      if (hex !== null) expect(hex).toMatch(/^[0-9A-F]{2}(?::[0-9A-F]{2})*$/);
    const { serialNumber: digits } = new X509Certificate(roots[index] as string);
    expect(String(serialNumber).replaceAll(":", "")).toBe(digits === "0" ? "00" : digits);
  }
  expect(certificates.filter(({ subjectKeyId }) => subjectKeyId !== null).length).toBeGreaterThan(20);
});

test("an issuer of the same name with another key is not the issuer", async () => {
  const impostor = createCertificate(
    { subject: "Middle", issuer: "Root", ca: true },
    createPair(),
    pairs.root,
  );
  const parsed = await parse(pem(leaf, impostor));
  expect(parsed.certificates.map(({ issuedBy }) => issuedBy)).toEqual([null, null]);
});

test("keys and text between the certificates are skipped, and no key is returned", async () => {
  const key = pairs.leaf.privateKey.export({ type: "pkcs8", format: "pem" }) as string;
  const data = `Bag Attributes\n${key}subject=CN = leaf\r\n${pem(leaf).replaceAll("\n", "\r\n")}`;
  const text = await runTool(tool, { data, now });
  expect((JSON.parse(text) as Parsed).certificates).toHaveLength(1);
  expect(text).not.toContain(key.split("\n")[1]);
});

test("PEM, DER in base64 and DER bytes give the same result", async () => {
  const parsed = await parse(pem(leaf));
  expect(await parse(leaf.toString("base64").replace(/.{64}/g, "$& \n"))).toEqual(parsed);
  expect(JSON.parse((await runRaw(tool, leaf, { now })).toString())).toEqual(parsed);
});

test("a name is escaped so that it cannot be read as another", async () => {
  const subject = '#a, CN=evil+"b"\\\u0000\n ';
  const { certificates } = await parse(pem(createCertificate({ subject }, createPair())));
  expect(certificates[0]).toMatchObject({
    subject: 'CN=\\#a\\, CN=evil\\+\\"b\\"\\\\\uFFFD\uFFFD\\ ',
    commonName: '#a, CN=evil+"b"\\\uFFFD\uFFFD ',
  });
});

test.each([
  ["", 0],
  ["-----BEGIN CERTIFICATE-----\nMIIB", 0],
  ["text\n-----BEGIN CERTIFICATE-----\nM*==\n-----END CERTIFICATE-----", 5],
  ["-----BEGIN CERTIFICATE-----\nMAA=\n-----END CERTIFICATE-----", 0],
  [toPem("CERTIFICATE", leaf.subarray(0, -1)), 0],
  [toPem("CERTIFICATE", Buffer.concat([leaf, Buffer.from([0])])), 0],
  [toPem("PUBLIC KEY", leaf), 0],
  ["-----BEGIN  -----", 0],
  ["MIIB!", 0],
])("%j contains no certificate", async (data, offset) => {
  expect(await refusalOf(runTool(tool, { data }))).toMatchObject({ code: "invalid_document", offset });
});

test("many certificates of one name end in an answer or a refusal", async () => {
  const same = createCertificate({ subject: "same", ca: true }, createPair());
  const other = createCertificate({ subject: "same", ca: true }, createPair());
  expect(
    (await parse(pem(...Array.from({ length: 100 }, (_, index) => (index % 2 ? same : other))))).certificates,
  ).toHaveLength(100);
  expect((await refusalOf(parse(pem(...Array.from({ length: 201 }, () => same))))).code).toBe(
    "invalid_document",
  );
});

test("a changed byte is refused or read, and never causes an internal error", async () => {
  await fc.assert(
    fc.asyncProperty(fc.nat({ max: leaf.length - 1 }), fc.nat({ max: 255 }), async (at, byte) => {
      const changed = Buffer.from(leaf);
      changed[at] = byte;
      try {
        await parse(pem(changed));
      } catch (error) {
        expect(error).toMatchObject({ name: "ToolError", code: "invalid_document" });
      }
    }),
    { numRuns: 1000 },
  );
});

test.skipIf(!atHand)(`certificates of other generators (${casesOf("devtoys")})`, async () => {
  for (const { slug, input, expect: wanted } of readCorpus("devtoys")) {
    if (slug !== "x509-decode") continue;
    const { certificates } = await parse(input["data"] as string);
    const facts = certificates[0] as Record<string, string>;
    const text = wanted["openssl"] as string;
    expect(text).toContain(`serial=${facts["serialNumber"]?.replaceAll(":", "")}\n`);
    expect(text).toContain(`sha1 Fingerprint=${facts["fingerprintSha1"]}\n`);
    expect(text.replaceAll(" = ", "=")).toContain(`subject=${facts["subject"]}\nissuer=${facts["issuer"]}\n`);
  }
});
