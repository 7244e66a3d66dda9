/** A request for the load generator. */
export interface Post {
  path: string;
  body: string;
}

/** The request that every server gets, and the answer that each must give. */
export const path = "/api/tools/json-formatter";

/** A small, typical document: 140 bytes, one of them not ASCII. */
export const document =
  '{"id":1234,"name":"Zoë Alves","tags":["new","vip"],"address":{"street":"Main Street","number":17},"active":true,"balance":13.7,"at":null}';

export const body: string = JSON.stringify({ data: document });

export const expected: string = JSON.stringify({ result: JSON.stringify(JSON.parse(document), null, 2) });

/** A small call that runs in a worker process. */
export const isolatedCall: Post = {
  path: "/api/tools/yaml-to-json",
  body: JSON.stringify({ data: "a: 1\nb: [x, y]\n" }),
};

export function headersOf(key: string): Record<string, string> {
  return { authorization: `Bearer ${key}`, "content-type": "application/json" };
}

/** Whether the server answers at all. */
export async function isAnswered(origin: string, key: string, sent?: Post): Promise<boolean> {
  try {
    const response = await post(origin, headersOf(key), sent);
    return response.ok;
  } catch {
    return false;
  }
}

/** The work besides the tool that a server must do for each request, so that equal work is compared. */
export interface Duties {
  checksKey: boolean;
  limits: boolean;
}

/** @throws Error if a server does different work: unequal work is not compared. */
export async function verify(name: string, origin: string, key: string, duties: Duties): Promise<void> {
  const response = await post(origin, headersOf(key));
  const answer = await response.text();
  if (response.status !== 200) throw new Error(`${name} answers ${response.status}: ${answer}`);
  if (answer !== expected) throw new Error(`${name} answers ${answer} instead of ${expected}`);
  if (response.headers.get("content-length") !== String(Buffer.byteLength(expected)))
    throw new Error(`${name} sends a wrong content-length`);
  if (duties.limits && !hasLimit(response.headers)) throw new Error(`${name} does not report its limit`);
  if (!duties.checksKey) return;
  const stranger = await post(origin, headersOf(`${key.slice(0, -1)}${key.endsWith("a") ? "b" : "a"}`));
  if (stranger.status !== 401) throw new Error(`${name} answers ${stranger.status} to an unknown key`);
}

function hasLimit(headers: Headers): boolean {
  return [...headers.keys()].some((name) => /^(?:x-)?ratelimit/.test(name));
}

export function post(
  origin: string,
  headers: Record<string, string>,
  sent: Post = { path, body },
): Promise<Response> {
  return fetch(origin + sent.path, {
    method: "POST",
    headers,
    body: sent.body,
    signal: AbortSignal.timeout(5000),
  });
}
