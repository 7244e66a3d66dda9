import { subscribe, unsubscribe } from "node:diagnostics_channel";
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Server as SecureServer } from "node:https";
import { Server as NetServer, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { listen } from "listhen";
import { answerClientError, answerConnect, maxHeaders } from "./client-error.ts";
import { type ConnectionLimits, shareSecureConnections } from "./connection-limits.ts";
import { explainRefusal, resolveHost } from "./host.ts";
import type { Http } from "./http.ts";
import { endOf, guardHandshakes, readTls, type TlsFiles, type TlsMaterial } from "./tls.ts";

export interface ListenerOptions {
  /** An address, or a name that resolves to one. */
  host: string;
  /** 0 for any free one. */
  port: number;
  /** For the URL. */
  basePath: string;
  tls?: TlsFiles;
  /** Bounds the connections. */
  connectionLimits: ConnectionLimits;
}

export interface Listener {
  /** Without a slash at its end. */
  readonly url: string;
  readonly port: number;
  /**
   * Reads the certificate files again; connections stay. Resolves with a sentence for the log.
   * @throws ToolError where they cannot be used; the old ones stay in use then.
   */
  reload(): Promise<string>;
  /** Stops accepting, lets what runs finish for `graceMs` at most. */
  close(graceMs: number): Promise<void>;
}

/** A request that was on its way when the end was asked for gets this long to arrive. */
const lateMs = 150;

/**
 * Opens the port with listhen, without what in it would hurt a service:
 * its http-shutdown dies of a request whose socket is gone; it exits the process at SIGTERM; it binds every interface
 * for a host name that it cannot read; it moves to another port when one is busy or on its list of bad ports; it lets
 * the process die of an error between its probe and its listening; it passes no server options on.
 * @throws ToolError invalid_input for the host and the certificate, a system error for the port.
 */
export async function openListener(http: Http, options: ListenerOptions): Promise<Listener> {
  const host = await resolveHost(options.host);
  const tls = options.tls === undefined ? undefined : readTls(options.tls);
  // Between looking for a free port and taking it, another process may have taken it.
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
  const handle = (req: IncomingMessage, res: ServerResponse): void => http.handle(req, res);
  const failed = Promise.withResolvers<never>();
  // listhen gives its server away only when it listens. Node announces one before it binds: in time to be set up, and
  // to hear its error, which would otherwise end the process (nodejs.org/api/diagnostics_channel.html, net.server.listen).
  const channel = "tracing:net.server.listen:asyncStart";
  const onListen = (message: unknown): void => {
    const { server, options } = message as { server: Server; options: { port?: number } };
    if (!server.listeners("request").includes(handle)) return;
    server.once("error", failed.reject);
    setUp(server, http, handle, connectionLimits, tls);
    // listhen skips the ports that browsers refuse, and takes 3000 instead.
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
      // Each of these would otherwise be guessed from argv and the environment.
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
  // http-shutdown reads req.socket when an answer is finished; after an abort that is null, and the process ends.
  for (const listener of server.listeners("request")) {
    if (listener !== handle) server.off("request", listener as never);
  }
  // Its table of connections, the last listener that was added to each, is not needed either.
  for (const event of ["connection", "secureConnection"] as const) {
    const listeners = server.listeners(event);
    if (listeners.length > 1) server.off(event, listeners.at(-1) as never);
  }
  connectionLimits.watch(server);
  const { headers, body, linger, keepAlive, sweep } = http.timeouts;
  server.headersTimeout = headers;
  // The body has deadlines of its own (body.ts); this is the end of everything that they do not see.
  server.requestTimeout = body + linger + 30_000;
  server.keepAliveTimeout = keepAlive;
  // Read when the server begins to listen; by default a time-out is noticed up to 30 s late.
  Object.assign(server, { connectionsCheckingInterval: sweep });
  // Node answers a request without Host by an empty 400; the shell says what is missing (http.ts).
  Object.assign(server, { requireHostHeader: false });
  // Since 26.5.1 Node refuses what is beyond it (CVE-2026-58044). It dropped it before, and with it the second of two
  // credentials; to count for ourselves would mean to take in as many as there are.
  server.maxHeadersCount = maxHeaders;
  server.on("checkContinue", (req: IncomingMessage, res: ServerResponse) => http.handle(req, res, true));
  // An expectation that we do not know may be ignored (RFC 9110 §10.1.1).
  server.on("checkExpectation", handle);
  server.on("clientError", (error: NodeJS.ErrnoException, socket: Socket) =>
    answerClientError(error, socket, http),
  );
  server.on("connect", (_, socket) => answerConnect(socket as Socket, http));
  // A listener alone would be given every request that names a protocol, h2c of a proxy among them.
  Object.assign(server, { shouldUpgradeCallback: http.isUpgrade });
  server.on("upgrade", http.takeUpgrade);
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
  http.listensOn(host);
  const shown =
    host === "0.0.0.0" ? "127.0.0.1" : host === "::" ? "[::1]" : host.includes(":") ? `[${host}]` : host;
  return {
    url: `${tls === undefined ? "http" : "https"}://${shown}:${port}${basePath}`,
    port,
    async reload() {
      if (tls === undefined) return "There is no certificate to read again: server.tlsCert is not set.";
      const material = readTls(tls);
      (server as SecureServer).setSecureContext({ ...material, minVersion: "TLSv1.2" });
      return `The certificate was read again; new connections use it. It is valid until ${endOf(material)}.`;
    },
    async close(graceMs) {
      const { promise: closed, resolve } = Promise.withResolvers<void>();
      const end = performance.now() + graceMs;
      // net's own close only stops accepting; http's would close silent connections as well, and with them the
      // requests that are on their way in the same moment.
      NetServer.prototype.close.call(server, () => resolve());
      http.lastAnswers();
      await sleep(Math.min(lateMs, graceMs));
      server.closeIdleConnections();
      await http.drain(end - performance.now());
      while ((await connections(server)) > 0 && performance.now() < end) {
        server.closeIdleConnections();
        await sleep(10);
      }
      server.closeAllConnections();
      http.cutUpgraded();
      await closed;
      // Ends the watch over connections, which http's close does and net's does not.
      server.close(() => {});
    },
  };
}

const connections = (server: Server): Promise<number> =>
  new Promise((resolve) => server.getConnections((_, count) => resolve(count ?? 0)));
