import { isUtf8 } from "node:buffer";
import type { Host } from "./host.ts";
import { usageError } from "./usage-error.ts";

/** The result exactly as it is; a terminal gets the line end that its prompt needs. */
export async function writeResult(
  result: string | Uint8Array,
  out: string | undefined,
  host: Host,
): Promise<void> {
  const bytes = typeof result === "string" ? Buffer.from(result) : result;
  if (out !== undefined && out !== "-") return host.files.writeBytes(out, bytes);
  if (!host.stdout.isTTY) return host.stdout.write(bytes);
  if (!isUtf8(bytes)) {
    throw usageError("The result is binary, which a terminal cannot show. Use --out FILE or a pipe.");
  }
  await host.stdout.write(bytes);
  if (bytes.length > 0 && bytes.at(-1) !== 10) await host.stdout.write("\n");
}
