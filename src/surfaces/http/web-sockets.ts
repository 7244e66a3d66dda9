import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import type { Upgrade } from "./exchange.ts";
import type { Exchanges } from "./exchanges.ts";
import { isFinished } from "./last-request.ts";
import { parseTarget, stripBase, toRoute } from "./target.ts";
import type { UpgradeShell } from "./upgrade.ts";

/** The paths on which WebSockets are accepted, and the connections that became some. */
export interface WebSockets {
  /** Accepts WebSockets on a path. Upgrades to other protocols, or on other paths, are handled as ordinary requests. */
  accept(path: string, take: Upgrade): void;
  /** Whether the request is a handshake to hand over. */
  isHandshake(req: IncomingMessage): boolean;
  take(req: IncomingMessage, socket: Duplex, head: Buffer): void;
  /** Ends all WebSockets. */
  cut(): void;
}

export function createWebSockets({
  exchanges,
  basePath,
  ...shell
}: Omit<UpgradeShell, "open"> & { exchanges: Exchanges; basePath: string }): WebSockets {
  const accepted = new Map<string, Upgrade>();
  const open = new Set<Socket>();

  /** Returns the handler of a handshake; undefined for any other request. */
  function handlerOf({ method, url = "", headers }: IncomingMessage): Upgrade | undefined {
    if (method !== "GET" || headers.upgrade?.toLowerCase() !== "websocket") return undefined;
    // A handshake has no body.
    if (headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) !== 0)
      return undefined;
    return accepted.get(toRoute(stripBase(parseTarget(url).path, basePath) ?? ""));
  }

  async function takeOver(req: IncomingMessage, socket: Socket, head: Buffer): Promise<void> {
    open.add(socket);
    socket.on("close", () => open.delete(socket));
    // Without a listener, a reset by the client would end the process.
    socket.on("error", () => socket.destroy());
    const { openUpgrade } = await import("./upgrade.ts");
    const take = handlerOf(req) as Upgrade;
    await openUpgrade({ ...shell, open: exchanges.open }, { req, socket, head, take });
  }

  return {
    accept: (path, take) => void accepted.set(path, take),
    // Earlier requests of the connection must be answered first.
    isHandshake: (req) =>
      handlerOf(req) !== undefined && !isFinished(req.socket) && exchanges.owed(req.socket).length === 0,
    take: (req, socket, head) => void takeOver(req, socket as Socket, head).catch(() => socket.destroy()),
    cut() {
      for (const socket of open) socket.destroy();
    },
  };
}
