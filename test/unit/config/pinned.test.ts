import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

const root = new URL("../../../", import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, root), "utf8");

interface LockEntry {
  integrity?: string;
  /** It is bundled in its parent's package, whose hash covers it. */
  inBundle?: boolean;
  /** It is a link to a folder beside the lock file, which `resolved` names. */
  link?: boolean;
  resolved?: string;
}

/** Whether an entry is a folder of this repository, whose files are here, or a link to one. */
const isOurs = (name: string, { link, resolved = "" }: LockEntry): boolean =>
  /^left-out\/[\w-]+$/.test(link === true ? resolved : name);

const locks = globSync("**/package-lock.json", {
  cwd: root,
  exclude: ["**/node_modules/**", "dist/**"],
}).toSorted();

test("every lock file of the project is listed", () => {
  expect(locks).toContain("package-lock.json");
  expect(locks.length).toBeGreaterThan(5);
});

test.each(locks)("%s has a hash for every package, of every platform", (path) => {
  const { packages } = JSON.parse(read(path)) as { packages: Record<string, LockEntry> };
  const unpinned = Object.entries(packages).filter(
    ([name, entry]) =>
      name !== "" &&
      entry.inBundle !== true &&
      !isOurs(name, entry) &&
      !/^sha512-[\w+/]{86}==$/.test(entry.integrity ?? ""),
  );
  expect(unpinned.map(([name]) => name)).toEqual([]);
});

test("images from a registry are pinned by digest", () => {
  const sources = [...read("Dockerfile").matchAll(/^(?:ARG \w*BASE=|FROM )(\S+)/gm)].map(
    ([, image = ""]) => image,
  );
  // Stages and arguments of this file, and the empty image.
  const foreign = sources.filter((image) => image !== "scratch" && !/^(?:\$\{\w+\})$/.test(image));
  expect(foreign.length).toBeGreaterThan(0);
  expect(foreign.filter((image) => !/@sha256:[0-9a-f]{64}$/.test(image))).toEqual([]);
});
