import { setTimeout as sleep } from "node:timers/promises";
import { createClient } from "graphql-ws";
import { call, type Output, penknife, type Reply, type Send, type Server } from "./harness.ts";
import { signInCode } from "./operate.ts";
import { openSocketWithin } from "./socket.ts";

export interface Asked {
  status: number;
  headers: Reply["headers"];
  // oxlint-disable-next-line typescript/no-explicit-any -- each document has data of its own
  data: any;
  errors: readonly { message: string; path?: unknown[]; extensions: { code: string } }[];
}

/** Sends one operation over POST. */
export async function ask(
  { url }: Pick<Server, "url">,
  query: string,
  { token, variables, ...send }: Send & { token?: string | undefined; variables?: object } = {},
): Promise<Asked> {
  const { status, headers, text } = await call(`${url}/graphql`, {
    ...send,
    method: "POST",
    headers: {
      "Content-Type": "application/json",
      ...(token !== undefined && { Authorization: `Bearer ${token}` }),
      ...send.headers,
    },
    body: JSON.stringify({ query, ...(variables && { variables }) }),
  });
  const { data, errors = [] } = JSON.parse(text) as Partial<Asked>;
  return { status, headers, data, errors };
}

/** Returns the data of an operation that must succeed. */
// oxlint-disable-next-line typescript/no-explicit-any -- each document has data of its own
export async function dataOf(...args: Parameters<typeof ask>): Promise<any> {
  const { data, errors } = await ask(...args);
  if (errors.length > 0) throw new Error(JSON.stringify(errors));
  return data;
}

/** Returns `ok`, or the code of the first error. */
export const codeIn = ({ errors }: Asked): string => errors[0]?.extensions.code ?? "ok";

export interface Admin {
  (...words: string[]): Promise<Output>;
  /** The folder in which a server may listen for the operator; undefined if the environment names it. */
  readonly folder?: string | undefined;
}

/** Runs `penknife admin` in this folder. */
export const adminIn = (cwd: string, env: Record<string, string> = {}): Admin =>
  Object.assign((...words: string[]) => penknife(cwd, ["admin", ...words], { env }), {
    folder: Object.keys(env).length > 0 ? undefined : cwd,
  });

/** Creates a one-time code, for the operator if no account is named: through the socket of a server, which is faster than a command. */
export async function loginCode(admin: Admin, account?: string): Promise<string> {
  const socket = admin.folder === undefined ? undefined : await openSocketWithin(admin.folder, 1000);
  if (socket !== undefined) {
    const code = await signInCode(socket, account);
    socket.close();
    return code;
  }
  const { status, stdout, stderr } = await admin("login", ...(account ? ["--account", account] : []));
  if (status !== 0) throw new Error(stderr);
  return stdout.trim();
}

export const signInDocument = "mutation ($code: String!) { signIn(code: $code) { token session { id } } }";

export interface Session {
  token: string;
  session: { id: string };
}

/** Starts a settings session of an account, or of the operator. */
export async function signIn(server: Server, admin: Admin, account?: string): Promise<Session> {
  const code = await loginCode(admin, account);
  return ((await dataOf(server, signInDocument, { variables: { code } })) as { signIn: Session }).signIn;
}

/** A subscription over a WebSocket of its own. */
export interface Listening {
  /** The `data` of each message so far. */
  heard: unknown[];
  /** The reason why it ended, unless the test ended it. */
  closed: Promise<{ code: number; reason: string; at: number }>;
  close(): Promise<void>;
}

/**
 * Subscribes with the stock client; resolves when the server acknowledges the connection.
 * @param retries How often it reconnects and subscribes again after losing its server.
 */
export async function listen(
  server: Pick<Server, "url">,
  token: string,
  query: string,
  retries = 0,
): Promise<Listening> {
  const opened = Promise.withResolvers<void>();
  const closed = Promise.withResolvers<{ code: number; reason: string; at: number }>();
  const heard: unknown[] = [];
  const client = createClient({
    url: `${server.url.replace("http", "ws")}/graphql`,
    connectionParams: { authorization: `Bearer ${token}` },
    lazy: false,
    retryAttempts: retries,
    retryWait: () => sleep(100),
    shouldRetry: () => true,
    onNonLazyError: () => opened.reject(new Error("the connection was refused")),
    on: {
      connected: () => opened.resolve(),
      closed(event) {
        const { code, reason } = event as CloseEvent;
        closed.resolve({ code, reason, at: performance.now() });
      },
    },
  });
  await opened.promise;
  client.subscribe(
    { query },
    {
      next: ({ data, errors }) => heard.push(errors ?? data),
      error: (error) => heard.push({ error }),
      complete: () => {},
    },
  );
  return {
    heard,
    closed: closed.promise,
    async close() {
      await client.dispose();
      await closed.promise;
    },
  };
}
