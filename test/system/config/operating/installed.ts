import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";

const folder = fileURLToPath(new URL(".", import.meta.url));
const require = createRequire(import.meta.url);

/** The folder of a package in the package-lock.json beside this file; test/run/setup.ts installs them. */
export function folderOf(name: string): string {
  return `${folder}node_modules/${name}`;
}

export function requirePackage<T>(name: string): T {
  return require(name) as T;
}
