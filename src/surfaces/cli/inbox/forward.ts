import { trimOws } from "../../../lib/header-list.ts";
import { defineLeaf } from "../command.ts";
import { toJsonLine } from "../json.ts";
import type { Host } from "../host.ts";
import { usageError } from "../usage-error.ts";
import { visibleLine } from "../visible.ts";
import { createConnection } from "./connection.ts";
import { followMessages } from "./follow.ts";
import { idArg, toInboxId } from "./manage.ts";
import { bodyOf, type MessageView } from "./message.ts";
import { startArgs, toStart } from "./newest.ts";
import { openRemote, remoteArgs } from "./remote.ts";
import { send } from "./send.ts";

/** Long enough for a target that is stopped in a debugger. */
const patienceMs = 60_000;

export const forward = defineLeaf({
  description: "Forward the messages of an inbox to a URL, such as a program on this machine, until Ctrl-C.",
  args: {
    ...idArg,
    url: {
      type: "positional",
      required: true,
      description: "The target, such as http://localhost:3000/hook",
    },
    type: { type: "string", valueHint: "TYPE", description: "Only messages of this type" },
    ...startArgs,
    json: { type: "boolean", description: "Print one line of JSON per message" },
    ...remoteArgs,
  },
  examples: [
    "penknife inbox forward in_0123456789abcdef0123456789abcdef http://localhost:3000/hook",
    "penknife inbox forward in_0123456789abcdef0123456789abcdef http://localhost:3000/hook --all",
  ],
  async run({ id, url, type, after, all, ...args }, host) {
    const inbox = toInboxId(id);
    const target = toTarget(url);
    const startAfter = toStart({ after, all }, inbox);
    const remote = await openRemote(args, host);
    const { signal } = new AbortController();
    const connection = createConnection(remote, host);
    const options = { inbox, after: await startAfter(remote), type, patient: false, signal, connection };
    for await (const message of followMessages(remote, options)) {
      const forwarded = await deliver(message, target, host);
      await host.stdout.write(args.json === true ? toJsonLine(forwarded) : render(forwarded, message));
    }
  },
});

interface Forwarded {
  id: string;
  /** The response status of the target; undefined if it did not respond. */
  status?: number;
  error?: string;
  durationMs: number;
}

/** Sends a message once. A failure is not retried: the target is under development, and its developer can send it again. */
async function deliver(message: MessageView, target: URL, { runtime }: Host): Promise<Forwarded> {
  const started = runtime.monotonic();
  const passed = (): number => Math.round(runtime.monotonic() - started);
  const url = withQuery(target, message.query);
  const body = bodyOf(message);
  const headers = toForwarded(message.headers, target.host, body.length);
  try {
    const response = await send(url, { method: message.method, headers, body, patienceMs });
    // The response body is discarded, not aborted, which the target could see as an error; an endless one is cut off.
    response.on("error", () => undefined).resume();
    setTimeout(() => response.destroy(), patienceMs).unref();
    return { id: message.id, status: response.statusCode ?? 0, durationMs: passed() };
  } catch (error) {
    return { id: message.id, error: (error as Error).message, durationMs: passed() };
  }
}

const render = ({ id, status, error, durationMs }: Forwarded, { method, type }: MessageView): string =>
  `${[id, method, type ?? "-", "→", status === undefined ? `failed: ${error}` : String(status), `${durationMs} ms`].map(visibleLine).join(" ")}\n`;

function toTarget(text: string): URL {
  const url = URL.parse(text);
  if (url !== null && /^https?:$/.test(url.protocol) && `${url.username}${url.password}${url.hash}` === "")
    return url;
  throw usageError(
    "URL must be an address such as http://localhost:3000/hook, without credentials or fragment.",
  );
}

/** Appends the query of the message to that of the target. */
function withQuery(target: URL, query: string): URL {
  const url = new URL(target);
  if (query.length > 1) url.search = url.search === "" ? query : `${url.search}&${query.slice(1)}`;
  return url;
}

/**
 * The headers of a message for the next hop, as alternating names and values: in the same order, without
 * connection-specific ones, and with the host and length of this hop.
 */
export function toForwarded(
  headers: readonly (readonly [name: string, value: string])[],
  host: string,
  length: number,
): string[] {
  const named = new Set(
    headers
      .filter(([name]) => name.toLowerCase() === "connection")
      .flatMap(([, value]) => value.split(",").map((option) => trimOws(option).toLowerCase())),
  );
  const kept = headers.filter(([name]) => {
    const lower = name.toLowerCase();
    return !dropped.has(lower) && !named.has(lower);
  });
  return ["Host", host, ...kept.flat(), "Content-Length", String(length), "Connection", "close"];
}

/** Connection-specific headers (RFC 9110 §7.6.1), and those that are set again for the next hop. */
const dropped = new Set(
  "connection content-length expect host keep-alive proxy-authenticate proxy-authorization proxy-connection te trailer transfer-encoding upgrade".split(
    " ",
  ),
);
