import type { IncomingMessage } from "node:http";
import { join, resolve } from "node:path";
import { ToolError } from "../../../catalog/errors.ts";
import { isKey } from "../../../services/access/key-format.ts";
import type { Host } from "../host.ts";
import { loadSettings, type SettingsArgs } from "../load-settings.ts";
import { readDocument } from "../read-document.ts";
import { usageError } from "../usage-error.ts";
import { visible } from "../visible.ts";
import { RemoteError } from "../remote-error.ts";
import { insecureArg, refuseOpenNetwork, toOwnUrl } from "../server-url.ts";
import { toRefusal } from "./refusal.ts";
import { readAll, send } from "./send.ts";

/** The options of every command that sends requests to a server. */
export const remoteArgs = {
  server: {
    type: "string",
    valueHint: "URL",
    description: "The server (PENKNIFE_URL); by default the one that runs on the data folder (--data)",
  },
  "key-file": {
    type: "string",
    valueHint: "FILE",
    description: "The key of the account (PENKNIFE_KEY, PENKNIFE_KEY_FILE); - is standard input",
  },
  ...insecureArg,
} as const;

export interface RemoteArgs extends SettingsArgs {
  server?: string | undefined;
  "key-file"?: string | undefined;
  insecure?: boolean | undefined;
}

/** A penknife server, used with the key of an account. */
export interface Remote {
  /** Without a trailing slash. */
  readonly url: string;
  /** Sends a request and parses the JSON response. @throws ToolError if it is refused, RemoteError if there is no response. */
  ask(method: string, path: string, more?: { body?: unknown; signal?: AbortSignal }): Promise<unknown>;
  /** Sends a body of any type. @throws ToolError, RemoteError as `ask` does, unless `isAnswer` says that the response is one. */
  post(path: string, sending: Posting): Promise<Buffer>;
  /** Opens a response with an endless body. */
  open(
    path: string,
    headers: Readonly<Record<string, string>>,
    signal: AbortSignal,
  ): Promise<IncomingMessage>;
}

export interface Posting {
  headers: Readonly<Record<string, string>>;
  body: Uint8Array;
  signal?: AbortSignal | undefined;
  /** Whether a response that reports a failure is an answer all the same. */
  isAnswer?(response: IncomingMessage): boolean;
}

/** The time that a server may take for the head of a response. */
const patienceMs = 30_000;

/** The size of the largest list of messages, each with the largest body. */
const maxAnswer = 512 * 1024 * 1024;

/** @throws ToolError if no server or no valid key is given. */
export async function openRemote(args: RemoteArgs, host: Host): Promise<Remote> {
  const base = await findServer(args, host);
  refuseOpenNetwork(base, args.insecure);
  const headers = { authorization: `Bearer ${await readKey(args, host)}`, "accept-encoding": "identity" };
  const { version } = await host.program.build();
  const agent = { "user-agent": `penknife/${version}` };

  return {
    url: base,
    async ask(method, path, { body, signal } = {}) {
      const url = new URL(base + path);
      const response = await send(url, {
        method,
        headers: {
          ...headers,
          ...agent,
          accept: "application/json",
          ...(body !== undefined && { "content-type": "application/json" }),
        },
        ...(body !== undefined && { body: Buffer.from(JSON.stringify(body)) }),
        ...(signal && { signal }),
        patienceMs,
      });
      const answer = await readAll(response, url, maxAnswer);
      if (!isFine(response)) throw toRefusal(url, response, answer);
      return answer.length === 0 ? undefined : parse(url, answer);
    },
    async post(path, { headers: more, body, signal, isAnswer }) {
      const url = new URL(base + path);
      const response = await send(url, {
        method: "POST",
        headers: { ...headers, ...agent, ...more },
        body,
        ...(signal && { signal }),
        patienceMs,
      });
      const answer = await readAll(response, url, maxAnswer);
      if (isFine(response) || isAnswer?.(response) === true) return answer;
      throw toRefusal(url, response, answer);
    },
    async open(path, more, signal) {
      const url = new URL(base + path);
      const response = await send(url, {
        method: "GET",
        headers: { ...headers, ...agent, ...more },
        signal,
        patienceMs,
      });
      if (isFine(response)) return response;
      throw toRefusal(url, response, await readAll(response, url, 65_536));
    },
  };
}

const isFine = ({ statusCode = 0 }: IncomingMessage): boolean => statusCode >= 200 && statusCode < 300;

function parse(url: URL, answer: Buffer): unknown {
  try {
    return JSON.parse(answer.toString());
  } catch {
    throw new RemoteError(
      `${url.origin} did not answer with JSON; is this a penknife server? Give its address with --server`,
      false,
    );
  }
}

async function findServer(args: RemoteArgs, host: Host): Promise<string> {
  const given = args.server ?? host.env["PENKNIFE_URL"] ?? "";
  if (given !== "") return toBase(given, args.server === undefined ? "PENKNIFE_URL" : "--server");
  const { config, origins } = await loadSettings(args, host);
  const { driver, path } = config.storage;
  const folder = resolve(host.files.cwd, path);
  // A folder that nobody has named may hold the socket of somebody else's server.
  const mayAsk = driver === "file" && (origins.get("storage.path") !== "default" || isOwn(folder, host));
  const { findAddress } = await import("../../../operations/client.ts");
  const address = mayAsk ? await findAddress(folder) : undefined;
  if (address !== undefined) return toOwnUrl(address);
  const reason = driver === "file" ? `, and none runs on ${visible(path)} (storage.path)` : "";
  throw usageError(`No server is given${reason}. Set --server URL or PENKNIFE_URL.`);
}

/** Whether a folder and the socket in it belong to this user or root. */
const isOwn = (folder: string, { files, uid }: Host): boolean =>
  [folder, join(folder, "penknife.sock")].every((path) => {
    const owner = files.stat(path)?.owner;
    return owner === undefined || owner === 0 || uid === undefined || owner === uid;
  });

function toBase(text: string, from: string): string {
  const url = URL.parse(text);
  if (
    url === null ||
    !/^https?:$/.test(url.protocol) ||
    `${url.username}${url.password}` !== "" ||
    /[?#]/.test(text)
  )
    throw usageError(
      `${from} must be an address such as https://tools.example.com or http://127.0.0.1:8787/penknife, without credentials, query or fragment.`,
    );
  return url.href.replace(/\/+$/, "");
}

/**
 * Reads the key from a file or the environment, because every user of the machine can read a command line. Text that is
 * not a key may be another secret, so it is never sent.
 */
async function readKey(args: RemoteArgs, host: Host): Promise<string> {
  const file = args["key-file"] ?? host.env["PENKNIFE_KEY_FILE"];
  const variable = host.env["PENKNIFE_KEY"];
  const text = file === undefined || file === "" ? variable : (await readDocument(file, host)).bytes;
  if (text === undefined || text === "")
    throw new ToolError(
      "missing_key",
      "A key of a pro or team account is required. Set PENKNIFE_KEY or --key-file FILE.",
    );
  const key = Buffer.from(text).toString().trim();
  if (isKey(key)) return key;
  const from = text === variable ? "PENKNIFE_KEY" : visible(file ?? "");
  throw new ToolError(
    "malformed_key",
    `${from} does not contain a key: expected svc_live_ and 38 letters and digits with a valid checksum.`,
  );
}
