import type { Admin } from "./admin.ts";
import { addressOperation, type AdminRequest, createLineReader, fromAnswer } from "./wire.ts";
import { reachSocket, socketOf } from "../storage/folder-socket.ts";

/** The operations of a running server on this folder. */
export interface AdminClient extends Pick<Admin, "call" | "perform"> {
  close(): void;
}

const maxAnswer = 64 * 1024 * 1024;
const patienceMs = 30_000;

/**
 * Returns the URL that the server of a data folder listens on; undefined if none runs there.
 * @throws StoreError if the socket may not be used, ToolError if the server is of a release that does not report it.
 */
export async function findAddress(folder: string): Promise<string | undefined> {
  const client = await connectToFolder(folder);
  if (client === undefined) return undefined;
  try {
    return String(await client.perform(addressOperation, {}));
  } finally {
    client.close();
  }
}

/** Like `connectAdmin`, for the server of a data folder. */
export const connectToFolder = (folder: string): Promise<AdminClient | undefined> =>
  connectAdmin(socketOf(folder));

/**
 * Connects to the server at `path`; undefined if none listens there.
 * @throws StoreError if the socket may not be used.
 */
export async function connectAdmin(path: string): Promise<AdminClient | undefined> {
  const socket = await reachSocket(path);
  if (socket === undefined) return undefined;
  const waiting: ((answer: unknown) => void)[] = [];
  const gone = {
    error: { code: "internal", message: "The server ended the connection before it answered." },
  };
  const read = createLineReader(maxAnswer, (line) => waiting.shift()?.(parseAnswer(line)));

  socket.setEncoding("utf8");
  socket.on("data", (text: string) => {
    if (!read(text)) socket.destroy();
  });
  socket.on("error", () => socket.destroy());
  socket.on("close", () => {
    for (const settle of waiting.splice(0)) settle(gone);
  });

  const perform: Admin["perform"] = async (operation, args, caller) => {
    if (socket.destroyed) return fromAnswer(gone);
    const answer = new Promise<unknown>((resolve) => waiting.push(resolve));
    const timer = setTimeout(() => socket.destroy(), patienceMs);
    const request: AdminRequest = { operation, args, ...(caller && { caller }) };
    socket.write(`${JSON.stringify(request)}\n`);
    try {
      return fromAnswer(await answer);
    } finally {
      clearTimeout(timer);
    }
  };

  return {
    perform,
    call: perform as Admin["call"],
    close: () => void socket.destroy(),
  };
}

function parseAnswer(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
