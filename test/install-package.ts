import { execFileSync } from "node:child_process";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/**
 * Installs what package-lock.json in the folder names, where it is not installed yet: tools that only some tests need
 * are packages of their own beside those tests. Not to be called for one folder by two processes at once, because
 * `npm ci` begins with removing what is there: `setup.ts` does it before the first test.
 */
export function installPackage(folder: string): void {
  const lock = readFileSync(join(folder, "package-lock.json"), "utf8");
  const installed = join(folder, "node_modules", ".installed-lock.json");
  if (readText(installed) === lock) return;
  rmSync(installed, { force: true });
  execFileSync("npm", ["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--no-update-notifier"], {
    cwd: folder,
    stdio: "pipe",
  });
  writeFileSync(installed, lock);
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}
