import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { manPages } from "../../../config/build/man-pages.ts";
import { root } from "../../../src/surfaces/cli/root.ts";
import { atHand } from "../../support/at-hand.ts";

const pages = await manPages({ version: "1.2.3", date: new Date("2026-11-25T10:00:00Z") });
const manual = mkdtempSync(join(tmpdir(), "penknife-man-"));
afterAll(() => rmSync(manual, { recursive: true }));
mkdirSync(join(manual, "man1"));
for (const [name, text] of pages) writeFileSync(join(manual, "man1", name), text);

test("there is a page for each command", () => {
  const commands = Object.keys(root.subCommands ?? {});
  expect([...pages.keys()]).toEqual(["penknife.1", ...commands.map((name) => `penknife-${name}.1`)]);
});

test.skipIf(!atHand("mandoc"))("mandoc finds nothing to complain about", () => {
  const files = [...pages.keys()].map((name) => join(manual, "man1", name));
  const { stdout, stderr } = spawnSync("mandoc", ["-T", "lint", "-W", "style", ...files], {
    env: { PATH: process.env.PATH, MANPATH: manual },
    encoding: "utf8",
  });
  expect(stdout).toBe("");
  // It would like an index of the folder.
  expect(stderr.split("\n").filter((line) => !/outdated mandoc\.db/.test(line))).toEqual([""]);
});

test.skipIf(!atHand("mandoc"))("a page reads as the help does", () => {
  const read = (name: string): string => {
    const file = join(manual, "man1", name);
    const { stdout } = spawnSync("mandoc", ["-T", "ascii", "-O", "width=100", file], { encoding: "utf8" });
    // Bold is a character, backspace, and the character again.
    return stdout.replaceAll(new RegExp(".\b", "g"), "").replaceAll(/\s+/g, " ");
  };
  const run = read("penknife-run.1");
  expect(run).toContain("NAME penknife-run - run a tool, or a pipeline with -p, on a file or standard input");
  expect(run).toContain("SYNOPSIS penknife run TOOL ");
  expect(run).toContain("json-formatter penknife run json-formatter [OPTIONS] [FILE] Indent a JSON document");
  expect(run).toMatch(/--dialect VALUE .*?One of: json, jsonc, json5\./);
  expect(run).toContain("EXIT STATUS 0 Success.");
  expect(run).toContain("penknife run -p release.yaml notes.md");
  const admin = read("penknife-admin.1");
  expect(admin).toContain("penknife admin keys issue --account NAME [OPTIONS] Issue a key.");
  expect(admin).toContain("penknife admin keys revoke --all --account ci --reason 'leaked in a log'");
  expect(read("penknife.1")).toMatch(/November 25, 2026 penknife 1\.2\.3 $/);
});
