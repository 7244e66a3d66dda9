import { DocumentFault } from "../../lib/fault.ts";
import { z } from "zod";
import { invalidField } from "../../catalog/input.ts";
import { type Report, toReport } from "../../catalog/report.ts";
import { defineTool } from "../../catalog/tool.ts";
import { findWeak, matchKey, readKeyed } from "../../lib/x509/match.ts";
import { toFindings } from "../findings.ts";
import { refusing } from "../refusing.ts";

const input = z.object({
  data: z.string().describe("A certificate with its chain, or a certificate request (CSR), as PEM"),
  key: z
    .string()
    .max(262_144)
    .describe("The key to match, as PEM: a private key, a public key, a CSR or a certificate"),
});

export default defineTool({
  slug: "certificate-key-matcher",
  title: "Certificate key matcher",
  version: "1.1.0",
  summary: "Check that a certificate or a certificate request belongs to a key.",
  page: {
    title: "Certificate and key",
    tile: "Does the key belong to it?",
    layout: "compare",
    view: "verdict",
    second: "key",
    labels: { data: "Certificate or request", key: "Private or public key" },
  },
  accepts: "a PEM certificate or certificate request",
  aliases:
    "private key matches certificate, ssl key matcher, openssl modulus, compare csr and key, key values mismatch, certificate and key belong together, same public key",
  input,
  check: "report",
  examples: [
    {
      input: {
        data: "-----BEGIN CERTIFICATE-----\nMIIBATCBtKADAgECAgEBMAUGAytlcDAXMRUwEwYDVQQDDAxFeGFtcGxlIFJvb3Qw\nIhgPMjAyNTAxMDEwMDAwMDBaGA8yMDI2MDExNjAwMDAwMFowGjEYMBYGA1UEAwwP\nd3d3LmV4YW1wbGUuY29tMCowBQYDK2VwAyEAgTl3Dqh9F19Wo1Rmw0x+zMuNipG0\n7jeiXfYPW4/Js5SjHjAcMBoGA1UdEQQTMBGCD3d3dy5leGFtcGxlLmNvbTAFBgMr\nZXADQQB+UVsKeXX7LUMn8AZ4x/e7BngHceABdQD322t2rXKwrLPK1jxdrsYxEErI\nQg7eRbZmp9VZAA3kGGgLnMCBBhoO\n-----END CERTIFICATE-----\n",
        key: "-----BEGIN PUBLIC KEY-----\nMCowBQYDK2VwAyEAgTl3Dqh9F19Wo1Rmw0x+zMuNipG07jeiXfYPW4/Js5Q=\n-----END PUBLIC KEY-----\n",
      },
      result: '{\n  "valid": true,\n  "errors": []\n}',
    },
    {
      title: "A certificate request for another key",
      input: {
        data: "-----BEGIN CERTIFICATE REQUEST-----\nMIGZME0CAQAwGjEYMBYGA1UEAwwPd3d3LmV4YW1wbGUuY29tMCowBQYDK2VwAyEA\niojj3XQJ8ZX9UtstPLpdcspnCb8dlBIb83SIAbQPb1ygADAFBgMrZXADQQC3Ewsl\ntiw/N1NafytCJiXVpcLhR1I4fuwbWfWUBGbiQ6GzimYx4e6R9zhy//yHjAoxhuJq\nTEkO+MhKdMpGFk4D\n-----END CERTIFICATE REQUEST-----\n",
        key: "-----BEGIN PUBLIC KEY-----\nMCowBQYDK2VwAyEAgTl3Dqh9F19Wo1Rmw0x+zMuNipG07jeiXfYPW4/Js5Q=\n-----END PUBLIC KEY-----\n",
      },
      result:
        '{\n  "valid": false,\n  "errors": [\n    {\n      "message": "The certificate request does not belong to the public key: both are of one type, but differ.",\n      "severity": "error",\n      "rule": "key-mismatch",\n      "line": 1,\n      "column": 1,\n      "offset": 0,\n      "pointer": ""\n    }\n  ]\n}',
    },
  ],
  run: ({ data, key }) => match(Buffer.from(data), key),
  runBytes: (data, { key }) => match(data, key),
});

function match(data: Uint8Array, key: string): Report {
  const [wanted] = readField(key);
  if (wanted === undefined)
    throw invalidField("key", "Must be a PEM block: a private key, a public key, a CSR or a certificate.");
  return refusing(data, () => {
    const document = readKeyed(Buffer.from(data), ["certificate", "certificate request"]);
    const found = [matchKey(document, wanted), document[0] && findWeak(document[0])];
    return toReport(
      toFindings(
        data,
        found.filter((one) => one !== undefined),
      ),
    );
  });
}

function readField(key: string): ReturnType<typeof readKeyed> {
  try {
    return readKeyed(Buffer.from(key), ["private key", "public key", "certificate request", "certificate"]);
  } catch (error) {
    throw error instanceof DocumentFault ? invalidField("key", error.message) : error;
  }
}
