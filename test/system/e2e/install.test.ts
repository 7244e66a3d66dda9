import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { globSync, mkdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, expect, it } from "vitest";
import { shareFiles } from "../../../config/build/share.ts";
import { emptyFolder } from "./harness.ts";

const root = new URL("../../../", import.meta.url).pathname;
const folder = emptyFolder();
afterAll(() => folder.remove());

const destination = join(folder.path, "a package");
const make = (...args: string[]): string =>
  execFileSync("make", ["--no-print-directory", ...args, `DESTDIR=${destination}`, "PREFIX=/opt/knife"], {
    cwd: root,
    encoding: "utf8",
  });
const found = () =>
  globSync("**/*", { cwd: destination }).filter((path) => statSync(join(destination, path)).isFile());
const share = await shareFiles();

it("installs the executable, its manual, completion for three shells, licence and example", () => {
  make("install");
  expect(found().toSorted()).toEqual(
    [
      "bin/penknife",
      ...[...share.keys()].map((path) => `share/${path}`),
      ...["CHANGELOG.md", "LICENSE", "README.md", "SECURITY.md"].map((name) => `share/doc/penknife/${name}`),
      "share/doc/penknife/examples/penknife.service",
      "share/doc/penknife/examples/penknife.yaml",
    ]
      .map((path) => `opt/knife/${path}`)
      .toSorted(),
  );
  const modes = found().map((path) => (statSync(join(destination, path)).mode & 0o777).toString(8));
  expect(new Set(modes)).toEqual(new Set(["755", "644"]));
});

it("installs what runs, with the script of its completion", () => {
  const program = join(destination, "opt/knife/bin/penknife");
  const run = (...args: string[]) => execFileSync(program, args, { encoding: "utf8", env: {} });
  expect(run("run", "json-minifier", "--text", '{"a": 1}')).toBe('{"a":1}\n');
  expect(run("completion", "bash")).toBe(share.get("bash-completion/completions/penknife"));
  const { version, node, platform } = JSON.parse(run("version", "--json")) as Record<string, string>;
  expect(run("--version")).toContain(`penknife ${version} `);
  expect(node).toMatch(/^26\./);
  expect(platform).toMatch(/^(?:linux|darwin)-(?:x64|arm64)$/);
});

it("replaces the executable while it runs", async () => {
  const child = spawn(join(destination, "opt/knife/bin/penknife"), ["run", "json-minifier"], { env: {} });
  const output = text(child.stdout);
  await once(child, "spawn");
  make("install");
  child.stdin.end("[1, 2]");
  expect(await output).toBe("[1,2]\n");
});

it("removes all of it, and nothing else", () => {
  const other = join(destination, "opt/knife/share/man/man1/other.1");
  writeFileSync(other, "");
  make("uninstall");
  expect(found()).toEqual(["opt/knife/share/man/man1/other.1"]);
  execFileSync("rm", [other]);
  make("uninstall");
  expect(globSync("**/*", { cwd: destination })).toEqual([]);
});

it("keeps the folders of a system when it uninstalls without DESTDIR", () => {
  const prefix = join(folder.path, "prefix");
  mkdirSync(join(prefix, "bin"), { recursive: true });
  const { status } = spawnSync(join(root, "config/install.sh"), ["--uninstall"], {
    env: { PATH: process.env["PATH"], PREFIX: prefix },
  });
  expect(status).toBe(0);
  expect(globSync("**/*", { cwd: prefix })).toEqual(["bin"]);
});
