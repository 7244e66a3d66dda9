import { connect, type Socket } from "node:net";
import { createLoopShare } from "../../../src/catalog/loop-share.ts";
import { openCatalog } from "../../../src/catalog/open.ts";
import { createRunner, type RunResult } from "../../../src/catalog/run.ts";
import type { Call, Answer } from "../../../src/catalog/execute.ts";
import type { Plan } from "../../../src/catalog/principal.ts";
import type { Tool } from "../../../src/catalog/tool.ts";
import { createAccounts } from "../../../src/services/access/accounts.ts";
import { createAdmit } from "../../../src/services/access/admit.ts";
import { createAuth } from "../../../src/services/access/auth.ts";
import { createClientIp } from "../../../src/services/access/client-ip.ts";
import {
  createInboxService,
  type InboxService,
  type InboxServiceDeps,
} from "../../../src/services/inbox/service.ts";
import { createKeys } from "../../../src/services/access/keys.ts";
import { createLimits } from "../../../src/services/access/limits.ts";
import { openOperator } from "../../../src/operations/open-operator.ts";
import { createLog } from "../../../src/services/telemetry/log.ts";
import type { Level } from "../../../src/services/telemetry/log-entry.ts";
import { createMetrics } from "../../../src/services/telemetry/metrics.ts";
import { createSeal } from "../../../src/storage/seal.ts";
import { openStore, type StoreOptions } from "../../../src/storage/storage.ts";
import { createKeyUseRecorder } from "../../../src/services/usage/key-uses.ts";
import { createUsageRecorder } from "../../../src/services/usage/recorder.ts";
import { createWatchdog } from "../../../src/services/telemetry/watchdog.ts";
import { createPool } from "../../../src/services/workers/pool.ts";
import { defaults } from "../../support/defaults.ts";
import { workerCommand } from "../../support/worker-command.ts";
import { workerSource } from "../../support/worker-source.ts";
import type { Config } from "../../../src/options.ts";
import type { HttpOptions } from "../../../src/surfaces/http/deps.ts";
import {
  createConnectionLimits,
  type ConnectionLimitsOptions,
} from "../../../src/surfaces/http/connection-limits.ts";
import { createHttp } from "../../../src/surfaces/http/http.ts";
import { openListener, type ListenerOptions } from "../../../src/surfaces/http/listen.ts";
import type { Timeouts } from "../../../src/surfaces/http/timeouts.ts";
import type { GraphqlPathOptions } from "../../../src/surfaces/rest/openapi/graphql-paths.ts";
import { addRest } from "../../../src/surfaces/rest/rest.ts";
import { addSession, addWeb } from "../../../src/surfaces/web/web.ts";
import { tools } from "../../../src/tools/index.ts";
import { requireDeclared } from "../../support/require-declared.ts";
import { listOf } from "../../unit/catalog/list-of.ts";
import { testRuntime } from "../../support/runtime.ts";

export interface HarnessOptions {
  http?: Partial<HttpOptions>;
  /** The parts of the documents about GraphQL. */
  describedGraphql?: GraphqlPathOptions;
  /** Whether the documents describe MCP. */
  describedMcp?: boolean;
  listener?: Partial<ListenerOptions>;
  connectionLimits?: Partial<ConnectionLimitsOptions>;
  timeouts?: Partial<Timeouts>;
  /** Added to the catalogue, in the category "test". */
  tools?: readonly Tool[];
  /** Pipelines by the names of their files. */
  pipelines?: Readonly<Record<string, string>>;
  anonymous?: boolean;
  trustedProxies?: readonly string[];
  logLevel?: Level | "silent";
  check?: () => Promise<void>;
  /** Replaces the worker pool. */
  isolate?: (call: Call, signal?: AbortSignal) => Promise<Answer>;
  deadlineMs?: number;
  write?: (lines: string) => void;
  /** The memory store, unless given. */
  store?: Partial<StoreOptions>;
  /** The pages, from these files of a build; none unless given. */
  web?: {
    read(name: string): Uint8Array | undefined;
    commit?: string;
    insecureCookies?: boolean;
    publicUrl?: string;
    contact?: string;
    /** Single sign-on; none unless given. */
    oidc?: Partial<Config["oidc"]>;
    /** Sign-in through a proxy; none unless given. */
    proxyAuth?: Partial<Config["proxyAuth"]>;
  };
  /** Inboxes, with these options; none unless given. */
  inbox?: Partial<InboxServiceDeps> & { maxBytes?: number };
}

export type Harness = Awaited<ReturnType<typeof openHarness>>;

/** The HTTP surfaces on a real port, over the memory store. */
export async function openHarness(options: HarnessOptions = {}) {
  const faults: unknown[] = [];
  const onFault = (error: unknown): void => void faults.push(error);
  const runtime = testRuntime({ monotonic: () => performance.now(), report: onFault });
  const store = await openStore({
    driver: "memory",
    path: "",
    runtime,
    onError: () => {},
    ...options.store,
  });
  const keys = createKeys({ store, runtime, maxKeyDays: 0 });
  const accounts = createAccounts({ store, keys, runtime });
  const limits = createLimits({ store, runtime });
  const { pipelines } = options;
  const catalog = await openCatalog(
    { ...tools, ...(options.tools && { test: listOf(options.tools) }) },
    {
      ...(pipelines && {
        pipelines: {
          path: "pipelines",
          files: Object.keys(pipelines),
          read: (file: string) => pipelines[file] ?? "",
        },
      }),
    },
  );
  const pool = createPool({
    source: workerSource(),
    process: workerCommand(256),
    size: 2,
    deadlineMs: options.deadlineMs ?? 30_000,
    memoryMb: 256,
    runtime,
  });
  const runs: RunResult[] = [];
  const lines: string[] = [];
  const log = createLog({
    write: options.write ?? ((text) => void lines.push(text)),
    level: options.logLevel ?? "debug",
    format: "json",
    runtime,
  });
  const metrics = createMetrics({
    version: "1.2.3",
    commit: "abc",
    load: () => import("prom-client"),
    pool: pool.stats,
  });
  const loop = createLoopShare(runtime.monotonic, 10);
  const watchdog = createWatchdog({
    log,
    metrics,
    runtime,
    cpu: () => cpuMs(process.cpuUsage()),
  });
  watchdog.start();
  const usage = createUsageRecorder({
    open: store.usage,
    runtime,
    onError: onFault,
  });
  const keyUses = createKeyUseRecorder({
    open: store.keyUses,
    runtime,
    onError: onFault,
  });
  const operator = openOperator({
    store,
    config: {
      auth: defaults.auth,
      graphql: defaults.graphql,
      storage: defaults.storage,
      webhooks: { ...defaults.webhooks, enabled: true, allowCidrs: ["127.0.0.0/8"] },
    },
    sending: "nowhere",
    serves: true,
    runtime,
    release: () => "1.2.3",
    flushUsage: usage.flush,
    flushKeyUses: keyUses.flush,
    onAnswer: requireDeclared,
    onLost: onFault,
  });
  const runner = createRunner({
    catalog,
    admit: createAdmit({
      limits,
      metrics,
      usage,
      noteLimit: operator.noteLimit,
      runtime,
    }),
    isolate:
      options.isolate ??
      ((call, signal, principal, place) =>
        pool.run(call, place, signal, principal.account ?? `ip:${principal.ip}`)),
    context: { now: runtime.now, random: runtime.random },
    inlineBytes: 65_536,
    maxDocumentBytes: options.http?.bodyLimit ?? 1_048_576,
    runtime,
    loop,
    onInline: watchdog.enter,
    observe(result) {
      runs.push(result);
      metrics.run(result);
      usage.run(result);
    },
  });
  const httpOptions: HttpOptions = {
    version: "1.2.3",
    ...defaults.server,
    ...defaults.limits,
    metrics: defaults.metrics,
    // Raw requests of the tests use a short host name.
    allowedHosts: ["*"],
    publicUrl: options.web?.publicUrl ?? "",
    bodyLimit: 1_048_576,
    freePerMinute: 1_000_000,
    inlineBytes: defaults.tools.inlineBytes,
    anonymous: options.anonymous ?? true,
    ...options.http,
  };
  const deps = {
    options: httpOptions,
    catalog,
    runner,
    ...createAuth({
      store,
      anonymous: options.anonymous ?? true,
      runtime,
      onUse: keyUses.note,
    }),
    clientIp: createClientIp({
      trustedProxies: options.trustedProxies ?? [],
      proxyHeader: httpOptions.proxyHeader,
    }),
    async check() {
      await (options.check ?? store.check)();
      return { status: "ready" as const };
    },
    log,
    metrics,
    runtime,
    loop,
    watchdog,
    ...(options.timeouts && { timeouts: options.timeouts }),
    ...(options.inbox && {
      inbox: {
        maxBytes: options.inbox.maxBytes ?? 1_048_576,
        open: async () => inbox as InboxService,
      },
    }),
  };
  const inbox =
    options.inbox &&
    createInboxService({
      store,
      seal: createSeal({ key: "", random: runtime.random }),
      kept: { messages: 500, ms: 604_800_000, bytes: 67_108_864 },
      shares: { accountBytes: 268_435_456, storeBytes: 1_073_741_824 },
      runtime,
      onError: () => {},
      ...options.inbox,
    });
  const http = createHttp(deps);
  const { oidc, proxyAuth, read, commit = "abc", ...webOptions } = options.web ?? {};
  const webDeps = {
    ...deps,
    graphql: defaults.graphql,
    web: { ...defaults.web, ...webOptions },
    oidc: { ...defaults.oidc, ...oidc },
    proxyAuth: { ...defaults.proxyAuth, ...proxyAuth },
    server: { trustedProxies: options.trustedProxies ?? [] },
  };
  const web = options.web && addWeb(http, { ...webDeps, commit, ...(read && { read }) });
  if (web) addSession(http, { ...webDeps, pages: web, admin: operator.admin });
  addRest(http, {
    ...deps,
    ...(options.describedGraphql && { graphql: options.describedGraphql }),
    ...(options.describedMcp === true && { mcp: {} }),
    ...(web && { showProblem: web.problem, showApi: web.api }),
  });
  const listener = await openListener(http, {
    host: "127.0.0.1",
    port: 0,
    basePath: httpOptions.basePath,
    connectionLimits: createConnectionLimits({
      max: 1000,
      perAddress: 1000,
      isProxy: () => false,
      runtime,
      onClosed: metrics.connectionClosed,
      ...options.connectionLimits,
    }),
    ...options.listener,
  });

  return {
    url: listener.url,
    port: listener.port,
    listener,
    http,
    catalog,
    deps,
    keys,
    accounts,
    store,
    operator,
    /** The errors of usage, operator and live events. */
    faults,
    runs,
    /** The log so far, one parsed line each. Without `stalls`, which a busy machine adds to, reports of stalls are left out. */
    logged({ stalls = false } = {}): Record<string, unknown>[] {
      log.flush();
      return lines
        .join("")
        .split("\n")
        .filter(Boolean)
        .map((line) => JSON.parse(line) as Record<string, unknown>)
        .filter(({ message }) => stalls || message !== "event loop stalled");
    },
    logText(): string {
      log.flush();
      return lines.join("");
    },
    async key(plan: Plan = "pro", account = `acme-${plan}-${count++}`): Promise<string> {
      await accounts.create({ name: account, plan });
      return (await keys.issue({ account })).key;
    },
    post(
      path: string,
      body: string | Uint8Array<ArrayBuffer>,
      headers: Record<string, string> = {},
    ): Promise<Response> {
      return fetch(listener.url + path, {
        method: "POST",
        body,
        headers: { "content-type": "application/json", ...headers },
      });
    },
    get(path: string, init: RequestInit = {}): Promise<Response> {
      return fetch(listener.url + path, init);
    },
    raw: (text?: string) => openRaw(listener.port, text),
    async close(graceMs = 1000) {
      await listener.close(graceMs);
      watchdog.close();
      await pool.close();
      await usage.close();
      await operator.close();
      await store.close();
    },
  };
}

const cpuMs = ({ user, system }: NodeJS.CpuUsage): number => (user + system) / 1000;

let count = 0;

export interface Raw {
  socket: Socket;
  write(text: string | Uint8Array): void;
  /** Everything received until the server closed the connection. */
  all(): Promise<string>;
  /** Resolves when the received text contains the given one; rejects when the connection closes without it. */
  until(text: string): Promise<string>;
}

/** A client that can do what no HTTP library would. */
export function openRaw(port: number, text = ""): Raw {
  const socket = connect(port, "127.0.0.1");
  let received = "";
  let closed = false;
  const listeners = new Set<() => void>();
  const wake = (): void => listeners.forEach((listener) => listener());
  socket.on("data", (chunk) => {
    received += chunk.toString("latin1");
    wake();
  });
  socket.on("error", () => {});
  socket.on("close", () => {
    closed = true;
    wake();
  });
  if (text !== "") socket.write(text);

  function waitFor(isDone: () => boolean, isLost: () => boolean): Promise<string> {
    return new Promise((resolve, reject) => {
      const look = (): void => {
        if (isDone()) resolve(received);
        else if (isLost()) reject(new Error(`The connection closed after ${JSON.stringify(received)}`));
        else return;
        listeners.delete(look);
      };
      listeners.add(look);
      look();
    });
  }

  return {
    socket,
    write: (data) => void socket.write(data),
    all: () =>
      waitFor(
        () => closed,
        () => false,
      ),
    until: (wanted) =>
      waitFor(
        () => received.includes(wanted),
        () => closed,
      ),
  };
}

export const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
