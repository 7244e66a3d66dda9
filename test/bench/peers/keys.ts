import { hash } from "node:crypto";

/** Accounts by the SHA-256 of their key, because no peer stores keys. The benchmark passes the key that it uses. */
const accounts = new Map([[sha256(process.env.BENCH_KEY ?? ""), "bench"]]);

const scheme = "Bearer ";

/** The account of an Authorization header; undefined for an unknown key. */
export function accountOf(authorization: string | undefined): string | undefined {
  if (authorization === undefined || !authorization.startsWith(scheme)) return undefined;
  return accounts.get(sha256(authorization.slice(scheme.length)));
}

function sha256(text: string): string {
  return hash("sha256", text, "hex");
}
