import type { PageCall, PlainAnswer } from "../../../../catalog/call.ts";
import type { ErrorPlace } from "../../../../catalog/errors.ts";
import { readReport, Refusal } from "./call.ts";

/** Requests of an hour that are left. */
export interface Quota {
  left: number;
  limit: number;
}

/**
 * Runs a call of a tool on the server, over its REST API. @param onQuota Called with what is left, also of a refused call.
 * @throws Refusal; DOMException AbortError
 */
export async function runOnServer(
  root: URL,
  call: PageCall,
  signal?: AbortSignal,
  onQuota?: (quota: Quota) => void,
): Promise<PlainAnswer> {
  const url = new URL(`api/tools/${encodeURIComponent(call.slug)}`, root);
  if (call.check) url.searchParams.set("check", "true");
  const response = await send(url, call, signal);
  const quota = toQuota(response.headers);
  if (quota !== undefined) onQuota?.(quota);
  const body = new Uint8Array(await response.arrayBuffer());
  const isReport =
    response.status === 422 && response.headers.get("Content-Type")?.startsWith("application/json");
  if (!response.ok && isReport !== true) throw toRefusal(response.status, body);
  const { result } = JSON.parse(new TextDecoder().decode(body)) as { result: string };
  const valid = readReport(result)?.valid;
  return { body: result, ...(valid !== undefined && { valid }) };
}

function toQuota(headers: Headers): Quota | undefined {
  const [left, limit] = ["X-RateLimit-Remaining", "X-RateLimit-Limit"].map((name) => headers.get(name));
  return left === null || limit === null ? undefined : { left: Number(left), limit: Number(limit) };
}

async function send(url: URL, { body }: PageCall, signal: AbortSignal | undefined): Promise<Response> {
  const options = {
    method: "POST",
    credentials: "same-origin",
    cache: "no-store",
    // Over plain HTTP the Referer alone shows the server that its own page asks.
    referrerPolicy: "same-origin",
    signal: signal ?? null,
  } as const;
  try {
    if (body.kind === "input") {
      const headers = { "Content-Type": "application/json", Accept: "application/json" };
      return await fetch(url, { ...options, headers, body: JSON.stringify(body.input) });
    }
    for (const [name, value] of Object.entries(body.options))
      for (const one of Array.isArray(value) ? value : [value]) url.searchParams.append(name, String(one));
    const type = body.text ? "text/plain" : "application/octet-stream";
    const headers = { "Content-Type": type, Accept: "application/json" };
    return await fetch(url, { ...options, headers, body: body.bytes as Uint8Array<ArrayBuffer> });
  } catch (error) {
    if (signal?.aborted === true) throw error;
    throw new Refusal("unreachable", "The server cannot be reached. Try again.");
  }
}

function toRefusal(status: number, body: Uint8Array): Refusal {
  try {
    const { code, detail, errors } = JSON.parse(new TextDecoder().decode(body)) as {
      code: string;
      detail: string;
      errors?: readonly ErrorPlace[];
    };
    return new Refusal(code, detail, errors);
  } catch {
    return new Refusal("internal", `The server answered with ${status}.`);
  }
}
