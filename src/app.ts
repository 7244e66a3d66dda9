import { join } from "node:path";
import { createCatalog, type Catalog } from "./catalog/catalog.ts";
import { ToolError } from "./catalog/errors.ts";
import type { Principal, Ticket } from "./catalog/principal.ts";
import { createRunner, type Runner } from "./catalog/run.ts";
import type { Config } from "./config.ts";
import { commit, version } from "./build-info.ts";
import { load, workerSource } from "./lib/load.ts";
import type { AdminServer } from "./services/admin-socket.ts";
import { createAuth } from "./services/auth.ts";
import { bucketOf, createClientIp, type ClientIp } from "./services/client-ip.ts";
import { createLimits, quotaExceeded } from "./services/limits.ts";
import { createLog, type Log } from "./services/log.ts";
import { createMetrics } from "./services/metrics.ts";
import { StoreError } from "./services/storage/errors.ts";
import { openStore, type Store } from "./services/storage/storage.ts";
import type { PoolEvent } from "./services/workers/crew.ts";
import { autoSize, createPool } from "./services/workers/pool.ts";
import { describeFault } from "./surfaces/http/fault.ts";
import { createHttp } from "./surfaces/http/http.ts";
import { openListener, type Listener } from "./surfaces/http/listen.ts";
import { addRest } from "./surfaces/rest/rest.ts";
import { tools } from "./tools/index.ts";

/** The process, as far as the server needs it. */
export interface AppDeps {
  /** Epoch milliseconds. */
  now(): number;
  /** Milliseconds of a clock that never goes back. */
  monotonic(): number;
  random(size: number): Uint8Array;
  pid: number;
  uid?: number;
  processors: number;
  /** Takes the log, whole lines at a time; a promise asks for patience. */
  writeLog(lines: string): void | Promise<unknown>;
  /** Whether the log goes to a person's terminal. */
  logIsTTY: boolean;
}

export interface App {
  readonly catalog: Catalog;
  readonly runner: Runner;
  /** Whether any account exists yet. */
  hasAccounts(): boolean;
  listen(): Promise<Listener>;
  /** Writes what is pending and gives the store back; after the listener was closed. */
  close(): Promise<void>;
  /** A bug that nobody caught, with its stack, into the log. */
  logFault(error: unknown): void;
}

/** Milliseconds after it listens that a server starts a worker and opens the operator's socket. */
const settleMs = 100;

/**
 * Introduces catalogue, services and surfaces to one another. Nothing listens yet.
 * @throws ToolError for a configuration that cannot be, StoreError where the store cannot be opened.
 */
export async function createApp(config: Config, deps: AppDeps): Promise<App> {
  const { now, monotonic, random } = deps;
  const catalog = createCatalog(tools, config.tools.disabled);
  const log = openLog(config, deps);
  const clientIp = openClientIp(config);
  const metrics = createMetrics({
    version,
    commit,
    load: () => load("prom-client"),
    pool: () => pool.stats(),
    inFlight: () => http.inFlight(),
    logDropped: () => log.dropped(),
  });

  const store = await openStore({
    ...config.storage,
    now,
    staleMs: config.auth.staleMinutes * 60_000,
    pid: deps.pid,
    ...(deps.uid !== undefined && { uid: deps.uid }),
    onError: onStoreError,
  });
  const limits = createLimits({ store, now });
  const auth = createAuth({ store, anonymous: config.auth.anonymous, now });

  const pool = createPool({
    source: workerSource(),
    size: config.tools.workers || autoSize(deps.processors),
    deadlineMs: config.tools.deadlineMs,
    memoryMb: config.tools.memoryMb,
    monotonic,
    onEvent: onPoolEvent,
  });
  const runner = createRunner({
    catalog,
    admit,
    isolate: (call, signal, principal) => pool.run(call, signal, groupOf(principal)),
    context: { now, random },
    inlineBytes: config.tools.inlineBytes,
    monotonic,
    observe: metrics.run,
  });
  const httpDeps = {
    options: {
      ...config.server,
      inlineBytes: config.tools.inlineBytes,
      metricsEnabled: config.metrics.enabled,
      metricsToken: config.metrics.token,
    },
    catalog,
    runner,
    authenticate: auth.authenticate,
    clientIp,
    check: store.check,
    log,
    metrics,
    now,
    monotonic,
  };
  const http = createHttp(httpDeps);
  addRest(http, httpDeps);
  let settling: NodeJS.Timeout | undefined;
  let socket: Promise<AdminServer | undefined> | undefined;

  async function admit(principal: Principal): Promise<Ticket> {
    const { allowed, quota } = await limits.consume(principal);
    if (!allowed && quota !== undefined) throw quotaExceeded(quota, now());
    return { principal, ...(quota !== undefined && { quota }) };
  }

  /** What nobody asks for in the first moment, and whoever waits for the first answer would wait for. */
  function settle(): void {
    pool.start();
    socket = openAdminSocket(store, config.storage.path);
  }

  /** Some file systems (folders that a desktop shares with its containers) cannot hold a socket: a server without one still serves. */
  async function openAdminSocket({ driver }: Store, folder: string): Promise<AdminServer | undefined> {
    // Beside a server that keeps nothing there is nothing to administer.
    if (driver !== "file") return undefined;
    try {
      const { createKeys } = await import("./services/keys.ts");
      const { createAccounts } = await import("./services/accounts.ts");
      const { createAdmin } = await import("./services/admin.ts");
      const { serveAdmin } = await import("./services/admin-socket.ts");
      const keys = createKeys({ store, now, random, maxKeyDays: config.auth.maxKeyDays });
      const accounts = createAccounts({ store, keys, now });
      const admin = createAdmin({ accounts, keys, limits, now });
      return await serveAdmin({ path: join(folder, "penknife.sock"), admin, onError: logFault });
    } catch (error) {
      if (error instanceof StoreError) onStoreError(error);
      else logFault(error);
      log.event("warn", "penknife admin cannot reach this server; stop it to manage accounts and keys");
      return undefined;
    }
  }

  function onStoreError(error: StoreError): void {
    metrics.storageError(error.operation);
    log.event("error", "the store failed", { operation: error.operation, error: error.reason });
  }

  function onPoolEvent(event: PoolEvent): void {
    metrics.worker(event.kind === "ended" ? event.reason : event.kind);
    if (event.kind === "failed_to_start" || (event.kind === "ended" && event.reason === "crash")) {
      log.event("error", "a worker failed", { error: describeFault(event.error) });
    }
  }

  function logFault(error: unknown): void {
    // Told by name what is wrong, such as a certificate that cannot be read: the operator's to mend, not a bug.
    if (error instanceof ToolError) return log.event("error", error.message);
    log.event("error", "a fault of ours", { error: describeFault(error) });
    log.flush();
  }

  return {
    catalog,
    runner,
    hasAccounts: () => store.hadAccounts,
    async listen() {
      const { host, port, basePath, tlsCert, tlsKey, maxConcurrency } = config.server;
      const listener = await openListener(http, {
        host,
        port,
        basePath,
        ...(tlsCert !== "" && { tls: { cert: tlsCert, key: tlsKey } }),
        // Connections that wait are cheap; those beyond four for every request that may run are an attack.
        maxConnections: Math.max(1024, maxConcurrency * 4),
      });
      settling = setTimeout(settle, settleMs).unref();
      return listener;
    },
    async close() {
      clearTimeout(settling);
      await (await socket)?.close();
      await pool.close();
      await store.close();
      log.flush();
    },
    logFault,
  };
}

/** Whose calls take turns in the pool. No account can have the name of an address: names have no colon. */
const groupOf = ({ account, ip = "" }: Principal): string => account ?? `ip:${bucketOf(ip)}`;

function openLog({ log }: Config, { now, writeLog, logIsTTY }: AppDeps): Log {
  const text = log.format === "text" || (log.format === "auto" && logIsTTY);
  return createLog({
    write: writeLog,
    level: log.level,
    format: text ? "text" : "json",
    color: text && logIsTTY,
    now,
  });
}

/** @throws ToolError where a proxy is neither an address nor a network. */
function openClientIp({ server }: Config): ClientIp {
  try {
    return createClientIp(server);
  } catch (error) {
    throw new ToolError("invalid_input", (error as Error).message);
  }
}
