import { defineLeaf } from "../command.ts";
import { toJsonLine } from "../json.ts";
import type { Host } from "../host.ts";
import { usageError } from "../usage-error.ts";
import { visibleLine } from "../visible.ts";
import { createConnection } from "./connection.ts";
import { followMessages } from "./follow.ts";
import { toForwarded } from "./forwarded.ts";
import { idArg, toInboxId } from "./manage.ts";
import { bodyOf, type MessageView } from "./message.ts";
import { beginArgs, toBegin } from "./newest.ts";
import { openRemote, remoteArgs } from "./remote.ts";
import { send } from "./send.ts";

/** A debugger may have stopped whoever is to answer. */
const patienceMs = 60_000;

export const forward = defineLeaf({
  description: "Send what an inbox receives on to an URL, such as a program on this machine, until Ctrl-C.",
  args: {
    ...idArg,
    url: { type: "positional", required: true, description: "Where to, such as http://localhost:3000/hook" },
    type: { type: "string", valueHint: "TYPE", description: "Only messages of this type" },
    ...beginArgs,
    json: { type: "boolean", description: "One JSON document a line for each" },
    ...remoteArgs,
  },
  examples: [
    "penknife inbox forward in_0123456789abcdef0123456789abcdef http://localhost:3000/hook",
    "penknife inbox forward in_0123456789abcdef0123456789abcdef http://localhost:3000/hook --all",
  ],
  async run({ id, url, type, after, all, ...args }, host) {
    const inbox = toInboxId(id);
    const target = toTarget(url);
    const begin = toBegin({ after, all }, inbox);
    const remote = await openRemote(args, host);
    const { signal } = new AbortController();
    const connection = createConnection(remote, host);
    const options = { inbox, after: await begin(remote), type, patient: false, signal, connection };
    for await (const message of followMessages(remote, options)) {
      const forwarded = await deliver(message, target, host);
      await host.stdout.write(args.json === true ? toJsonLine(forwarded) : render(forwarded, message));
    }
  },
});

interface Forwarded {
  id: string;
  /** What the target answered, or why it did not. */
  status?: number;
  error?: string;
  durationMs: number;
}

/** Once, whatever comes back: whoever is at work on the target sends it again when it is mended. */
async function deliver(message: MessageView, target: URL, { monotonic }: Host): Promise<Forwarded> {
  const started = monotonic();
  const passed = (): number => Math.round(monotonic() - started);
  const url = withQuery(target, message.query);
  const body = bodyOf(message);
  const headers = toForwarded(message.headers, target.host, body.length);
  try {
    const response = await send(url, { method: message.method, headers, body, patienceMs });
    // What it says is nobody's concern, but to break off could be an error on its side; one without an end is broken off.
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
  throw usageError("The URL is one such as http://localhost:3000/hook, without credentials and fragment.");
}

/** That of the message is added to what the target has already. */
function withQuery(target: URL, query: string): URL {
  const url = new URL(target);
  if (query.length > 1) url.search = url.search === "" ? query : `${url.search}&${query.slice(1)}`;
  return url;
}
