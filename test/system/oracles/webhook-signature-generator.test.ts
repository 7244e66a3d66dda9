import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import tool from "../../../src/tools/crypto/webhook-signature-generator.ts";
import { runTool } from "../../unit/tools/run-tool.ts";

const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
const data = '{"text":"Zażółć 👋"}\n';
const now = "2026-01-02T03:04:05.999Z";
const time = "1767323045";

const openssl = (text: string): string =>
  execFileSync("openssl", ["dgst", "-sha256", "-hmac", secret, "-r"], {
    input: text,
    encoding: "utf8",
  }).slice(0, 64);

test.each([
  ["github", data, "sha256="],
  ["penknife", data, "X-Signature: "],
  ["slack", `v0:${time}:${data}`, "v0="],
  ["stripe", `${time}.${data}`, "v1="],
])("%s: the signature is that of openssl dgst -hmac", async (provider, signed, before) => {
  expect(await runTool(tool, { data, provider, secret, now })).toContain(before + openssl(signed));
});
