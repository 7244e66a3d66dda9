import type { Ticket } from "../../../catalog/principal.ts";
import { textOfMember } from "../../../catalog/member-text.ts";
import { InvalidMessage, type Message, parseMessage, type Request } from "../protocol/message.ts";
import { type Peer, type Protocol, type Reply, toErrorReply } from "../protocol/protocol.ts";
import { codes, ProtocolError } from "../protocol/protocol-error.ts";
import type { Caller } from "../tool.ts";
import { readLines } from "./lines.ts";
import type { Runtime } from "../../../runtime.ts";

export interface StdioDeps {
  protocol: Protocol<Caller>;
  input: AsyncIterable<Uint8Array>;
  /** Writes whole lines, and nothing else may. Rejects when the reader is gone. */
  write(lines: string): Promise<void>;
  admit(): Promise<Ticket>;
  runtime: Runtime;
  /** Resolves after that many milliseconds. */
  sleep(ms: number): Promise<void>;
}

/** Longest message; a document of more bytes comes from a file. */
const maxMessage = 64 * 1024 * 1024;
/** Requests that are answered at once; more wait in the pipe. */
const maxRunning = 256;
/** The time that calls may go on when the input has ended, in milliseconds: the client has left, or sent all it had at once. */
const graceMs = 800;

/**
 * Serves one client over standard input and output, a JSON-RPC message a line. Resolves when the input has ended, or when
 * nobody reads the answers any more.
 */
export async function serveStdio(deps: StdioDeps): Promise<void> {
  const { protocol, input, admit, runtime } = deps;
  /** Requests under way, by their id as JSON text. */
  const running = new Map<string, AbortController>();
  const pending = new Set<Promise<void>>();
  const left = Promise.withResolvers<"left">();
  let hasLeft = false;

  async function write(text: string): Promise<void> {
    if (hasLeft) return;
    try {
      await deps.write(`${text}\n`);
    } catch {
      // The reader is gone: there is nobody to report it to.
      hasLeft = true;
      left.resolve("left");
    }
  }

  async function answer(request: Request): Promise<void> {
    const control = new AbortController();
    running.set(request.id, control);
    const peer: Peer<Caller> = {
      send: (sent) => void write(JSON.stringify(sent)),
      caller: {
        admit,
        signal: control.signal,
        note: () => undefined,
        refused: () => undefined,
        baseUrl: undefined,
      },
    };
    let reply: Reply | undefined;
    try {
      reply = await protocol.answer(request, peer);
    } catch (error) {
      if (!control.signal.aborted) runtime.report(error);
      const fault = new ProtocolError(
        codes.internalError,
        "Something in penknife failed; its log says what.",
      );
      reply = toErrorReply(fault, request.id);
    } finally {
      if (running.get(request.id) === control) running.delete(request.id);
    }
    // A cancelled request gets no answer.
    if (reply !== undefined && !control.signal.aborted) await write(reply.text);
  }

  async function receive(bytes: Uint8Array): Promise<void> {
    let message: Message;
    try {
      message = parseMessage(bytes);
    } catch (error) {
      if (!(error instanceof InvalidMessage)) throw error;
      return write(toErrorReply(error, error.id).text);
    }
    if (message.kind === "request") return answer(message);
    if (message.method === "notifications/cancelled") running.get(idOfCancelled(bytes))?.abort();
  }

  async function readAll(): Promise<"ended"> {
    for await (const line of readLines(input, maxMessage)) {
      if (hasLeft) break;
      if (line === "too-long") {
        await write(toErrorReply(tooLong).text);
        continue;
      }
      const receiving: Promise<void> = receive(line.bytes).finally(() => pending.delete(receiving));
      pending.add(receiving);
      while (pending.size >= maxRunning) await Promise.race(pending);
    }
    return "ended";
  }

  await Promise.race([readAll(), left.promise]);
  await Promise.race([Promise.all(pending), left.promise, deps.sleep(graceMs)]);
  hasLeft = true;
  for (const control of running.values()) control.abort();
}

/** The id in the parameters of `notifications/cancelled`, as JSON text. */
function idOfCancelled(bytes: Uint8Array): string {
  const { params } = JSON.parse(Buffer.from(bytes).toString()) as { params?: { requestId?: unknown } };
  const id = params?.requestId;
  if (typeof id !== "number" || Number.isSafeInteger(id)) return JSON.stringify(id) ?? "";
  return textOfMember(Buffer.from(textOfMember(bytes, "params")), "requestId");
}

const tooLong = new ProtocolError(
  codes.invalidRequest,
  `The message is longer than ${maxMessage} bytes. Name the document with the argument file instead.`,
);
