import { expect, test } from "vitest";
import { createCatalog } from "../../../src/catalog/catalog.ts";
import { tools } from "../../../src/tools/index.ts";
import { refusalOf, runTool } from "./run-tool.ts";

// JSON can write half a surrogate pair, "\ud800", which has no UTF-8. A conversion to bytes would replace it with U+FFFD.
const catalog = createCatalog(tools);
const half = "a\ud800";

test.each<[string, Record<string, unknown>, object]>([
  ["base64-encoder", {}, { offset: 1, column: 2 }],
  ["hex-encoder", {}, { offset: 1, column: 2 }],
  ["hash-generator", {}, { offset: 1 }],
  ["hmac-generator", { key: "k" }, { offset: 1 }],
  ["sri-generator", {}, { offset: 1 }],
  ["checksum-verifier", { expected: "0".repeat(64) }, { offset: 1 }],
  ["qr-code-generator", {}, { offset: 1 }],
  ["url-encoder", {}, { offset: 1 }],
  ["webhook-signature-generator", { provider: "github", secret: "s" }, { offset: 1 }],
  ["webhook-signature-verifier", { provider: "github", secret: "s", headers: "{}" }, { offset: 1 }],
  ["json-formatter", {}, {}],
])("%s refuses a text without UTF-8", async (slug, options, place) => {
  const refusal = await refusalOf(runTool(await catalog.get(slug), { data: half, ...options }));
  expect(refusal).toMatchObject({ code: "invalid_document", ...place });
});

test.each([
  ["hmac-generator", { data: "", key: half }, "/key"],
  ["jwt-generator", { data: "{}", key: half, algorithm: "HS256" }, "/key"],
  ["uuid-generator", { version: "5", name: half }, "/name"],
  ["text-replacer", { data: "😀", find: ".", replace: "$&-", mode: "regex" }, "/find"],
])("%s refuses a field without UTF-8, or one that would produce it", async (slug, input, pointer) => {
  const refusal = await refusalOf(runTool(await catalog.get(slug), input));
  expect(refusal).toMatchObject({ code: "invalid_input", pointer });
});

test("claims with a lone surrogate are refused at its place", async () => {
  const input = {
    data: `{"sub":"${half}"}`,
    key: "a secret of thirty-two bytes or more",
    algorithm: "HS256",
  };
  const refusal = await refusalOf(runTool(await catalog.get("jwt-generator"), input));
  expect(refusal).toMatchObject({ code: "invalid_document", offset: 9, pointer: "/sub" });
});

test("a validator reports it", async () => {
  const report = JSON.parse(
    await runTool(await catalog.get("json-validator"), { data: `["${half}"]` }),
  ) as object;
  expect(report).toMatchObject({ valid: false, errors: [{ rule: "lone-surrogate", offset: 3, column: 4 }] });
});

test("with the flag u a pattern matches whole characters", async () => {
  const input = { data: "😀", find: ".", replace: "$&-", mode: "regex", flags: "u" };
  expect(await runTool(await catalog.get("text-replacer"), input)).toBe("😀-");
});
