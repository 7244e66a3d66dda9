import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { parseConfigText } from "../../../src/checks/git/config-text.ts";
import { makeFolder } from "../cli/host.ts";
import { gitEnv } from "../cli/repository.ts";

/** Returns the settings that Git reads, as `git config --list` prints them; undefined if it refuses the text. */
function readByGit(folder: string, text: string): string | undefined {
  const file = join(folder, "config");
  writeFileSync(file, Buffer.from(text, "latin1"));
  const words = ["config", "--file", file, "--no-includes", "-z", "--list"];
  const { status, stdout } = spawnSync("git", words, { cwd: folder, env: gitEnv });
  return status === 0 ? stdout.toString("latin1") : undefined;
}

function readByUs(text: string): string | undefined {
  try {
    const settings = parseConfigText(text);
    return settings.map(({ name, value }) => `${name}${value === undefined ? "" : `\n${value}`}\0`).join("");
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

test.each([
  '[filter ""]\n\tclean = a\n[filter "\xff"]\nclean = b\n',
  '[Core]\nBare = true # comment\n[remote "a\\"b\\\\c"] url="x;y" ; z\n',
  "[include]\npath = a \\\n b  \n[A.Sub-x]\nkey\n",
  '\xef\xbb\xbf[core]\r\n\tbare = "a  " b  \r\n',
  '[core]\nx = "unended\n',
  "[core\n",
  "[core]\n1x = a\n",
  "[core]\nx = \\q\n",
  "[core] a = b\n[other] c\n",
  "name = before every section\n",
  "[core]\nx = ends with a backslash\\",
])("reads %j as Git does", (text) => expect(readByUs(text)).toBe(readByGit(makeFolder(), text)));

test("reads what Git reads, and refuses what Git refuses", () => {
  const folder = makeFolder();
  // No tab within a value, and no CR alone: there the versions of Git differ.
  const pieces = [
    "[core]",
    '[a "b"]',
    "[A.B]",
    '[filter ""]',
    '[x "\\"q\\\\"]',
    "\n",
    "\n",
    "\r\n",
    " ",
    "key",
    "Name-1",
    "=",
    "=",
    '"',
    "\\\n",
    "\\n",
    '\\"',
    "\\",
    "#c",
    ";c",
    "value",
    "\xff",
    "[",
    "]",
    '[x  "y"]',
    '[x"y"]',
    "[.]",
    "[core .]",
  ];
  const text = fc
    .array(fc.constantFrom(...pieces), { maxLength: 14 })
    .map((parts) => `[core]\n${parts.join("")}`);
  fc.assert(
    fc.property(text, (one) => {
      expect(readByUs(one)).toBe(readByGit(folder, one));
    }),
    { numRuns: 300 },
  );
});
