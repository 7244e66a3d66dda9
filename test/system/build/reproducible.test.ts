import { execFile, execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { cpSync, createReadStream, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { promisify } from "node:util";
import { afterAll, expect, it } from "vitest";

// Builds once more what `make build` has built: in another folder, later, from an empty cache, in another environment.
const root = new URL("../../..", import.meta.url).pathname;
const elsewhere = mkdtempSync(join(tmpdir(), "penknife-built-again-in-a-longer-path-"));

afterAll(() => rmSync(elsewhere, { recursive: true }));

it("is the same to the last byte when it is built in another folder", async () => {
  for (const path of ["config", "docs", "src", "package.json", "package-lock.json", "LICENSE"])
    cpSync(join(root, path), join(elsewhere, path), { recursive: true });
  const packages = [join(root, "node_modules"), join(elsewhere, "node_modules")];
  try {
    // Hard links: copies of half a gigabyte would take longer than the build.
    execFileSync("cp", ["-al", ...packages], { stdio: "pipe" });
  } catch {
    execFileSync("cp", ["-a", ...packages]);
  }
  const version = execFileSync(join(root, "dist/penknife"), ["--version"], { encoding: "utf8" });
  const [, commit = ""] = /\((.+)\)/.exec(version) ?? [];
  await promisify(execFile)(join(elsewhere, "node_modules/.bin/node"), ["config/build/build.ts"], {
    cwd: elsewhere,
    env: { PATH: process.env.PATH, COMMIT: commit, TZ: "Asia/Kathmandu", LC_ALL: "C", HOME: elsewhere },
  });
  expect(
    await hashOf(join(elsewhere, "dist/penknife")),
    "dist/penknife is older than the sources, or the build is not reproducible: run make build, and see docs/verify.md",
  ).toBe(await hashOf(join(root, "dist/penknife")));
}, 900_000);

async function hashOf(path: string): Promise<string> {
  const hash = createHash("sha256");
  await pipeline(createReadStream(path), hash);
  return hash.digest("hex");
}
