import { execFile, execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, expect, it } from "vitest";

// Builds once more what `make build` has built: in another folder, later, from an empty cache, in another environment.
const root = new URL("../..", import.meta.url).pathname;
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
    differences(join(root, "dist"), join(elsewhere, "dist")),
    "dist/penknife is older than the sources, or the build is not reproducible: run make build, and see docs/verify.md",
  ).toEqual([]);
}, 900_000);

/** Describes where two builds differ. */
function differences(one: string, other: string): string[] {
  const folders = ["web", "graphiql"];
  const files = [...new Set(folders.flatMap((folder) => [one, other].flatMap((dist) => list(dist, folder))))];
  return [...files.toSorted(), "penknife"].flatMap((path) => {
    const [bytes, others] = [read(one, path), read(other, path)];
    if (bytes.equals(others)) return [];
    const places = findPlaces(bytes, others);
    return [
      `${path}: ${bytes.length} and ${others.length} bytes; ${places.length === 1000 ? "1000 or more" : places.length} differ: ${places.slice(0, 5).join(", ")}`,
    ];
  });
}

/** Returns the offsets of bytes that differ, up to a thousand of them. */
function findPlaces(one: Buffer, other: Buffer): number[] {
  const places: number[] = [];
  for (let at = 0; at < one.length && places.length < 1000; at++) if (one[at] !== other[at]) places.push(at);
  return places;
}

const list = (dist: string, folder: string): string[] =>
  readdirSync(join(dist, folder)).map((name) => join(folder, name));

/** A file that is missing has no bytes. */
function read(dist: string, path: string): Buffer {
  try {
    return readFileSync(join(dist, path));
  } catch {
    return Buffer.alloc(0);
  }
}
