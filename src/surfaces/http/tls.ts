import { X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import type { Server as SecureServer } from "node:https";
import type { Socket } from "node:net";
import { createSecureContext } from "node:tls";
import { ToolError } from "../../catalog/errors.ts";

export interface TlsFiles {
  /** Path of the certificate chain in PEM. */
  cert: string;
  /** Path of its private key in PEM. */
  key: string;
}

export interface TlsMaterial {
  cert: string;
  key: string;
}

/**
 * Loads a certificate and its key and verifies that they match.
 * @throws ToolError invalid_input, which names the option.
 */
export function readTls(files: TlsFiles): TlsMaterial {
  const cert = readPem("server.tlsCert", files.cert);
  const key = readPem("server.tlsKey", files.key);
  try {
    createSecureContext({ cert, key });
  } catch (error) {
    const reason = (error as NodeJS.ErrnoException & { reason?: string }).reason ?? (error as Error).message;
    throw new ToolError(
      "invalid_input",
      `server.tlsCert and server.tlsKey cannot be used together: ${reason}`,
    );
  }
  return { cert, key };
}

/** Returns the end of a certificate's validity, in RFC 3339. */
export const endOf = ({ cert }: TlsMaterial): string =>
  new Date(new X509Certificate(cert).validTo).toISOString();

function readPem(option: string, path: string): string {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    throw new ToolError("invalid_input", `${option}: ${(error as Error).message}`);
  }
  // PEM allows text before the first block (RFC 7468 §2), which listhen would take for a path.
  const begin = text.indexOf("-----BEGIN ");
  if (begin === -1) throw new ToolError("invalid_input", `${option}: ${path} is not in PEM form`);
  return text.slice(begin);
}

/** Limits the TLS handshake. Node allows two minutes, during which a silent client holds a connection. */
export function guardHandshakes(server: SecureServer, timeoutMs: number): void {
  const pending = new Map<string, NodeJS.Timeout>();
  server.on("connection", (socket: Socket) => {
    const name = nameOf(socket);
    pending.set(name, setTimeout(() => socket.destroy(), timeoutMs).unref());
    socket.once("close", () => forget(name));
  });
  server.on("secureConnection", (socket) => forget(nameOf(socket)));

  function forget(name: string): void {
    clearTimeout(pending.get(name));
    pending.delete(name);
  }
}

/** Returns a name of the connection that both of its sockets share. */
export const nameOf = ({ remoteAddress, remotePort }: Socket): string => `${remoteAddress} ${remotePort}`;
