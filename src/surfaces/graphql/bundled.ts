import { readFileSync } from "node:fs";
import { executable, readAssetBytes } from "../../lib/asset.ts";

/** Returns a file that the build made; undefined in a source tree without a build. */
export function readBundled(name: string): Uint8Array | undefined {
  if (executable) return readAssetBytes(name);
  try {
    return readFileSync(new URL(`../../../dist/${name}`, import.meta.url));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}
