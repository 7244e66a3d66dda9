import type { IncomingMessage } from "node:http";
import { ToolError } from "../../../catalog/errors.ts";
import { isKey } from "../../../services/access/key-format.ts";
import type { Host } from "../host.ts";
import { loadSettings, type SettingsArgs } from "../load-settings.ts";
import { readDocument } from "../read-document.ts";
import { usageError } from "../usage-error.ts";
import { visible } from "../visible.ts";
import { RemoteError } from "../remote-error.ts";
import { toUrl } from "../server-url.ts";
import { toRefusal } from "./refusal.ts";
import { readAll, send } from "./send.ts";

/** The options of every command that asks a server. */
export const remoteArgs = {
  server: {
    type: "string",
    valueHint: "URL",
    description: "The server (PENKNIFE_URL); the one of the configuration, on this machine, unless given",
  },
  "key-file": {
    type: "string",
    valueHint: "FILE",
    description: "The key of the account (PENKNIFE_KEY, PENKNIFE_KEY_FILE); - is standard input",
  },
} as const;

export interface RemoteArgs extends SettingsArgs {
  server?: string | undefined;
  "key-file"?: string | undefined;
}

/** A server of penknife's, as an account. */
export interface Remote {
  /** Without a slash at its end. */
  readonly url: string;
  /** What it answers, read as JSON. @throws ToolError where it refuses, RemoteError where it does not answer. */
  ask(method: string, path: string, more?: { body?: unknown; signal?: AbortSignal }): Promise<unknown>;
  /** An answer whose body has no end. */
  open(
    path: string,
    headers: Readonly<Record<string, string>>,
    signal: AbortSignal,
  ): Promise<IncomingMessage>;
}

/** How long a server may take for the head of its answer. */
const patienceMs = 30_000;

/** The largest list there is: as many messages as are asked for at once, each of the largest body. */
const longestAnswer = 512 * 1024 * 1024;

/** @throws ToolError where the line, the environment or the file says no server or no key. */
export async function openRemote(args: RemoteArgs, host: Host): Promise<Remote> {
  const base = await findServer(args, host);
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
      const answer = await readAll(response, url, longestAnswer);
      if (!isFine(response)) throw toRefusal(url, response, answer);
      return answer.length === 0 ? undefined : parse(url, answer);
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
      `${url.origin} answered with what is not JSON; is this a penknife server? --server takes its address`,
      false,
    );
  }
}

async function findServer(args: RemoteArgs, host: Host): Promise<string> {
  const given = args.server ?? host.env["PENKNIFE_URL"] ?? "";
  if (given !== "") return toBase(given, args.server === undefined ? "PENKNIFE_URL" : "--server");
  const { config } = await loadSettings(args, host);
  if (config.server.port === 0)
    throw usageError("Which server? Give it with --server URL, or in PENKNIFE_URL.");
  return toUrl(config.server, "");
}

function toBase(text: string, from: string): string {
  const url = URL.parse(text);
  if (
    url === null ||
    !/^https?:$/.test(url.protocol) ||
    `${url.username}${url.password}` !== "" ||
    /[?#]/.test(text)
  )
    throw usageError(
      `${from} takes an address such as https://tools.example.com or http://127.0.0.1:8787/penknife, without credentials, query and fragment.`,
    );
  return url.href.replace(/\/+$/, "");
}

/**
 * From a file or the environment: the words of a command line are seen by the whole machine. What is no key is sent
 * nowhere, whatever secret it may be.
 */
async function readKey(args: RemoteArgs, host: Host): Promise<string> {
  const file = args["key-file"] ?? host.env["PENKNIFE_KEY_FILE"];
  const variable = host.env["PENKNIFE_KEY"];
  const text = file === undefined || file === "" ? variable : (await readDocument(file, host)).bytes;
  if (text === undefined || text === "")
    throw new ToolError(
      "missing_key",
      "A key of a pro or team account is needed: in PENKNIFE_KEY, or --key-file FILE.",
    );
  const key = Buffer.from(text).toString().trim();
  if (isKey(key)) return key;
  const from = text === variable ? "PENKNIFE_KEY" : visible(file ?? "");
  throw new ToolError(
    "malformed_key",
    `${from} holds no key: svc_live_ and 38 letters and digits, whose last six are a checksum.`,
  );
}
