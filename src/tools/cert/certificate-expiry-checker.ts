import { z } from "zod";
import { type Report, toReport } from "../../catalog/report.ts";
import { defineTool, type ToolContext } from "../../catalog/tool.ts";
import { readCertificates } from "../../lib/x509/certificates.ts";
import { checkHost, checkValidity } from "../../lib/x509/check-certificate.ts";
import { now, nowOf } from "../now.ts";
import { toFindings } from "../findings.ts";
import { refusing } from "../refusing.ts";

const input = z.object({
  data: z.string().describe("One or more certificates as PEM, or one as base64 of DER; each is checked"),
  days: z
    .int()
    .min(0)
    .max(36_500)
    .default(30)
    .describe("Minimum number of days that a certificate must remain valid"),
  host: z
    .string()
    .max(253)
    .regex(/^[A-Za-z\d.:_-]+$/, "Must be a host name in ASCII (xn--…) or an IP address.")
    .optional()
    .describe("Host name or address that the first certificate must match; not checked by default"),
  now,
});

export default defineTool({
  slug: "certificate-expiry-checker",
  title: "Certificate expiry checker",
  version: "1.0.1",
  summary: "Find certificates that have expired, expire soon or do not match a host.",
  page: {
    title: "Certificate expiry",
    tile: "Expired, soon to expire, wrong host",
    layout: "check",
    view: "report+cert",
    options: ["days", "host"],
    labels: { data: "Certificates", days: "Warn before (days)", host: "Host name" },
  },
  accepts: "PEM certificates",
  aliases:
    "openssl x509 -checkend, openssl s_client, ssl checker, tls certificate monitor, cert expiration date, days left, expired certificate, not after, hostname mismatch, wrong host, certbot, let's encrypt renewal",
  input,
  deterministic: false,
  check: "report",
  examples: [
    {
      input: {
        data: "-----BEGIN CERTIFICATE-----\nMIIBATCBtKADAgECAgEBMAUGAytlcDAXMRUwEwYDVQQDDAxFeGFtcGxlIFJvb3Qw\nIhgPMjAyNTAxMDEwMDAwMDBaGA8yMDI2MDExNjAwMDAwMFowGjEYMBYGA1UEAwwP\nd3d3LmV4YW1wbGUuY29tMCowBQYDK2VwAyEAgTl3Dqh9F19Wo1Rmw0x+zMuNipG0\n7jeiXfYPW4/Js5SjHjAcMBoGA1UdEQQTMBGCD3d3dy5leGFtcGxlLmNvbTAFBgMr\nZXADQQB+UVsKeXX7LUMn8AZ4x/e7BngHceABdQD322t2rXKwrLPK1jxdrsYxEErI\nQg7eRbZmp9VZAA3kGGgLnMCBBhoO\n-----END CERTIFICATE-----\n",
        days: 7,
        host: "www.example.com",
        now: "2026-01-02T03:04:05Z",
      },
      result: '{\n  "valid": true,\n  "errors": []\n}',
    },
    {
      title: "Two weeks left, and another host",
      input: {
        data: "MIIBATCBtKADAgECAgEBMAUGAytlcDAXMRUwEwYDVQQDDAxFeGFtcGxlIFJvb3QwIhgPMjAyNTAxMDEwMDAwMDBaGA8yMDI2MDExNjAwMDAwMFowGjEYMBYGA1UEAwwPd3d3LmV4YW1wbGUuY29tMCowBQYDK2VwAyEAgTl3Dqh9F19Wo1Rmw0x+zMuNipG07jeiXfYPW4/Js5SjHjAcMBoGA1UdEQQTMBGCD3d3dy5leGFtcGxlLmNvbTAFBgMrZXADQQB+UVsKeXX7LUMn8AZ4x/e7BngHceABdQD322t2rXKwrLPK1jxdrsYxEErIQg7eRbZmp9VZAA3kGGgLnMCBBhoO",
        host: "example.org",
        now: "2026-01-02T03:04:05Z",
      },
      result:
        '{\n  "valid": false,\n  "errors": [\n    {\n      "message": "The certificate of www.example.com expires 2026-01-16T00:00:00.000Z, in 13 days; 30 are required.",\n      "severity": "error",\n      "rule": "expires-soon",\n      "line": 1,\n      "column": 1,\n      "offset": 0,\n      "pointer": ""\n    },\n    {\n      "message": "The certificate of www.example.com is not for example.org; it is for DNS:www.example.com.",\n      "severity": "error",\n      "rule": "host-mismatch",\n      "line": 1,\n      "column": 1,\n      "offset": 0,\n      "pointer": ""\n    }\n  ]\n}',
    },
  ],
  run: ({ data, ...options }, context) => check(Buffer.from(data), options, context),
  runBytes: check,
});

function check(
  data: Uint8Array,
  options: Omit<z.output<typeof input>, "data">,
  context: ToolContext,
): Report {
  const time = nowOf(options, context);
  return refusing(data, () => {
    const found = readCertificates(data).flatMap(({ certificate, offset }, index) => {
      const about = index === 0 && options.host !== undefined ? checkHost(certificate, options.host) : [];
      return [...checkValidity(certificate, time, options.days), ...about].map((one) => ({ ...one, offset }));
    });
    return toReport(toFindings(data, found));
  });
}
