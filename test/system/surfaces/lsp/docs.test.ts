import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { fromJson } from "../../../../src/lib/data/from-json.ts";
import { fromToml } from "../../../../src/lib/toml/from-toml.ts";
import { end, start } from "../../cli/spawn.ts";

// The editors themselves are not installed where tests run: each example must be well-formed, and start this server.
const text = readFileSync(new URL("../../../../docs/editors.md", import.meta.url), "utf8");
const blocks = [...text.matchAll(/^```(\w+)\n(.*?)^```$/gms)].map(([, language = "", code = ""]) => ({
  language,
  code,
}));

test("there is an example for each editor", () => {
  expect(blocks.map(({ language }) => language)).toEqual(["lua", "json", "js", "json", "toml", "elisp"]);
});

test("those in JSON, TOML and JavaScript can be read, and the brackets of the others are closed", () => {
  for (const { language, code } of blocks) {
    if (language === "json") fromJson(code);
    if (language === "toml") fromToml(code, { version: "1.0" });
    // Only parsed, by a module that is not run.
    if (language === "js") expect(code).toMatch(/require\("vscode-languageclient\/node"\)/);
    const count = (character: string): number => code.split(character).length;
    for (const [open, close] of ["()", "{}", "[]"].map((pair) => [pair[0] ?? "", pair[1] ?? ""] as const))
      expect(count(open), code).toBe(count(close));
  }
});

test("each names the command of this program, which starts a server", async () => {
  const commands = blocks.filter(({ code }) => /penknife"/.test(code) && /lsp"/.test(code));
  expect(commands).toHaveLength(4);
  for (const { code } of commands) expect(code).toMatch(/"penknife",?\s*(?:args\s*[:=]\s*\[?)?\s*"lsp"/);
  const messages = [
    { jsonrpc: "2.0", id: 1, method: "initialize", params: { capabilities: {} } },
    { jsonrpc: "2.0", id: 2, method: "shutdown" },
    { jsonrpc: "2.0", method: "exit" },
  ];
  const input = messages
    .map((one) => JSON.stringify(one))
    .map((body) => `Content-Length: ${body.length}\r\n\r\n${body}`);
  const { status, stdout } = await end(start(["lsp"], { stdio: ["pipe", "pipe", "pipe"] }), input.join(""));
  expect(status).toBe(0);
  expect(String(stdout)).toContain('"name":"penknife"');
});
