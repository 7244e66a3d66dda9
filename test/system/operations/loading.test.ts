import { execFileSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { expect, test } from "vitest";

const root = new URL("../../../", import.meta.url);
/** The files of operations, without what several of them share. */
const files = readdirSync(new URL("src/operations", root), { recursive: true, encoding: "utf8" }).filter(
  (path) => path.includes("/") && !/\/(?:view|options)\.ts$/.test(path),
);

/** Returns the files of operations that a process loads to find a command. */
function loadedBy(words: string[]): string[] {
  const script = `
    const { registerHooks } = require("node:module");
    const loaded = [];
    registerHooks({ load: (url, context, next) => (loaded.push(url), next(url, context)) });
    (async () => {
      const { findCommand } = await import("./src/surfaces/cli/find-command.ts");
      const { adminCommand } = await import("./src/surfaces/cli/admin/admin.ts");
      const { command } = await findCommand(adminCommand, ${JSON.stringify(words)}, {});
      if (command.run === undefined && ${words.length > 1}) throw new Error("no command");
      console.log(JSON.stringify(loaded));
    })();`;
  const output = execFileSync(process.execPath, ["-e", script], { cwd: root, encoding: "utf8" });
  const urls = JSON.parse(output) as string[];
  return files.filter((path) => urls.includes(new URL(`src/operations/${path}`, root).href));
}

test.each([
  [["keys", "list"], ["keys/list.ts"]],
  [["accounts", "disable"], ["accounts/disable.ts"]],
  [["keys", "revoke"], ["keys/list.ts"]],
  [["accounts"], files.filter((path) => path.startsWith("accounts/"))],
])("penknife admin %j loads no other operation", (words, expected) => {
  expect(loadedBy(words)).toEqual(expected);
});
