import { fileURLToPath } from "node:url";
import { applyPatches } from "../config/patches/apply.ts";
import { installPackage } from "./install-package.ts";

const folders = [
  "config/operating/",
  "e2e/browser/",
  "openapi/",
  "sarif/",
  "services/webhooks/verifiers/",
  "surfaces/graphql/clients/",
];

/** Once, before any test: two test files that need the same package run at the same time. */
export function setup(): void {
  applyPatches();
  for (const folder of folders) {
    try {
      installPackage(fileURLToPath(new URL(folder, import.meta.url)));
    } catch (error) {
      // Without a network the tests beside it fail, and all others need not.
      process.stderr.write(`test/${folder} was not installed: ${(error as Error).message}\n`);
    }
  }
}
