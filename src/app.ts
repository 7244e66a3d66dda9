import type { Catalog } from "./catalog/catalog.ts";
import { ToolError } from "./catalog/errors.ts";
import { openCatalog } from "./catalog/open.ts";
import type { PipelineFolder } from "./catalog/pipelines.ts";
import { createRunner, type Runner } from "./catalog/run.ts";
import { commit, version } from "./build-info.ts";
import { load } from "./lib/load.ts";
import { openOperator } from "./operations/open-operator.ts";
import type { Config } from "./options.ts";
import { createTurnClock } from "./lib/turn-clock.ts";
import type { AuditNews } from "./services/audit/recorder.ts";
import { createAdmit } from "./services/access/admit.ts";
import { createAuth } from "./services/access/auth.ts";
import { callerBucket } from "./services/access/buckets.ts";
import { createClientIp } from "./services/access/client-ip.ts";
import { createInboxAccess } from "./services/inbox/access.ts";
import { createLimits } from "./services/access/limits.ts";
import { openLog } from "./services/telemetry/log.ts";
import { createMetrics } from "./services/telemetry/metrics.ts";
import { openServerStore, unwritten } from "./storage/server-store.ts";
import { createKeyUseRecorder } from "./services/usage/key-uses.ts";
import { createUsageRecorder } from "./services/usage/recorder.ts";
import { createLazyPool } from "./services/workers/lazy-pool.ts";
import { autoSize } from "./services/workers/limits.ts";
import { createWebhooks } from "./services/webhooks/webhooks.ts";
import type { Installation } from "./surfaces/graphql/deps.ts";
import { addGraphql } from "./surfaces/graphql/graphql.ts";
import { describeFault } from "./surfaces/http/fault.ts";
import { createGuards } from "./surfaces/http/guards.ts";
import { createHttp } from "./surfaces/http/http.ts";
import { openListener, type Listener } from "./surfaces/http/listen.ts";
import { addMcp } from "./surfaces/mcp/mcp.ts";
import { addRest } from "./surfaces/rest/rest.ts";
import { addSession, addWeb } from "./surfaces/web/web.ts";
import { createOperatorSocket } from "./surfaces/socket/operator-socket.ts";
import { tools } from "./tools/index.ts";
import type { Runtime } from "./runtime.ts";

/** The parts of the process that a server uses. */
export interface AppDeps {
  runtime: Runtime;
  pid: number;
  uid?: number;
  processors: number;
  /** Returns free memory to the system from now on, where the C library retains it; returns a function that stops it. */
  startTrimming?(): Promise<(() => void) | undefined>;
  /** Milliseconds of processor time used by this process. */
  cpu(): number;
  /** This node, for its operator. */
  installation: Omit<Installation, "nodes">;
  /** The pipelines of this installation, if there are any. */
  pipelines?: PipelineFolder;
  /** Writes whole lines of the log; a returned promise applies back-pressure. */
  writeLog(lines: string): void | Promise<unknown>;
  /** Whether the log goes to a terminal. */
  logIsTTY: boolean;
}

export interface App {
  readonly catalog: Catalog;
  readonly runner: Runner;
  /** Whether an account exists. */
  hasAccounts(): boolean;
  listen(): Promise<Omit<Listener, "reload"> & { reload(): Promise<void> }>;
  /** Writes pending data and closes the store. Close the listener first. */
  close(): Promise<void>;
  /** Logs an uncaught error with its stack. */
  logFault(error: unknown): void;
}

/** Milliseconds from listening to starting the first worker and opening the operator's socket. */
const settleMs = 100;

/**
 * Composes the server from catalogue, services and surfaces, without listening.
 * @throws ToolError for an invalid configuration, StoreError if the store cannot be opened.
 */
export async function createApp(config: Config, deps: AppDeps): Promise<App> {
  const runtime: Runtime = { ...deps.runtime, report: logFault };
  const clock = createTurnClock(runtime);
  const inTurn: Runtime = { ...runtime, now: clock.now, monotonic: clock.monotonic };
  const reading: Runtime = { ...inTurn, monotonic: clock.read };
  const catalog = await openCatalog(tools, {
    disabled: config.tools.disabled,
    pipelines: deps.pipelines,
    readPipelines: true,
  });
  const log = openLog(config.log, { runtime: inTurn, write: deps.writeLog, isTTY: deps.logIsTTY });
  const metrics = createMetrics({
    version,
    commit,
    load: () => load("prom-client"),
    pool: () => pool.stats(),
    store: () => store.status?.(),
    disk: () => store.room?.(),
    unwritten: () => unwritten(store),
    inFlight: () => http.inFlight(),
    logDropped: () => log.dropped(),
    webhooks: () => webhooks.status(),
    connections: { graphql: () => (graphql ? graphql.connections() : 0) },
  });
  const { loop, watchdog, connectionLimits } = createGuards(config, {
    ...deps,
    runtime: reading,
    log,
    metrics,
  });
  const { store, onStoreError, check, nodes } = await openServerStore({
    ...deps,
    runtime: inTurn,
    config,
    version,
    onNotice: log.event,
    metrics,
  });
  const usage = createUsageRecorder({ open: store.usage, runtime, onError: onStoreError });
  const keyUses = createKeyUseRecorder({ open: store.keyUses, runtime: inTurn, onError: onStoreError });
  const operator = openOperator({
    store,
    config,
    sending: config.webhooks.enabled ? "here" : "nowhere",
    serves: true,
    runtime,
    release: () => version,
    flushUsage: usage.flush,
    flushKeyUses: keyUses.flush,
    onAct,
    onPublished: metrics.webhookEvent,
    onLost(error, type, account) {
      webhooks.onError(error);
      log.event("error", "an event is lost", { type, account });
    },
  });
  const webhooks = createWebhooks({
    store: operator.store,
    outbox: operator.outbox,
    options: config.webhooks,
    runtime,
    version,
    log,
    metrics,
    onStoreError,
  });
  const socket = createOperatorSocket({
    store,
    admin: operator.admin,
    folder: config.storage.path,
    onStoreError,
    runtime,
    onNoSocket: () =>
      log.event("warn", "penknife admin cannot reach this server; stop it to manage accounts and keys"),
  });
  const auth = createAuth({ runtime: inTurn, ...config.auth, ...config.limits, store, onUse: keyUses.note });

  const poolSize = config.tools.workers || autoSize(deps.processors);
  const pool = createLazyPool(poolSize, async () => {
    const { openPool } = await import("./services/workers/open-pool.ts");
    return openPool(poolSize, config.tools, { log, metrics, runtime, describe: describeFault });
  });
  const runner = createRunner({
    catalog,
    admit: createAdmit({
      limits: createLimits({ store, runtime: inTurn }),
      metrics,
      usage,
      noteLimit: operator.noteLimit,
      runtime,
    }),
    isolate: (call, signal, principal, place) => pool.run(call, place, signal, callerBucket(principal)),
    context: { now: runtime.now, random: runtime.random },
    inlineBytes: config.tools.inlineBytes,
    maxDocumentBytes: config.server.bodyLimit,
    runtime: reading,
    loop,
    onInline: watchdog.enter,
    observe(result) {
      metrics.run(result);
      usage.run(result);
    },
  });
  const inbox = createInboxAccess({ store, config, onStoreError, runtime });
  const httpDeps = {
    options: {
      ...config.server,
      ...config.limits,
      version,
      inlineBytes: config.tools.inlineBytes,
      anonymous: config.auth.anonymous,
      metrics: config.metrics,
      publicUrl: config.web.publicUrl,
    },
    catalog,
    runner,
    authenticate: auth.authenticate,
    presume: auth.presume,
    refusals: auth.refusals,
    clientIp: createClientIp(config.server),
    ...(inbox !== undefined && { inbox }),
    check,
    log,
    metrics,
    runtime: inTurn,
    loop,
    watchdog,
  };
  const http = createHttp(httpDeps);
  const web = config.web.enabled && addWeb(http, { ...config, ...httpDeps, commit });
  if (web) addSession(http, { ...config, ...httpDeps, pages: web, admin: operator.admin });
  addRest(http, {
    ...httpDeps,
    ...(config.graphql.enabled && { graphql: config.graphql }),
    ...(config.mcp.enabled && { mcp: config.mcp }),
    ...(web && { showProblem: web.problem }),
  });
  const graphql =
    config.graphql.enabled &&
    addGraphql(http, {
      ...httpDeps,
      graphql: config.graphql,
      admin: operator.admin,
      live: operator.live,
      installation: { ...deps.installation, nodes },
    });
  if (config.mcp.enabled) addMcp(http, { ...httpDeps, mcp: config.mcp });
  let settling: NodeJS.Timeout | undefined;
  let trimming: Promise<(() => void) | undefined> | undefined;

  /** Starts the parts that the first answers do not need and would otherwise wait for. */
  function settle(url: string): void {
    trimming = deps.startTrimming?.().catch(logUntrimmed);
    pool.start();
    socket.start(url);
    webhooks.start();
    inbox?.start();
  }

  function logUntrimmed(error: unknown): undefined {
    log.event("warn", "free memory is not returned to the system", { error: describeFault(error) });
  }

  /** Logs an administrative act: the log is often kept where writers of the store cannot change it. */
  function onAct({ act, ...news }: AuditNews): void {
    log.event("info", "an administrative act", { act, ...news });
  }

  function logFault(error: unknown): void {
    // A fault that the operator can mend, such as an unreadable certificate, is logged without a stack.
    if (error instanceof ToolError) return log.event("error", error.message);
    log.event("error", "internal error", { error: describeFault(error) });
    log.flush();
  }

  /** Reads the certificate again on SIGHUP. The sender gets no answer, so the outcome is logged. */
  async function reload(listener: Listener): Promise<void> {
    try {
      log.event("info", await listener.reload());
    } catch (error) {
      if (!(error instanceof ToolError)) throw error;
      log.event("error", `The old certificate stays in use. ${error.message}`);
    }
    log.flush();
  }

  return {
    catalog,
    runner,
    hasAccounts: () => store.hadAccounts,
    async listen() {
      const { host, port, basePath, tlsCert, tlsKey } = config.server;
      const listener = await openListener(http, {
        host,
        port,
        basePath,
        ...(tlsCert !== "" && { tls: { cert: tlsCert, key: tlsKey } }),
        connectionLimits,
      });
      watchdog.start();
      settling = setTimeout(settle, settleMs, listener.url).unref();
      return { ...listener, reload: () => reload(listener) };
    },
    async close() {
      clearTimeout(settling);
      (await trimming)?.();
      watchdog.close();
      inbox?.close();
      await socket.close();
      await webhooks.close();
      await pool.close();
      await usage.close();
      await keyUses.close();
      await operator.close();
      await store.close();
      log.flush();
    },
    logFault,
  };
}
