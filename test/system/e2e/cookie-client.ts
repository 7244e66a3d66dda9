import { connect } from "node:net";
import { openRawSocket, type RawSocket } from "../surfaces/graphql/raw-socket.ts";
import { call, type Reply, type Server } from "./harness.ts";

/** A page's view of a session: its cookie, which every node accepts, and its id. */
export interface CookieSession {
  cookie: string;
  id: string;
}

/** Refused credentials block an address for a minute; with one of its own, a test does not block others. */
const localAddress = "127.0.0.7";

/** Sends a request as a page of this server does. */
export function sendAsPage(
  { url }: Pick<Server, "url">,
  method: "GET" | "POST" | "DELETE",
  path: string,
  { cookie, body }: { cookie?: string; body?: object } = {},
): Promise<Reply> {
  return call(url + path, {
    method,
    localAddress,
    headers: {
      Origin: url,
      "Sec-Fetch-Site": "same-origin",
      "Content-Type": "application/json",
      ...(cookie !== undefined && { Cookie: cookie }),
    },
    ...(body && { body: JSON.stringify(body) }),
  });
}

/** Exchanges a one-time code for a cookie. */
export async function signInAsPage(server: Pick<Server, "url">, code: string): Promise<CookieSession> {
  const { status, headers, text } = await sendAsPage(server, "POST", "/session", { body: { code } });
  const [cookie] = (headers["set-cookie"]?.[0] ?? "").split(";");
  if (status !== 200 || !cookie) throw new Error(text);
  return { cookie, id: (JSON.parse(text) as { session: { id: string } }).session.id };
}

/** Runs a document with the cookie. Returns `ok`, or the code of the refusal. */
export async function codeAsPage(
  server: Pick<Server, "url">,
  cookie: string,
  query = "{ viewer { kind account { name } } }",
): Promise<string> {
  const { text } = await sendAsPage(server, "POST", "/graphql", { cookie, body: { query } });
  const { code, errors } = JSON.parse(text) as {
    code?: string;
    errors?: { extensions: { code: string } }[];
  };
  return errors?.[0]?.extensions.code ?? code ?? "ok";
}

/** Subscribes over a WebSocket with the cookie. Resolves when the first value has arrived. */
export async function listenAsPage(
  { url, port }: Pick<Server, "url" | "port">,
  cookie: string,
): Promise<RawSocket> {
  const socket = await openRawSocket(port, {
    headers: { Cookie: cookie, Origin: url },
    socket: connect({ port, host: "127.0.0.1", localAddress }),
  });
  if (!socket.head.startsWith("HTTP/1.1 101")) throw new Error(socket.head);
  socket.send({ type: "connection_init" });
  await socket.message();
  socket.send({
    type: "subscribe",
    id: "1",
    payload: { query: "subscription { usage { used } }" },
  });
  const first = await socket.message();
  if (first["type"] !== "next") throw new Error(JSON.stringify(first));
  return socket;
}
