import type { Plan } from "../../../src/catalog/principal.ts";
import type { Config } from "../../../src/options.ts";
import { type Harness, openHarness, openRaw } from "./harness.ts";

/** The requests that a test can send to a server in any process. */
export interface Surface extends Pick<Harness, "url" | "port" | "post" | "get" | "raw"> {
  /** Creates an account, named like its plan unless given, and issues a key. */
  key(plan?: Plan, account?: string): Promise<string>;
  /** Runs an administrative operation. */
  admin(name: string, input: Record<string, unknown>): Promise<unknown>;
  close(): Promise<void>;
}

export interface SurfaceOptions {
  server?: Partial<Pick<Config["server"], "bodyLimit">>;
  anonymous?: boolean;
  trustedProxies?: readonly string[];
  deadlineMs?: number;
}

/**
 * Opens the HTTP surfaces on a real port: a process of the executable that TEST_EXECUTABLE names; without one, a harness in
 * this process.
 */
export async function openSurface(options: SurfaceOptions = {}): Promise<Surface> {
  const executable = process.env.TEST_EXECUTABLE;
  const opened = await (executable === undefined ? openHere(options) : openProcess(executable, options));
  let count = 0;
  return {
    ...opened,
    async key(plan = "pro", account = `acme-${plan}-${count++}`) {
      await opened.admin("accounts.create", { name: account, plan });
      return ((await opened.admin("keys.issue", { account })) as { key: string }).key;
    },
  };
}

type Opened = Omit<Surface, "key">;

async function openHere({ server, ...options }: SurfaceOptions): Promise<Opened> {
  const harness = await openHarness({ ...options, ...(server && { http: server }) });
  return {
    ...harness,
    admin: async (name, input) => (await harness.operator.admin()).call(name as "keys.issue", input as never),
    close: () => harness.close(),
  };
}

async function openProcess(executable: string, options: SurfaceOptions): Promise<Opened> {
  const { emptyFolder, serve } = await import("../e2e/harness.ts");
  const { openSocketWithin } = await import("../e2e/socket.ts");
  const folder = emptyFolder();
  const { server, anonymous, trustedProxies, deadlineMs } = options;
  const given = {
    // Raw requests of the tests use a short host name.
    PENKNIFE_SERVER_ALLOWED_HOSTS: "*",
    PENKNIFE_LIMITS_FREE_PER_MINUTE: "1000000",
    PENKNIFE_SERVER_BODY_LIMIT: server?.bodyLimit,
    PENKNIFE_AUTH_ANONYMOUS: anonymous,
    PENKNIFE_SERVER_TRUSTED_PROXIES: trustedProxies?.join(","),
    PENKNIFE_TOOLS_DEADLINE_MS: deadlineMs,
  };
  const env = Object.fromEntries(
    Object.entries(given).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])),
  );
  const started = await serve(folder.path, env, [], () => {}, [executable]);
  const { url, port } = started;
  return {
    url,
    port,
    async admin(name, input) {
      // The server opens its socket a moment after it listens.
      const socket = await openSocketWithin(folder.path, 60_000);
      if (socket === undefined) throw new Error(`no socket of the operator in ${folder.path}`);
      try {
        return await socket.call(name, input);
      } finally {
        socket.close();
      }
    },
    get: (path, init = {}) => fetch(url + path, init),
    post: (path, body, headers = {}) =>
      fetch(url + path, {
        method: "POST",
        body,
        headers: { "content-type": "application/json", ...headers },
      }),
    raw: (text) => openRaw(port, text),
    async close() {
      await started.stop();
      folder.remove();
    },
  };
}
