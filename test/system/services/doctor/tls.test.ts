import { execFileSync } from "node:child_process";
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { checkTls } from "../../../../src/services/doctor/tls.ts";
import { deps, settings, findingOf, troubles } from "../../../unit/services/doctor/settings.ts";
import { testRuntime } from "../../../support/runtime.ts";

let folder: string;
const at = (name: string) => join(folder, name);
const openssl = (...words: string[]) => execFileSync("openssl", words, { cwd: folder, stdio: "pipe" });

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "penknife-doctor-"));
  for (const name of ["ca", "leaf", "other"])
    openssl("ecparam", "-name", "prime256v1", "-genkey", "-noout", "-out", `${name}.key`);
  openssl("req", "-x509", "-key", "ca.key", "-subj", "/CN=Test CA", "-days", "3650", "-out", "ca.pem");
  openssl(
    "req",
    "-x509",
    "-key",
    "other.key",
    "-subj",
    "/CN=Other",
    "-days",
    "3650",
    "-addext",
    "subjectAltName=DNS:other.example",
    "-out",
    "other.pem",
  );
  openssl("req", "-new", "-key", "leaf.key", "-subj", "/CN=tools.example", "-out", "leaf.csr");
  writeFileSync(at("names"), "subjectAltName=DNS:tools.example,IP:192.0.2.7\n");
  openssl(
    "x509",
    "-req",
    "-in",
    "leaf.csr",
    "-CA",
    "ca.pem",
    "-CAkey",
    "ca.key",
    "-CAcreateserial",
    "-days",
    "90",
    "-extfile",
    "names",
    "-out",
    "leaf.pem",
  );
  openssl(
    "x509",
    "-req",
    "-in",
    "leaf.csr",
    "-CA",
    "ca.pem",
    "-CAkey",
    "ca.key",
    "-CAcreateserial",
    "-days",
    "90",
    "-out",
    "nameless.pem",
  );
  const text = (name: string) => readFileSync(at(name), "utf8");
  writeFileSync(at("chain.pem"), text("leaf.pem") + text("ca.pem"));
  writeFileSync(at("nameless-chain.pem"), text("nameless.pem") + text("ca.pem"));
  writeFileSync(at("mixed.pem"), text("leaf.pem") + text("other.pem"));
  writeFileSync(at("text.pem"), "hello\n");
  for (const name of ["leaf.key", "other.key"]) chmodSync(at(name), 0o600);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const day = 86_400_000;
const check = (cert: string, key: string, { host = "0.0.0.0", days = 0 } = {}) =>
  checkTls(
    settings({ server: { host, tlsCert: at(cert), tlsKey: at(key) } }).server,
    deps({ runtime: testRuntime({ now: () => Date.now() + days * day }) }),
  );

test("without a certificate there is no finding", () => {
  expect(checkTls(settings().server, deps())).toEqual([]);
});

describe("a certificate", () => {
  test.each<[string, Parameters<typeof check>, string[], RegExp]>([
    ["well", ["chain.pem", "leaf.key"], [], /valid for 89 days/],
    ["for the address", ["chain.pem", "leaf.key", { host: "192.0.2.7" }], [], /is for DNS:tools\.example/],
    ["for the name", ["chain.pem", "leaf.key", { host: "tools.example" }], [], /is for DNS/],
    [
      "for another address",
      ["chain.pem", "leaf.key", { host: "192.0.2.8" }],
      ["note tls.names"],
      /not for 192\.0\.2\.8/,
    ],
    [
      "that ends soon",
      ["chain.pem", "leaf.key", { days: 70 }],
      ["warning tls.expiry"],
      /expires in 19 days.*SIGHUP/,
    ],
    [
      "that has ended",
      ["chain.pem", "leaf.key", { days: 91 }],
      ["error tls.expiry"],
      /expired on .*clients refuse it/,
    ],
    ["that has not begun", ["chain.pem", "leaf.key", { days: -1 }], ["error tls.expiry"], /not valid before/],
    [
      "with another's key",
      ["chain.pem", "other.key"],
      ["error tls.key"],
      /is not the key of the certificate/,
    ],
    ["with no key", ["chain.pem", "text.pem"], ["error tls.key"], /cannot be used/],
    ["with a key that is not there", ["chain.pem", "none.key"], ["error tls.key"], /ENOENT/],
    [
      "alone",
      ["leaf.pem", "leaf.key"],
      ["warning tls.chain"],
      /without its issuer \(CN=Test CA\).*fullchain\.pem/,
    ],
    [
      "before one that did not issue it",
      ["mixed.pem", "leaf.key"],
      ["error tls.chain"],
      /did not issue the one before it \(CN=Other\)/,
    ],
    ["that issued itself", ["other.pem", "other.key"], ["note tls.chain"], /self-signed/],
    ["without a name", ["nameless-chain.pem", "leaf.key"], ["error tls.names"], /names no host/],
    [
      "that is invalid",
      ["text.pem", "leaf.key"],
      ["error tls.certificate"],
      /has no certificate in PEM form/,
    ],
    ["that is not there", ["none.pem", "leaf.key"], ["error tls.certificate"], /ENOENT/],
  ])("%s", (_, words, wanted, pattern) => {
    const findings = check(...words);
    expect(troubles(findings)).toEqual(wanted);
    expect(findings.map(({ message, action }) => `${message} ${action}`).join("\n")).toMatch(pattern);
  });

  test("whose key is readable by everyone", () => {
    chmodSync(at("leaf.key"), 0o644);
    const findings = check("chain.pem", "leaf.key");
    expect(troubles(findings)).toEqual(["warning tls.key"]);
    expect(findingOf(findings, "tls.key")).toContain("chmod 640");
    chmodSync(at("leaf.key"), 0o600);
  });
});
