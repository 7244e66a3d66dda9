import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import tool from "../../../../src/tools/crypto/sri-generator.ts";
import { refusalOf, runRaw, runTool } from "../run-tool.ts";

test.each(["sha256", "sha384", "sha512"])("%s of text, of bytes and of a raw body", async (algorithm) => {
  const wanted = `${algorithm}-${createHash(algorithm).update("é\r\n").digest("base64")}`;
  expect(await runTool(tool, { data: "é\r\n", algorithm })).toBe(wanted);
  expect(await runTool(tool, { data: "c3a90d0a", dataEncoding: "hex", algorithm })).toBe(wanted);
  expect((await runRaw(tool, Buffer.from("é\r\n"), { algorithm })).toString()).toBe(wanted);
});

test("padding and the characters + and / remain: browsers accept no other base64", async () => {
  expect(await runTool(tool, { data: "", algorithm: "sha256" })).toBe(
    "sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=",
  );
});

test("refuses algorithms that browsers do not support", async () => {
  for (const algorithm of ["md5", "sha1", "SHA-512/256"])
    expect((await refusalOf(runTool(tool, { data: "", algorithm }))).pointer).toBe("/algorithm");
});
