import type { Server } from "node:http";
import type { Socket } from "node:net";
import { bucketOf } from "../../services/access/client-ip.ts";
import { type Connection, connectionOf, shareConnection } from "./connection.ts";
import { nameOf } from "./tls.ts";
import type { Runtime } from "../../runtime.ts";

/** Limits the open connections in total and for each address. */
export interface ConnectionLimits {
  /** Counts and bounds the connections that the server accepts from now on. */
  watch(server: Server): void;
}

export interface ConnectionLimitsOptions {
  /** The most connections of all addresses. */
  max: number;
  /** The most connections of one address; IPv6 addresses count by /64. */
  perAddress: number;
  /** Reports whether an address is a proxy, which stands for many clients. */
  isProxy(address: string): boolean;
  runtime: Runtime;
  /** Called for each connection that is closed to make room or refused. */
  onClosed(reason: ClosedReason, address: string): void;
}

/** `idle` connections are closed to make room for another one; `refused` connections found no room. */
export type ClosedReason = "idle" | "refused";

/** An address, or a /64 of IPv6, whose connections are counted together. */
interface Owner {
  readonly isProxy: boolean;
  readonly connections: Set<Entry>;
  reserved: number;
}

interface Entry {
  readonly connection: Connection;
  readonly owner: Owner;
  readonly address: string;
}

/** Connections beyond `max` that are accepted for probes, in all and for each address. */
export const reserve = { all: 64, each: 4 };
/** The most connections that are closed within one turn of the event loop. */
const maxClosing = 512;
/** Milliseconds after which a connection with an unfinished request head counts as idle while there is no room. */
const slowHeadMs = 2000;

/**
 * Makes room for a new connection by closing an idle one: at the address with the most connections, the one that has been
 * idle for longest, never one whose request is being served. If none is idle, the new connection is kept in reserve for a
 * probe.
 */
export function createConnectionLimits({
  max,
  perAddress,
  isProxy,
  runtime,
  onClosed,
}: ConnectionLimitsOptions): ConnectionLimits {
  const owners = new Map<string, Owner>();
  let open = 0;
  let reserved = 0;

  function accept(socket: Socket): void {
    const address = socket.remoteAddress;
    // The client closed the connection before it was accepted.
    if (address === undefined) return;
    const name = bucketOf(address);
    let owner = owners.get(name);
    if (owner === undefined)
      owners.set(name, (owner = { isProxy: isProxy(address), connections: new Set(), reserved: 0 }));
    const isReserved = !makeRoom(owner);
    if (isReserved && !makeReserve(owner)) {
      if (owner.connections.size === 0) owners.delete(name);
      onClosed("refused", address);
      // Runs after the other listeners, which expect an open socket.
      return queueMicrotask(() => socket.destroy());
    }
    enter({ connection: connectionOf(socket), owner, address }, name, isReserved);
  }

  function enter(entry: Entry, name: string, isReserved: boolean): void {
    const { connection, owner } = entry;
    connection.idleSince = runtime.monotonic();
    connection.isReserved = isReserved;
    owner.connections.add(entry);
    if (isReserved) {
      owner.reserved += 1;
      reserved += 1;
    } else open += 1;
    connection.socket.once("close", () => {
      leave(entry);
      if (owner.connections.size === 0) owners.delete(name);
    });
  }

  function leave(entry: Entry): void {
    const { connection, owner } = entry;
    if (!owner.connections.delete(entry)) return;
    if (connection.isReserved) {
      owner.reserved -= 1;
      reserved -= 1;
    } else open -= 1;
  }

  function close(entry: Entry | undefined): boolean {
    if (entry === undefined) return false;
    leave(entry);
    onClosed("idle", entry.address);
    entry.connection.socket.destroy();
    return true;
  }

  function makeRoom(owner: Owner): boolean {
    if (!owner.isProxy && owner.connections.size - owner.reserved >= perAddress)
      return close(longestIdle([owner], false));
    return open < max || close(longestIdle(owners.values(), false));
  }

  function makeReserve(owner: Owner): boolean {
    if (owner.reserved >= reserve.each) return close(longestIdle([owner], true));
    return reserved < reserve.all || close(longestIdle(owners.values(), true));
  }

  /** Returns the connection idle for longest at the address with the most connections; proxies come last. */
  function longestIdle(among: Iterable<Owner>, isReserved: boolean): Entry | undefined {
    const time = runtime.monotonic();
    let best: { entry: Entry; isSlow: boolean; size: number } | undefined;
    for (const owner of among) {
      const size = owner.isProxy ? 0 : owner.connections.size;
      for (const entry of owner.connections) {
        const { connection } = entry;
        if (connection.isReserved !== isReserved || !isIdle(connection)) continue;
        const isSlow = connection.socket.bytesRead > connection.readBytes;
        if (isSlow && time - connection.idleSince < slowHeadMs) continue;
        if (best === undefined || comesFirst({ entry, isSlow, size }, best)) best = { entry, isSlow, size };
      }
    }
    return best?.entry;
  }

  return {
    watch(server) {
      server.prependListener("connection", accept);
      // Node drops connections beyond this number, and counts sockets that were just closed.
      server.maxConnections = max + reserve.all + maxClosing;
      server.on("drop", ({ remoteAddress = "" } = {}) => onClosed("refused", remoteAddress));
    },
  };
}

/** Shares the state of a connection with the TLS socket that its requests arrive on. */
export function shareSecureConnections(server: Server): void {
  const handshakes = new Map<string, Socket>();
  server.on("connection", (socket) => {
    const name = nameOf(socket);
    handshakes.set(name, socket);
    socket.once("close", () => handshakes.delete(name));
  });
  server.on("secureConnection", (secure: Socket) => {
    const socket = handshakes.get(nameOf(secure));
    if (socket === undefined) return;
    shareConnection(socket, secure);
    connectionOf(socket).readBytes = socket.bytesRead;
  });
}

const isIdle = ({ owed, waiting, isBeginning, isUpgraded }: Connection): boolean =>
  owed === 0 && waiting.length === 0 && !isBeginning && !isUpgraded;

interface Candidate {
  entry: Entry;
  /** Reports whether it began a request long ago and has not finished its head. */
  isSlow: boolean;
  size: number;
}

function comesFirst(one: Candidate, other: Candidate): boolean {
  if (one.isSlow !== other.isSlow) return other.isSlow;
  if (one.size !== other.size) return one.size > other.size;
  return one.entry.connection.idleSince < other.entry.connection.idleSince;
}
