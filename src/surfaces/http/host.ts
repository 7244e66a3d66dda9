import { lookup } from "node:dns/promises";
import { createServer, isIP } from "node:net";
import { ToolError } from "../../catalog/errors.ts";

/**
 * Resolves the address to listen on. listhen gets addresses only, because it replaces a host name that it cannot parse
 * by all interfaces.
 * @throws ToolError invalid_input
 */
export async function resolveHost(host: string): Promise<string> {
  const bare = /^\[.*\]$/.test(host) ? host.slice(1, -1) : host;
  if (isIP(bare) !== 0 && !bare.includes("%")) return bare;
  // Anything else is no host name (RFC 1123 §2.1) and is not resolved.
  if (
    !/^(?=.{1,253}$)[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?(?:\.[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?)*$/.test(
      bare,
    )
  ) {
    throw new ToolError(
      "invalid_input",
      `server.host: ${JSON.stringify(host)} is neither an address nor a host name.`,
    );
  }
  try {
    return (await lookup(bare)).address;
  } catch {
    throw new ToolError(
      "invalid_input",
      `server.host: ${JSON.stringify(host)} does not resolve to an address.`,
    );
  }
}

/** Explains why the port could not be opened; listhen only reports that it failed. */
export async function explainRefusal(error: unknown, host: string, port: number): Promise<unknown> {
  const code = (error as NodeJS.ErrnoException).code ?? (await tryPort(host, port));
  const where = `${host.includes(":") ? `[${host}]` : host}:${port}`;
  const sentence = sentences[code ?? ""];
  if (sentence === undefined) return error;
  return Object.assign(new Error(`Cannot listen on ${where}: ${sentence}`, { cause: error }), {
    code,
    syscall: "listen",
  });
}

const sentences: Record<string, string> = {
  EADDRINUSE: "the port is in use by another program. Stop it, or choose another port with server.port.",
  EACCES:
    "ports below 1024 need a privilege that this process does not have. Choose another one with server.port.",
  EADDRNOTAVAIL: "this machine has no such address. Correct server.host.",
  EAFNOSUPPORT: "this machine does not speak that address family. Correct server.host.",
  EMOVED:
    "browsers refuse to open that port (fetch.spec.whatwg.org, bad ports). Choose another one with server.port.",
};

function tryPort(host: string, port: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once("error", (error: NodeJS.ErrnoException) => resolve(error.code));
    // The port is free, so listhen rejected it by its own list.
    probe.listen({ host, port }, () => probe.close(() => resolve("EMOVED")));
  });
}
