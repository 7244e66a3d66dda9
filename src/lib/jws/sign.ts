import { OptionFault } from "../fault.ts";
import { load } from "../load.ts";
import type { Algorithm } from "./algorithms.ts";
import { findMisuse, type JwsKey } from "./keys.ts";

/**
 * Signs a payload in the compact serialization.
 * @throws OptionFault if the key does not fit the algorithm.
 */
export async function signJws(
  payload: string,
  key: JwsKey,
  algorithm: Algorithm,
  { kid, allowShort }: { kid: string | undefined; allowShort: boolean },
): Promise<string> {
  const misuse = findMisuse(key, algorithm, "sign", allowShort);
  if (misuse !== undefined) throw new OptionFault(misuse);
  const { CompactSign } = await load("jose");
  const header = { alg: algorithm, typ: "JWT", ...(kid !== undefined && { kid }) };
  try {
    return await new CompactSign(Buffer.from(payload)).setProtectedHeader(header).sign(key.key);
  } catch {
    // Web Crypto is stricter about a key than the parser, for example about a private half that does not
    // match.
    throw new OptionFault("The key cannot sign: its parts do not match.");
  }
}
