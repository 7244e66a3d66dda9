import { chmodSync, mkdtempSync, renameSync, rmSync, rmdirSync } from "node:fs";
import { createServer } from "node:net";
import type { Server, Socket } from "node:net";
import { dirname, join } from "node:path";
import { ToolError } from "../../catalog/errors.ts";
import { createMutex } from "../../lib/mutex.ts";
import type { Admin } from "../../operations/admin.ts";
import { findOperation } from "../../operations/index.ts";
import {
  addressOperation,
  type AdminAnswer,
  type AdminRequest,
  createLineReader,
  toErrorAnswer,
} from "../../operations/wire.ts";
import { parseCaller } from "../../services/audit/caller.ts";
import { shortPath } from "../../storage/folder-socket.ts";
import { toStoreError } from "../../storage/errors.ts";
import { hiddenSocketPrefix } from "../../storage/folder.ts";

export interface AdminServer {
  /** Finishes running operations, then removes the socket. */
  close(): Promise<void>;
}

export interface AdminServerOptions {
  /** `penknife.sock` in the data folder. */
  path: string;
  admin: Pick<Admin, "perform">;
  /** Returns the URL that the server listens on. */
  address?: (() => string) | undefined;
  /** Called with errors that are not the caller's fault. */
  onError: (error: Error) => void;
}

const maxRequest = 64 * 1024;
const idleMs = 60_000;
const maxClients = 32;

/**
 * Serves the admin commands of a running server. Its mode is 0600, so only the server's user and root can connect.
 * @throws StoreError if the socket cannot be made.
 */
export async function serveAdmin({
  path,
  admin,
  address,
  onError,
}: AdminServerOptions): Promise<AdminServer> {
  const clients = new Set<Socket>();
  const running = new Set<Promise<void>>();
  const server = createServer((socket) => {
    clients.add(socket.on("close", () => clients.delete(socket)));
    serveClient(socket, { admin, address, onError }, running);
  });
  server.maxConnections = maxClients;
  server.on("error", onError);
  await listenPrivately(server, path);

  return {
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      // Removed before the lock is released: the next server's socket has the same name.
      remove(path);
      await Promise.all(running);
      for (const socket of clients) socket.end().destroySoon();
      await closed;
    },
  };
}

/**
 * The mode of a socket comes from the umask, which belongs to the whole process. The socket is therefore created in a
 * private folder and then moved to its name, where it replaces one left by a crash. Only the holder of the folder's
 * lock may call this.
 */
async function listenPrivately(server: Server, path: string): Promise<void> {
  const folder = dirname(path);
  let hidden: string | undefined;
  try {
    hidden = mkdtempSync(join(folder, hiddenSocketPrefix));
    const made = join(hidden, "new.sock");
    const short = shortPath(made);
    try {
      await new Promise<void>((resolve, reject) => {
        server.once("error", reject);
        server.listen(short.path, () => {
          server.off("error", reject);
          resolve();
        });
      });
    } finally {
      short.release();
    }
    chmodSync(made, 0o600);
    renameSync(made, path);
  } catch (error) {
    server.close();
    throw toStoreError("socket", path, error);
  } finally {
    if (hidden !== undefined) rmdirSync(hidden);
  }
}

/** A socket that cannot be removed is like one left by kill -9: nobody listens, and the next server replaces it. */
function remove(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {
    // The store reports what is wrong with its folder.
  }
}

type Answering = Omit<AdminServerOptions, "path">;

function serveClient(socket: Socket, options: Answering, running: Set<Promise<void>>): void {
  const inTurn = createMutex();

  async function reply(line: string): Promise<void> {
    const answer = await answerLine(line, options);
    if (socket.writable) socket.write(`${JSON.stringify(answer)}\n`);
  }

  const read = createLineReader(maxRequest, (line) => {
    const done = inTurn(() => reply(line));
    running.add(done);
    void done.finally(() => running.delete(done));
  });
  socket.setEncoding("utf8");
  socket.setTimeout(idleMs, () => socket.destroy());
  // A client that disconnects early gets no answer.
  socket.on("error", () => socket.destroy());
  socket.on("data", (text: string) => {
    if (read(text)) return;
    const refusal = toErrorAnswer(
      new ToolError("invalid_input", `A request has at most ${maxRequest} characters.`),
    );
    socket.end(`${JSON.stringify(refusal)}\n`);
  });
}

async function answerLine(line: string, { admin, address, onError }: Answering): Promise<AdminAnswer> {
  try {
    const request = parseRequest(line);
    if (request.operation === addressOperation && address !== undefined) return { result: address() };
    // They open sessions for persons whom a provider or a proxy attested.
    if ((await findOperation(request.operation))?.callers === "server") {
      throw new ToolError(
        "forbidden",
        "Only the server itself does this, for a person who signs in. penknife admin login prints a code for a session.",
      );
    }
    return { result: (await admin.perform(request.operation, request.args, request.caller)) ?? null };
  } catch (error) {
    if (!(error instanceof ToolError)) onError(error instanceof Error ? error : new Error(String(error)));
    return toErrorAnswer(error);
  }
}

function parseRequest(line: string): AdminRequest {
  let request: unknown;
  try {
    request = JSON.parse(line);
  } catch {
    request = undefined;
  }
  const operation = (request as { operation?: unknown } | null | undefined)?.operation;
  if (typeof operation !== "string") {
    throw new ToolError("bad_json", 'A request is one line of JSON: {"operation": "…", "args": {…}}.');
  }
  const { args, caller } = request as { args?: unknown; caller?: unknown };
  return { operation, args, caller: parseCaller(caller) };
}
