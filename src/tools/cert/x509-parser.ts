import { z } from "zod";
import { defineTool, type ToolContext } from "../../catalog/tool.ts";
import { readCertificates } from "../../lib/x509/certificates.ts";
import { findIssuers, isOrdered, isSelfSigned } from "../../lib/x509/chain.ts";
import { describeCertificate } from "../../lib/x509/describe.ts";
import { now, nowOf } from "../now.ts";
import { refusing } from "../refusing.ts";

const input = z.object({
  data: z
    .string()
    .describe("One or more certificates as PEM, or one as base64 of DER; keys in between are skipped"),
  now,
});

export default defineTool({
  slug: "x509-parser",
  title: "X509 parser",
  version: "1.2.0",
  summary:
    "Show the names, key, remaining days and fingerprints of certificates, and whether they form an ordered chain.",
  page: {
    title: "X.509 certificate",
    tile: "Names, days left, chain",
    view: "cards:cert",
    labels: { data: "Certificates" },
  },
  accepts: "PEM or DER certificates",
  aliases:
    "openssl x509 -text, certificate decoder, cert viewer, ssl certificate info, decode pem, crt, der, subject alternative names, san, issuer, certificate chain, parse x.509 certificate, certificate fingerprint, serial number, ca bundle, fullchain.pem",
  input,
  deterministic: false,
  // Verifying the signature of each certificate takes too long for the event loop.
  isolate: "thread",
  examples: [
    {
      input: {
        data: "-----BEGIN CERTIFICATE-----\nMIIBATCBtKADAgECAgEBMAUGAytlcDAXMRUwEwYDVQQDDAxFeGFtcGxlIFJvb3Qw\nIhgPMjAyNTAxMDEwMDAwMDBaGA8yMDI2MDExNjAwMDAwMFowGjEYMBYGA1UEAwwP\nd3d3LmV4YW1wbGUuY29tMCowBQYDK2VwAyEAgTl3Dqh9F19Wo1Rmw0x+zMuNipG0\n7jeiXfYPW4/Js5SjHjAcMBoGA1UdEQQTMBGCD3d3dy5leGFtcGxlLmNvbTAFBgMr\nZXADQQB+UVsKeXX7LUMn8AZ4x/e7BngHceABdQD322t2rXKwrLPK1jxdrsYxEErI\nQg7eRbZmp9VZAA3kGGgLnMCBBhoO\n-----END CERTIFICATE-----\n",
        now: "2026-01-02T03:04:05Z",
      },
      result:
        '{\n  "certificates": [\n    {\n      "subject": "CN=www.example.com",\n      "commonName": "www.example.com",\n      "subjectAltNames": [\n        "DNS:www.example.com"\n      ],\n      "issuer": "CN=Example Root",\n      "serialNumber": "01",\n      "notBefore": "2025-01-01T00:00:00.000Z",\n      "notAfter": "2026-01-16T00:00:00.000Z",\n      "daysLeft": 13,\n      "key": {\n        "type": "ed25519"\n      },\n      "signatureAlgorithm": "ED25519",\n      "ca": false,\n      "keyUsage": [],\n      "extendedKeyUsage": [],\n      "pathLength": null,\n      "subjectKeyId": null,\n      "authorityKeyId": null,\n      "fingerprintSha256": "1F:F4:21:76:32:21:1B:C5:6C:97:64:A3:B0:AC:B4:A5:4D:86:EB:0A:A6:CB:8E:5D:26:B0:56:00:66:29:03:B8",\n      "fingerprintSha1": "86:2A:3A:60:9B:D6:CC:4B:FE:88:1B:27:5D:D4:38:8C:86:E7:BC:1D",\n      "publicKeySha256": "R96ljqAPrpQX7hnXZ1W/72kImQIRMu/7BP4fnk8MgFk=",\n      "selfSigned": false,\n      "issuedBy": null\n    }\n  ],\n  "ordered": true\n}',
    },
    {
      title: "A root certificate as base64 of DER",
      input: {
        data: "MIHwMIGjoAMCAQICAQEwBQYDK2VwMBcxFTATBgNVBAMMDEV4YW1wbGUgUm9vdDAiGA8yMDI1MDEwMTAwMDAwMFoYDzIwMzUwMTAxMDAwMDAwWjAXMRUwEwYDVQQDDAxFeGFtcGxlIFJvb3QwKjAFBgMrZXADIQCKiOPddAnxlf1S2y08ul1yymcJvx2UEhvzdIgBtA9vXKMQMA4wDAYDVR0TBAUwAwEB/zAFBgMrZXADQQDPySiY1H2Bv/v9tQIwNo4nR76NFL+15IitXNkFSNjU+2USdzz+rf4tkUjWpEUQD10bLEV4ToOrHUfKjkmLCNcE",
        now: "2026-01-02T03:04:05Z",
      },
      result:
        '{\n  "certificates": [\n    {\n      "subject": "CN=Example Root",\n      "commonName": "Example Root",\n      "subjectAltNames": [],\n      "issuer": "CN=Example Root",\n      "serialNumber": "01",\n      "notBefore": "2025-01-01T00:00:00.000Z",\n      "notAfter": "2035-01-01T00:00:00.000Z",\n      "daysLeft": 3285,\n      "key": {\n        "type": "ed25519"\n      },\n      "signatureAlgorithm": "ED25519",\n      "ca": true,\n      "keyUsage": [],\n      "extendedKeyUsage": [],\n      "pathLength": null,\n      "subjectKeyId": null,\n      "authorityKeyId": null,\n      "fingerprintSha256": "1C:69:F1:2B:BD:27:42:65:E0:CA:67:E4:6C:10:30:ED:D6:A2:E4:DB:14:11:6F:C0:A0:68:10:5A:4E:5B:AE:53",\n      "fingerprintSha1": "01:E1:EC:2E:C6:14:EF:C5:11:DE:9C:9B:79:75:5E:9F:4B:06:56:F0",\n      "publicKeySha256": "/RENMB0vB33hQUuPmfRBsUA/qyB7IFL70sBl5O6OfcI=",\n      "selfSigned": true,\n      "issuedBy": 0\n    }\n  ],\n  "ordered": true\n}',
    },
  ],
  run: ({ data, ...options }, context) => parse(Buffer.from(data), options, context),
  runBytes: parse,
});

function parse(
  data: Uint8Array,
  options: Omit<z.output<typeof input>, "data">,
  context: ToolContext,
): string {
  const time = nowOf(options, context);
  return refusing(data, () => {
    const certificates = readCertificates(data).map(({ certificate }) => certificate);
    const issuers = findIssuers(certificates);
    const described = certificates.map((certificate, index) => ({
      ...describeCertificate(certificate, time),
      selfSigned: isSelfSigned(certificate),
      // Index of the issuer in this list.
      issuedBy: issuers[index],
    }));
    return JSON.stringify({ certificates: described, ordered: isOrdered(issuers) }, null, 2);
  });
}
