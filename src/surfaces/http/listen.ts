import { subscribe, unsubscribe } from "node:diagnostics_channel";
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Server as SecureServer } from "node:https";
import { isIPv6, Server as NetServer, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { listen } from "listhen";
import { answerClientError, answerConnect, maxHeaders } from "./client-error.ts";
import { type ConnectionLimits, shareSecureConnections } from "./connection-limits.ts";
import { explainRefusal, resolveHost } from "./host.ts";
import type { Http } from "./http.ts";
import { endOf, guardHandshakes, readTls, type TlsFiles, type TlsMaterial } from "./tls.ts";

export interface ListenerOptions {
  /** An address, or a name that resolves to one. */
  host: string;
  /** 0 for any free port. */
  port: number;
  /** For the URL. */
  basePath: string;
  tls?: TlsFiles;
  connectionLimits: ConnectionLimits;
}

export interface Listener {
  /** Without a trailing slash. */
  readonly url: string;
  readonly port: number;
  /**
   * Reloads the certificate files; open connections stay. Resolves with a sentence for the log.
   * @throws ToolError if the files cannot be used; the old certificate then stays in use.
   */
  reload(): Promise<string>;
  /** Stops accepting connections and waits at most `graceMs` for open requests. */
  close(graceMs: number): Promise<void>;
}

/** Milliseconds for requests that were already on their way at shutdown to arrive. */
const lateMs = 150;

/**
 * Opens the port with listhen and works around behaviour that a service cannot accept: its http-shutdown crashes on
 * requests whose socket is gone; it exits the process at SIGTERM; it binds all interfaces for a host name that it
 * cannot parse; it picks another port if one is busy or on its list of unsafe ports; an error between its probe and
 * listening ends the process; it does not pass server options on.
 * @throws ToolError invalid_input for the host and the certificate; a system error for the port.
 */
export async function openListener(http: Http, options: ListenerOptions): Promise<Listener> {
  compilePatterns();
  const host = await resolveHost(options.host);
  const tls = options.tls === undefined ? undefined : readTls(options.tls);
  // Another process may take a port between finding it free and binding it.
  for (let attempt = 1; ; attempt++) {
    try {
      return toListener(await open(http, host, options, tls), http, host, options);
    } catch (error) {
      const again =
        options.port === 0 && attempt < 5 && (error as NodeJS.ErrnoException).code === "EADDRINUSE";
      if (!again) throw await explainRefusal(error, host, options.port);
    }
  }
}

async function open(
  http: Http,
  host: string,
  { port, connectionLimits }: ListenerOptions,
  tls: TlsMaterial | undefined,
): Promise<Server> {
  const handle = (req: IncomingMessage, res: ServerResponse): void => http.intake.handle(req, res);
  const failed = Promise.withResolvers<never>();
  // listhen returns its server only once it listens. Node announces a server before it binds
  // (nodejs.org/api/diagnostics_channel.html, net.server.listen), in time to configure it and to handle its error,
  // which would otherwise end the process.
  const channel = "tracing:net.server.listen:asyncStart";
  const onListen = (message: unknown): void => {
    const { server, options } = message as { server: Server; options: { port?: number } };
    if (!server.listeners("request").includes(handle)) return;
    server.once("error", failed.reject);
    setUp(server, http, handle, connectionLimits, tls);
    // listhen avoids ports that browsers block and uses 3000 instead.
    if (port !== 0 && options.port !== port) {
      const moved = Object.assign(new Error(`port ${port}`), { code: "EMOVED" });
      server.once("listening", () => server.close(() => failed.reject(moved)));
    }
  };
  subscribe(channel, onListen);
  try {
    const any = host === "0.0.0.0" || host === "::";
    const exactly = {
      port,
      random: port === 0,
      ports: [],
      alternativePortRange: [] as never,
      verbose: false,
    };
    const listening = listen(handle, {
      hostname: host,
      port: exactly,
      https: tls === undefined ? false : { cert: tls.cert, key: tls.key },
      // listhen would otherwise guess each of these from argv and the environment.
      public: any,
      isProd: true,
      isTest: false,
      showURL: false,
      qr: false,
      open: false,
      clipboard: false,
      tunnel: false,
      autoClose: false,
      ws: false as never,
      baseURL: "/",
      name: "",
    });
    const { server } = await Promise.race([listening, failed.promise]);
    if (!server.listening) await failed.promise;
    return server as Server;
  } finally {
    unsubscribe(channel, onListen);
    failed.promise.catch(() => {});
  }
}

function setUp(
  server: Server,
  http: Http,
  handle: (req: IncomingMessage, res: ServerResponse) => void,
  connectionLimits: ConnectionLimits,
  tls: TlsMaterial | undefined,
): void {
  // http-shutdown reads req.socket after an answer; after an abort it is null, and the process would crash.
  for (const listener of server.listeners("request")) {
    if (listener !== handle) server.off("request", listener as never);
  }
  // Its connection table, the last listener added to each event, is not needed either.
  for (const event of ["connection", "secureConnection"] as const) {
    const listeners = server.listeners(event);
    if (listeners.length > 1) server.off(event, listeners.at(-1) as never);
  }
  connectionLimits.watch(server);
  const { headers, body, linger, keepAlive, sweep } = http.timeouts;
  server.headersTimeout = headers;
  // Body deadlines are in body.ts; this is a backstop.
  server.requestTimeout = body + linger + 30_000;
  server.keepAliveTimeout = keepAlive;
  // Read when the server starts listening. By default time-outs are detected up to 30 s late.
  Object.assign(server, { connectionsCheckingInterval: sweep });
  // Node answers a request without Host with an empty 400; the shell explains the error (http.ts).
  Object.assign(server, { requireHostHeader: false });
  // Since 26.5.1 Node refuses heads beyond this limit (CVE-2026-58044). Earlier it dropped the extra headers, a second
  // credential among them; counting them ourselves would mean accepting any number.
  server.maxHeadersCount = maxHeaders;
  server.on("checkContinue", (req: IncomingMessage, res: ServerResponse) =>
    http.intake.handle(req, res, true),
  );
  // Unknown expectations may be ignored (RFC 9110 §10.1.1).
  server.on("checkExpectation", handle);
  server.on("clientError", (error: NodeJS.ErrnoException, socket: Socket) =>
    answerClientError(error, socket, http),
  );
  server.on("connect", (_, socket) => answerConnect(socket as Socket, http));
  // With an `upgrade` listener alone, Node would hand over every request that names a protocol, such as h2c from
  // proxies.
  Object.assign(server, { shouldUpgradeCallback: http.intake.webSockets.isHandshake });
  server.on("upgrade", http.intake.webSockets.take);
  if (tls !== undefined) {
    const secure = server as SecureServer;
    shareSecureConnections(server);
    secure.setSecureContext({ ...tls, minVersion: "TLSv1.2" });
    guardHandshakes(secure, headers);
  }
}

function toListener(server: Server, http: Http, host: string, { basePath, tls }: ListenerOptions): Listener {
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  http.intake.listensOn(host);
  const shown =
    host === "0.0.0.0" ? "127.0.0.1" : host === "::" ? "[::1]" : host.includes(":") ? `[${host}]` : host;
  return {
    url: `${tls === undefined ? "http" : "https"}://${shown}:${port}${basePath}`,
    port,
    async reload() {
      if (tls === undefined) return "There is no certificate to reload: server.tlsCert is not set.";
      const material = readTls(tls);
      (server as SecureServer).setSecureContext({ ...material, minVersion: "TLSv1.2" });
      return `The certificate was reloaded; new connections use it. It is valid until ${endOf(material)}.`;
    },
    async close(graceMs) {
      const { promise: closed, resolve } = Promise.withResolvers<void>();
      const end = performance.now() + graceMs;
      // Only net's close is used here: http's would also close idle connections, and with them requests that are just
      // arriving.
      NetServer.prototype.close.call(server, () => resolve());
      http.intake.lastAnswers();
      await sleep(Math.min(lateMs, graceMs));
      server.closeIdleConnections();
      await http.intake.drain(end - performance.now());
      while ((await connections(server)) > 0 && performance.now() < end) {
        server.closeIdleConnections();
        await sleep(10);
      }
      server.closeAllConnections();
      http.intake.webSockets.cut();
      await closed;
      // Stops http's connection checks, which net's close does not.
      server.close(() => {});
    },
  };
}

const connections = (server: Server): Promise<number> =>
  new Promise((resolve) => server.getConnections((_, count) => resolve(count ?? 0)));

/**
 * `server.listen` with an address calls `isIPv6`, whose pattern V8 optimises for 9 ms: a sixth of the start of an
 * empty server. Without optimisation it compiles in 1 ms (the first call makes bytecode, the second machine code),
 * and matching an IPv6 address takes 0.8 µs instead of 0.3. The flag is restored at once: V8 rejects code caches that
 * were made under other flags.
 */
function compilePatterns(): void {
  setFlagsFromString("--no-regexp-optimization");
  isIPv6("::1");
  isIPv6("::1");
  setFlagsFromString("--regexp-optimization");
}
