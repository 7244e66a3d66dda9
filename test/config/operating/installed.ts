import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";

const folder = fileURLToPath(new URL(".", import.meta.url));
const require = createRequire(import.meta.url);

/** The folder of a package that package-lock.json beside this file names; installs them all, once. */
export function folderOf(name: string): string {
  if (!existsSync(`${folder}node_modules/.package-lock.json`)) {
    execFileSync("npm", ["ci", "--ignore-scripts", "--no-audit", "--no-fund"], {
      cwd: folder,
      stdio: "pipe",
    });
  }
  return `${folder}node_modules/${name}`;
}

export function requirePackage<T>(name: string): T {
  folderOf(name);
  return require(name) as T;
}
