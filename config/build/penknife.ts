import { fileURLToPath } from "node:url";
import { libraries, type OauthLibrary, storeThreadScript } from "../../src/lib/load.ts";
import type { BuildOptions } from "./executable.ts";
import { shareLibraries } from "./plugins.ts";

const root = new URL("../../", import.meta.url).pathname;
const inSource = (path: string): string => `${root}src/${path}`;

/** The exports that `OauthLibrary` has; an object, so that the compiler finds one that is missing. */
const oauth4webapi: Record<keyof OauthLibrary, true> = {
  allowInsecureRequests: true,
  authorizationCodeGrantRequest: true,
  AuthorizationResponseError: true,
  calculatePKCECodeChallenge: true,
  ClientSecretBasic: true,
  ClientSecretPost: true,
  clockTolerance: true,
  customFetch: true,
  discoveryRequest: true,
  getValidatedIdTokenClaims: true,
  jwksCache: true,
  None: true,
  processAuthorizationCodeResponse: true,
  processDiscoveryResponse: true,
  processUserInfoResponse: true,
  RESPONSE_IS_NOT_CONFORM: true,
  RESPONSE_IS_NOT_JSON: true,
  ResponseBodyError: true,
  userInfoRequest: true,
  validateApplicationLevelSignature: true,
  validateAuthResponse: true,
};

/** The parts of penknife. `build.ts` adds target, version, commit and output path. */
export const penknife: Omit<BuildOptions, "target" | "version" | "commit" | "output"> = {
  main: inSource("main.ts"),
  worker: inSource("worker.ts"),
  threads: { [storeThreadScript]: inSource("storage/sqlite/thread.ts") },
  together: {
    // Needed by every command, or by the server and the commands that run tools.
    main: [
      "main.ts",
      "build-info.ts",
      "config.ts",
      "catalog/catalog.ts",
      "catalog/run.ts",
      "catalog/open.ts",
      "lib/load.ts",
      "lib/mutex.ts",
      "lib/time/day.ts",
      "surfaces/cli/load-settings.ts",
      "tools/index.ts",
    ].map(inSource),
    run: ["surfaces/cli/run.ts"].map(inSource),
    serve: ["app.ts", "surfaces/cli/serve.ts"].map(inSource),
    // Most tools are over JSON: their first call evaluates one script in the place of a dozen.
    json: ["tools/format-json.ts", "tools/json-dialect.ts"].map(inSource),
  },
  // Threads start before they are needed, so that the imports of every tool are evaluated in advance.
  workerTogether: {
    "worker-main": [
      inSource("worker.ts"),
      inSource("catalog/tool.ts"),
      fileURLToPath(new URL(".", import.meta.resolve("zod"))),
    ],
  },
  libraries: Object.keys(libraries),
  parts: { oauth4webapi: Object.keys(oauth4webapi) },
  plugins: [shareLibraries(["graphql"])],
  cache: `${root}dist/cache`,
  rehearsal: {
    args: (port) => ["serve", "--host", "127.0.0.1", "--port", String(port)],
    path: "/healthz",
    lines: [
      ["--version"],
      ["run", "json-formatter", "document.json"],
      ["check", "json-validator", "document.json"],
      ["check", "document.json"],
    ],
    files: {
      "document.json": "[1]\n",
      "penknife.checks.yaml": "checks: [{ tool: json-validator, files: '*.json' }]\n",
    },
  },
};
