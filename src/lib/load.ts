import type * as Oauth from "oauth4webapi";
import { executable, readAsset, runAsset } from "./asset.ts";
import { sandboxOptions, sandboxWord } from "./sandbox.ts";

/**
 * The heavy libraries, each loaded on first use. The build makes one asset of each entry, shared by main
 * thread and workers. In a source tree each is an ordinary `import()`.
 */
export const libraries = {
  "@bufbuild/cel": () => import("@bufbuild/cel"),
  cronstrue: () => import("cronstrue"),
  "css-select": () => import("css-select"),
  diff: () => import("diff"),
  entities: () => import("entities"),
  fontoxpath: () => import("fontoxpath"),
  graphql: () => import("graphql"),
  jose: () => import("jose"),
  jsonata: () => import("jsonata"),
  "libxml2-wasm": () => import("libxml2-wasm"),
  oauth4webapi: (): Promise<OauthLibrary> => import("oauth4webapi"),
  parse5: () => import("parse5"),
  "prom-client": () => import("prom-client"),
  re2js: () => import("re2js"),
  semver: () => import("semver"),
  "sql-formatter": () => import("sql-formatter"),
  uqr: () => import("uqr"),
  yaml: () => import("yaml"),
};

/** The functions of the library that single sign-on calls; the build leaves out the others, half of its code. */
export type OauthLibrary = Pick<
  typeof Oauth,
  | "allowInsecureRequests"
  | "authorizationCodeGrantRequest"
  | "AuthorizationResponseError"
  | "calculatePKCECodeChallenge"
  | "ClientSecretBasic"
  | "ClientSecretPost"
  | "clockTolerance"
  | "customFetch"
  | "discoveryRequest"
  | "getValidatedIdTokenClaims"
  | "jwksCache"
  | "None"
  | "processAuthorizationCodeResponse"
  | "processDiscoveryResponse"
  | "processUserInfoResponse"
  | "RESPONSE_IS_NOT_CONFORM"
  | "RESPONSE_IS_NOT_JSON"
  | "ResponseBodyError"
  | "userInfoRequest"
  | "validateApplicationLevelSignature"
  | "validateAuthResponse"
>;

export type Library = keyof typeof libraries;

const loaded = new Map<Library, unknown>();

/** Loads a heavy library; after the first time this is a look-up. */
export async function load<Name extends Library>(
  name: Name,
): Promise<Awaited<ReturnType<(typeof libraries)[Name]>>> {
  let found = loaded.get(name);
  if (found === undefined) {
    found = executable ? runAsset(`library/${name}`) : await libraries[name]();
    loaded.set(name, found);
  }
  return found as Awaited<ReturnType<(typeof libraries)[Name]>>;
}

/**
 * The worker's code: a string for `new Worker(source, { eval: true })` in the executable, a file in a source
 * tree.
 */
export function workerSource(): string | URL {
  return executable ? readAsset("worker") : new URL("../worker.ts", import.meta.url);
}

/** The script of the thread of a store in the executable, where `workerData` names it. */
export const storeThreadScript = "store-thread";

/** Like `workerSource`, for the thread that has the database of a store. */
export function storeThreadSource(): string | URL {
  return executable ? readAsset("worker") : new URL("../storage/sqlite/thread.ts", import.meta.url);
}

/** Returns the command that starts a worker process: the executable itself, or Node with the file in a source tree. */
export function workerCommand(memoryMb: number): {
  command: string;
  args: string[];
  env: Record<string, string>;
} {
  const options = sandboxOptions(memoryMb);
  if (executable) {
    // A newer executable may have replaced the file while this one runs.
    const command = process.platform === "linux" ? "/proc/self/exe" : process.execPath;
    // The executable accepts options of Node only from the environment.
    return { command, args: [sandboxWord], env: { NODE_OPTIONS: options.join(" ") } };
  }
  const readable = ["../", "../../node_modules/", "../../package.json"].map(
    (path) => `--allow-fs-read=${new URL(path, import.meta.url).pathname}`,
  );
  const file = new URL("../worker.ts", import.meta.url).pathname;
  return {
    command: process.execPath,
    args: [...options, "--disable-sigusr1", ...readable, file, sandboxWord],
    env: {},
  };
}
