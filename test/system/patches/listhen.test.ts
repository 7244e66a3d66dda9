import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";

// config/patches/listhen@1.10.1.patch

test("importing listhen loads what opens a port, and none of its development features", () => {
  const script = `
    const { registerHooks } = require("node:module");
    const loaded = [];
    registerHooks({ load: (url, context, next) => (loaded.push(url), next(url, context)) });
    import("listhen").then(() => console.log(JSON.stringify(loaded)));`;
  const output = execFileSync(process.execPath, ["-e", script], {
    cwd: new URL("../../..", import.meta.url).pathname,
    encoding: "utf8",
  });
  const packages = new Set(
    (JSON.parse(output) as string[]).flatMap((url) => /\/node_modules\/([^/]+)\//.exec(url)?.[1] ?? []),
  );
  expect([...packages].toSorted()).toEqual(["defu", "get-port-please", "http-shutdown", "listhen", "pathe"]);
});
