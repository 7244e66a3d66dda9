import { readFileSync } from "node:fs";
import { executable, readAssetBytes } from "../../lib/asset.ts";

/** Bytes of a file that the build made; undefined in a source tree where nothing was built yet. */
export function readBundled(name: string): Uint8Array | undefined {
  if (executable) return readAssetBytes(name);
  try {
    return readFileSync(new URL(`../../../dist/${name}`, import.meta.url));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}
