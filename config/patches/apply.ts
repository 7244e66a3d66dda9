import { existsSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { applyPatch, parsePatch, reversePatch } from "diff";

// `make` runs this after `npm ci`; the build and the tests run it again, so that both use the same libraries.

const ownFolder = import.meta.dirname;

/**
 * Applies each `<library>@<version>.patch` of a folder to the installed library. A library that is patched already stays
 * as it is.
 * @throws Error where another version is installed, or where a patch does not apply
 */
export function applyPatches(modules = join(ownFolder, "../../node_modules"), folder = ownFolder): void {
  for (const name of readdirSync(folder).filter((file) => file.endsWith(".patch"))) {
    const at = name.lastIndexOf("@");
    // A plus sign stands for the slash of a scope.
    const [library, version] = [name.slice(0, at).replace("+", "/"), name.slice(at + 1, -".patch".length)];
    const installed = readVersion(join(modules, library));
    if (installed !== version) {
      throw new Error(
        `config/patches/${name} is for ${library} ${version}, but ${installed} is installed. ` +
          `Make the patch again for the installed version, or remove it: see "Patched libraries" in ARCHITECTURE.md.`,
      );
    }
    for (const patch of parsePatch(readFileSync(join(folder, name), "utf8"))) {
      const path = join(modules, library, (patch.newFileName ?? "").replace(/^b\//, ""));
      const source = readFileSync(path, "utf8");
      if (applyPatch(source, reversePatch(patch)) !== false) continue;
      const patched = applyPatch(source, patch);
      if (patched === false) {
        throw new Error(
          `config/patches/${name} does not apply to ${path}. Remove node_modules and run make again.`,
        );
      }
      replace(path, patched);
    }
  }
}

function readVersion(folder: string): string {
  const path = join(folder, "package.json");
  if (!existsSync(path)) return "no version";
  return (JSON.parse(readFileSync(path, "utf8")) as { version: string }).version;
}

/** By a new file: package managers share files between installations as hard links. */
function replace(path: string, text: string): void {
  const draft = `${path}.${process.pid}`;
  writeFileSync(draft, text);
  renameSync(draft, path);
}

if (import.meta.main) {
  try {
    applyPatches();
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n`);
    process.exitCode = 1;
  }
}
