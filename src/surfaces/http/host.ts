import { lookup } from "node:dns/promises";
import { createServer, isIP } from "node:net";
import { ToolError } from "../../catalog/errors.ts";

/**
 * The address to listen on: listhen is given nothing but addresses, because what it cannot read as a host name it
 * replaces by every interface.
 * @throws ToolError invalid_input
 */
export async function resolveHost(host: string): Promise<string> {
  const bare = /^\[.*\]$/.test(host) ? host.slice(1, -1) : host;
  if (isIP(bare) !== 0 && !bare.includes("%")) return bare;
  // RFC 1123 §2.1; anything else is not worth a question to the resolver.
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

/** Why the port could not be had, in words; listhen says only that it could not. */
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
    // A port that can be had after all is one that listhen did not want.
    probe.listen({ host, port }, () => probe.close(() => resolve("EMOVED")));
  });
}
