import { execFile } from "node:child_process";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";

/**
 * Installs what package-lock.json in the folder names, unless it is installed: tools that only some tests need are packages of their own
 * beside those tests. Two calls for one folder must not overlap, because `npm ci` begins by removing the installed packages: `setup.ts`
 * makes them before the first test.
 */
export async function installPackage(folder: string): Promise<void> {
  const lock = readFileSync(join(folder, "package-lock.json"), "utf8");
  const installed = join(folder, "node_modules", ".installed-lock.json");
  if (readText(installed) === lock) return;
  rmSync(installed, { force: true });
  const options = ["--ignore-scripts", "--no-audit", "--no-fund", "--no-update-notifier", "--prefer-offline"];
  await promisify(execFile)("npm", ["ci", ...options], { cwd: folder });
  writeFileSync(installed, lock);
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}
