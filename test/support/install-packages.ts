import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

/** Installs the packages of a folder of tests; without a folder, those of all tests of `make test`. @throws Error if npm fails. */
export async function installPackages(...folders: string[]): Promise<void> {
  await promisify(execFile)(fileURLToPath(new URL("install-packages.sh", import.meta.url)), folders);
}
