import type { X509Certificate } from "node:crypto";
import { expect, test } from "vitest";
import tool from "../../../../src/tools/cert/certificate-expiry-checker.ts";
import { refusalOf, runRaw, runTool } from "../run-tool.ts";
import { createCertificate, createPair, toPem } from "./pki.ts";

const pair = createPair();
const make = (options: object = {}): string =>
  toPem(
    "CERTIFICATE",
    createCertificate({ subject: "a", dns: ["a.example", "*.b.example"], ...options }, pair),
  );
const dated = make({ notBefore: "20250101000000Z", notAfter: "20260201000000Z" });

interface Finding {
  rule: string;
  line: number;
  offset: number;
}

async function check(data: string, options: Record<string, unknown> = {}): Promise<Finding[]> {
  const report = JSON.parse(await runTool(tool, { data, now: "2026-01-01T00:00:00Z", ...options })) as {
    valid: boolean;
    errors: Finding[];
  };
  expect(report.valid).toBe(report.errors.length === 0);
  return report.errors;
}

test.each([
  [{ now: "2026-01-02T00:00:00Z" }, []],
  [{ now: "2026-01-02T00:00:01Z" }, ["expires-soon"]],
  [{ now: "2026-01-31T23:59:59Z", days: 0 }, []],
  [{ now: "2026-02-01T00:00:00Z", days: 0 }, []],
  [{ now: "2026-02-01T00:00:01Z", days: 0 }, ["expired"]],
  [{ now: "2025-01-01T00:00:00Z" }, []],
  [{ now: "2024-12-31T23:59:59Z" }, ["not-yet-valid"]],
  [{ days: 32 }, ["expires-soon"]],
])("%j: %j", async (options, rules) => {
  expect((await check(dated, options)).map(({ rule }) => rule)).toEqual(rules);
});

test.each([
  ["a.example", []],
  ["A.EXAMPLE", []],
  ["x.b.example", []],
  ["b.example", ["host-mismatch"]],
  ["x.y.b.example", ["host-mismatch"]],
  ["a.example.evil", ["host-mismatch"]],
  ["192.0.2.1", ["host-mismatch"]],
  ["::1", ["host-mismatch"]],
  ["1:2", ["host-mismatch"]],
  ["999.1", ["host-mismatch"]],
  ["..", ["host-mismatch"]],
])("the host %j: %j", async (host, rules) => {
  expect((await check(make(), { host })).map(({ rule }) => rule)).toEqual(rules);
});

test("a common name alone matches no host (RFC 9525 §2)", async () => {
  expect(await check(make({ subject: "a.example", dns: [] }), { host: "a.example" })).toMatchObject([
    { rule: "host-mismatch" },
  ]);
});

test("each certificate of a bundle is checked and reported with its index; the host is matched against the first only", async () => {
  const first = make();
  const bundle = `# żółć\n${first}${dated}`;
  const found = await check(bundle, { days: 40, host: "a.example" });
  expect(found).toMatchObject([{ rule: "expires-soon", line: 2 + first.split("\n").length - 1 }]);
  expect(found[0]?.offset).toBe(Buffer.byteLength(`# żółć\n${first}`));
});

test("DER bytes are accepted, and anything but a certificate is refused", async () => {
  const der = createCertificate({ subject: "a" }, pair);
  expect(JSON.parse((await runRaw(tool, der, { now: "2026-01-01T00:00:00Z" })).toString())).toEqual({
    valid: true,
    errors: [],
  });
  expect((await refusalOf(check("nothing"))).code).toBe("invalid_document");
  expect((await refusalOf(check(dated, { days: -1 }))).pointer).toBe("/days");
  for (const host of ["", "a\u0000b", "*.b.example", "żółć.example"])
    expect((await refusalOf(check(dated, { host }))).pointer).toBe("/host");
});

test("a time that does not exist is a finding, although Node shows a date", async () => {
  const { validityOf } = await import("../../../../src/lib/x509/describe.ts");
  const date = new Date(0);
  const times = {
    validFrom: "Bad time value",
    validFromDate: date,
    validTo: "Jan  1 1970",
    validToDate: date,
  };
  const { from, to } = validityOf(times as unknown as X509Certificate);
  expect([from.getTime(), to.getTime()]).toEqual([Number.NaN, 0]);
  const found = await check(make({ notAfter: "20261399999999Z" })).catch((error: unknown) => error);
  expect(JSON.stringify(found)).toMatch(/unreadable-time|invalid_document/);
});
