import { ToolError } from "../../catalog/errors.ts";
import type { Runtime } from "../../runtime.ts";
import type { OpenDocument } from "./documents.ts";
import { FramingError, readFrames, toFrame } from "./frames.ts";
import { codes, type Message, objectAt, type Params, parseMessage, RequestError } from "./message.ts";
import { readInitialize, toCapabilities, toPaths, uriOf, watching } from "./session.ts";
import { createWorkspace, type Workspace, type WorkspaceDeps } from "./workspace.ts";

export interface EditorDeps extends Omit<WorkspaceDeps, "notify"> {
  input: AsyncIterable<Uint8Array>;
  /** Writes whole messages, and nothing else may. Rejects when the reader is gone. */
  write(bytes: Uint8Array): Promise<void>;
  version: string;
  runtime: Pick<Runtime, "report">;
}

/** Longest message: the text of a large document, with its escapes. */
const maxMessage = 64 * 1024 * 1024;
/** Requests that are answered at once; more are refused. */
const maxRunning = 100;

/** The sending side of the connection, and the work that goes on beside its receiving side. */
interface Connection {
  send(message: object): Promise<void>;
  notify(method: string, params: object): Promise<void>;
  /** Goes on with work whose failure is a bug. */
  start(work: Promise<void>): void;
}

/**
 * Serves an editor over standard input and output by the Language Server Protocol: diagnostics, formatting and fixes of the checks of
 * `penknife check`, on the text that the editor has. Returns the exit status: 0 after `shutdown`, otherwise 1.
 */
export async function serveEditor(deps: EditorDeps): Promise<number> {
  const { input, runtime } = deps;
  let hasLeft = false;
  const connection: Connection = {
    async send(message) {
      if (hasLeft) return;
      try {
        await deps.write(toFrame({ jsonrpc: "2.0", ...message }));
      } catch {
        // The editor is gone, so there is nobody to report it to.
        hasLeft = true;
      }
    },
    notify: (method, params) => connection.send({ method, params }),
    start: (work) => void work.catch((error: unknown) => runtime.report(error)),
  };
  const server = createServer(deps, connection);
  const refuse = (code: number, message: string): Promise<void> =>
    connection.send({ id: null, error: { code, message } });
  try {
    for await (const frame of readFrames(input, maxMessage)) {
      if (hasLeft) break;
      if (frame === "too-long")
        await refuse(codes.invalidRequest, `A message has more than ${maxMessage} bytes.`);
      else if (await server.take(frame.bytes)) break;
    }
  } catch (error) {
    if (!(error instanceof FramingError)) throw error;
    await refuse(codes.parseError, error.message);
  }
  hasLeft = true;
  return server.close();
}

interface Server {
  /** Takes a message; returns whether it was `exit`. */
  take(bytes: Uint8Array): Promise<boolean>;
  /** Stops what runs, and returns the exit status. */
  close(): number;
}

function createServer(deps: EditorDeps, { send, notify, start }: Connection): Server {
  const running = new Map<number | string, AbortController>();
  let workspace: (Workspace & { watches: boolean }) | undefined;
  let isShutDown = false;

  async function answer(method: string, params: Params, signal: AbortSignal): Promise<unknown> {
    if (method === "initialize") {
      if (workspace !== undefined)
        throw new RequestError(codes.invalidRequest, "The server is initialized already.");
      const session = readInitialize(params);
      workspace = { ...createWorkspace(session, { ...deps, notify }), watches: session.watches };
      const serverInfo = { name: "penknife", version: deps.version };
      return { capabilities: toCapabilities(session.encoding), serverInfo };
    }
    if (workspace === undefined)
      throw new RequestError(codes.notInitialized, "The server is not initialized.");
    if (isShutDown) throw new RequestError(codes.invalidRequest, "The server has shut down.");
    switch (method) {
      case "shutdown":
        isShutDown = true;
        workspace.close();
        return null;
      case "textDocument/formatting":
        return workspace.format(uriOf(params), signal);
      case "textDocument/codeAction":
        return workspace.actions(params, signal);
      default:
        throw new RequestError(codes.methodNotFound, `${method.slice(0, 100)} is not supported.`);
    }
  }

  async function respond({ id, method, params }: Extract<Message, { kind: "request" }>): Promise<void> {
    const control = new AbortController();
    const { signal } = control;
    try {
      if (running.has(id)) throw new RequestError(codes.invalidRequest, "A request with this id is running.");
      if (running.size >= maxRunning)
        throw new RequestError(codes.requestFailed, `More than ${maxRunning} requests are running.`);
      running.set(id, control);
      const result = await answer(method, params, signal);
      signal.throwIfAborted();
      await send({ id, result });
    } catch (error) {
      await send({ id, error: toError(error, signal) });
    } finally {
      if (running.get(id) === control) running.delete(id);
    }
  }

  function toError(error: unknown, signal: AbortSignal): { code: number; message: string } {
    if (signal.aborted) return { code: codes.requestCancelled, message: "The request was cancelled." };
    if (error instanceof RequestError) return { code: error.code, message: error.message };
    if (error instanceof ToolError) return { code: codes.requestFailed, message: error.message };
    deps.runtime.report(error);
    return { code: codes.internalError, message: "Something in penknife failed; its log says what." };
  }

  function checkAgain({ documents, check, forget }: Workspace): void {
    forget();
    for (const one of documents.all()) start(check(one));
  }

  function receive(method: string, params: Params): void {
    if (method === "$/cancelRequest") return running.get(params["id"] as number | string)?.abort();
    if (workspace === undefined || isShutDown) return;
    const { documents } = workspace;
    const check = (one: OpenDocument): void => start((workspace as Workspace).check(one));
    switch (method) {
      case "initialized":
        // Editors answer, and there is nothing to do with the answer.
        if (workspace.watches)
          start(send({ id: "penknife-1", method: "client/registerCapability", params: watching }));
        return;
      case "textDocument/didOpen":
        return check(documents.open(params));
      case "textDocument/didChange":
        return check(documents.change(params));
      case "textDocument/didClose": {
        const closed = documents.close(params);
        if (closed !== undefined) start(workspace.publish(closed.uri, null, []));
        return;
      }
      case "textDocument/didSave":
        if (workspace.isSource(uriOf(params))) checkAgain(workspace);
        return;
      case "workspace/didChangeWatchedFiles":
        return checkAgain(workspace);
      case "workspace/didChangeWorkspaceFolders": {
        const { added, removed } = objectAt(params, "event");
        workspace.changeFolders(toPaths(added), toPaths(removed));
        return checkAgain(workspace);
      }
      default:
    }
  }

  return {
    async take(bytes) {
      try {
        const message = parseMessage(bytes);
        if (message.kind === "notification") {
          if (message.method === "exit") return true;
          receive(message.method, message.params);
        } else if (message.kind === "request") {
          // These two hold for what comes after them.
          if (/^(?:initialize|shutdown)$/.test(message.method)) await respond(message);
          else start(respond(message));
        }
      } catch (error) {
        if (!(error instanceof RequestError)) throw error;
        const { id, code, message } = error;
        // A notification has no answer.
        if (code === codes.parseError || code === codes.invalidRequest)
          await send({ id, error: { code, message } });
        else await notify("window/logMessage", { type: 1, message: `penknife: ${message}` });
      }
      return false;
    },
    close() {
      for (const control of running.values()) control.abort();
      workspace?.close();
      return isShutDown ? 0 : 1;
    },
  };
}
