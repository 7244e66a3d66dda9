import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import tool from "../../../../src/tools/image/qr-code-generator.ts";
import { refusalOf, runRaw, runTool } from "../run-tool.ts";
import { readQr } from "./qr-reader.ts";
import { anyCharacter } from "../../../support/any-character.ts";

/** The dark modules of an SVG. */
function fromSvg(svg: string, margin: number): boolean[][] {
  const size = Number(/viewBox="0 0 (\d+)/.exec(svg)?.[1]) - 2 * margin;
  const modules = Array.from({ length: size }, () => Array<boolean>(size).fill(false));
  for (const [, x, y, width, back] of svg.matchAll(/M(\d+) (\d+)h(\d+)v1h-(\d+)z/g)) {
    expect(back).toBe(width);
    for (let step = 0; step < Number(width); step++)
      (modules[Number(y) - margin] as boolean[])[Number(x) - margin + step] = true;
  }
  return modules;
}

/** The dark modules of a terminal's output. */
function fromTerminal(text: string, margin: number): boolean[][] {
  const rows = text
    .split("\n")
    .flatMap((line) => [
      [...line].map((block) => block === " " || block === "▄"),
      [...line].map((block) => block === " " || block === "▀"),
    ]);
  const size = (rows[0] as boolean[]).length;
  return rows.slice(margin, size - margin).map((row) => row.slice(margin, size - margin));
}

test.each(["HTTPS://EXAMPLE.COM", "0123456789", "héllo 👋", "", "\u0000\n", "a", "12A", "7"])(
  "%j is read back unchanged",
  async (data) => {
    const svg = fromSvg(await runTool(tool, { data }), 4);
    const terminal = fromTerminal(await runTool(tool, { data, format: "terminal" }), 4);
    expect(terminal).toEqual(svg);
    expect(readQr(svg)).toMatchObject({ ecc: "M", bytes: Buffer.from(data) });
  },
);

test("every level is written into the code", async () => {
  for (const ecc of ["L", "M", "Q", "H"])
    expect(readQr(fromSvg(await runTool(tool, { data: "abc", ecc }), 4))).toMatchObject({
      ecc,
      bytes: Buffer.from("abc"),
    });
});

test("bytes and a raw body are encoded as bytes", async () => {
  const bytes = Buffer.from("00ff80c328", "hex");
  expect(readQr(fromSvg(await runTool(tool, { data: "00ff80c328", dataEncoding: "hex" }), 4)).bytes).toEqual(
    bytes,
  );
  const raw = (await runRaw(tool, bytes, { margin: "0" })).toString();
  expect(readQr(fromSvg(raw, 0)).bytes).toEqual(bytes);
});

test("any short text is read back", async () => {
  const text = fc.oneof(
    fc.string({ unit: anyCharacter, maxLength: 12 }),
    fc.string({ unit: fc.constantFrom(..."0123456789"), maxLength: 40 }),
    fc.string({ unit: fc.constantFrom(..."ABZ 09$:"), maxLength: 30 }),
  );
  await fc.assert(
    fc.asyncProperty(text, fc.constantFrom("L", "M"), async (data, ecc) => {
      expect(readQr(fromSvg(await runTool(tool, { data, ecc }), 4)).bytes).toEqual(
        Buffer.from(data.toWellFormed()),
      );
    }),
  );
});

describe("limits", () => {
  test.each([
    ["L", 2953, 7089],
    ["M", 2331, 5596],
    ["Q", 1663, 3993],
    ["H", 1273, 3057],
  ])("%s holds at most %i bytes or %i digits", async (ecc, bytes, digits) => {
    await runTool(tool, { data: "a".repeat(bytes), ecc });
    await runTool(tool, { data: "1".repeat(digits), ecc });
    for (const data of ["a".repeat(bytes + 1), "1".repeat(digits + 1)])
      expect((await refusalOf(runTool(tool, { data, ecc }))).code).toBe("invalid_document");
  });

  test("a document of megabytes is refused at once", async () => {
    expect((await refusalOf(runTool(tool, { data: "1".repeat(5_000_000) }))).code).toBe("invalid_document");
  });
});

test("a data URI contains the SVG", async () => {
  const svg = await runTool(tool, { data: "x" });
  const uri = await runTool(tool, { data: "x", format: "data-uri" });
  expect(Buffer.from(uri.replace("data:image/svg+xml;base64,", ""), "base64").toString()).toBe(svg);
});

test.each([{ dark: 'red"/><script>' }, { light: "url(#x)" }, { dark: "#12345" }, { light: "" }])(
  "%j is not a colour",
  async (colors) => {
    const refusal = await refusalOf(runTool(tool, { data: "x", ...colors }));
    expect(refusal).toMatchObject({ code: "invalid_input", pointer: `/${Object.keys(colors)[0]}` });
  },
);
