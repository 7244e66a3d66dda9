import { fileURLToPath } from "node:url";
import { applyPatches } from "../config/patches/apply.ts";
import { installPackage } from "./install-package.ts";

const folders = [
  "ci/",
  "config/operating/",
  "e2e/browser/",
  "openapi/",
  "reports/",
  "sarif/",
  "services/access/oidc/",
  "services/webhooks/verifiers/",
  "surfaces/graphql/clients/",
  "surfaces/mcp/clients/",
];

/** Runs once, before the first test. */
export async function setup(): Promise<void> {
  applyPatches();
  await installPackages();
}

/** Installs the packages of all tests, before any of them: two test files that need the same package run at the same time. */
async function installPackages(): Promise<void> {
  await Promise.all(
    folders.map((folder) =>
      installPackage(fileURLToPath(new URL(folder, import.meta.url))).catch((error: unknown) => {
        // Without a network, only the tests that need the package fail.
        process.stderr.write(`test/${folder} was not installed: ${(error as Error).message}\n`);
      }),
    ),
  );
}

// `make test` does it beside the build, which applies the patches itself.
if (import.meta.main) await installPackages();
