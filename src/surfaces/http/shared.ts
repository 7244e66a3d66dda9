import type { Coding } from "./accept.ts";
import type { Exchange } from "./exchange.ts";
import { codingFor, compress, type Reply } from "./reply.ts";

/** Bytes shared by many answers, with their compressed forms. */
export interface Shared {
  readonly bytes: Uint8Array;
  /** Each form is made by the first request that needs it. */
  readonly compressed: Map<Coding, Promise<Uint8Array>>;
}

export const toShared = (body: string): Shared => ({ bytes: Buffer.from(body), compressed: new Map() });

export function compressedOf({ bytes, compressed }: Shared, coding: Coding): Promise<Uint8Array> {
  let form = compressed.get(coding);
  if (form === undefined) {
    form = compress(bytes, coding);
    compressed.set(coding, form);
    form.catch(() => compressed.delete(coding));
  }
  return form;
}

/** Sends the bytes, compressed if the client accepts it. */
export async function sendShared(
  reply: Pick<Reply, "sendShared">,
  exchange: Exchange,
  type: string,
  shared: Shared,
  headers: readonly string[],
): Promise<void> {
  const coding = codingFor(exchange, shared.bytes);
  if (coding === undefined) return reply.sendShared(exchange, 200, type, shared.bytes, headers);
  const bytes = await compressedOf(shared, coding);
  reply.sendShared(exchange, 200, type, bytes, [...headers, "Content-Encoding", coding]);
}
