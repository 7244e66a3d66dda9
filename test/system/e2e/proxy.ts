import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { Agent, request } from "node:https";
import { join } from "node:path";
import { freePort } from "../../../config/free-port.ts";
import type { Reply, Send } from "./harness.ts";

export interface Proxy {
  port: number;
  call(path: string, send?: Send): Promise<Reply>;
  /** Replaces the certificate and reloads nginx. */
  renew(): void;
  stop(): Promise<void>;
}

/**
 * Starts nginx with config/nginx.conf. Only addresses and paths are changed: the nodes, the port, the certificate and the
 * folder for buffered bodies.
 */
export async function startProxy(folder: string, nodes: readonly number[]): Promise<Proxy> {
  const port = await freePort();
  const home = join(folder, "proxy");
  mkdirSync(home);
  // Debian's nginx drops from root to www-data; this one runs as the current user, as in its container.
  chmodSync(folder, 0o755);
  const [certificate, key] = makeCertificate(home);
  const original = readFileSync(new URL("../../../config/nginx.conf", import.meta.url), "utf8");
  const moved = replaceAll(original, [
    [/\/tmp\//g, `${home}/`],
    [/^ {8}server 172\.30\.87\.1[123]:8787 (.*;)\n/gm, ""],
    [
      /^( {8}least_conn;)$/gm,
      `$1\n${nodes.map((one) => `server 127.0.0.1:${one} max_fails=1 fail_timeout=2s;`).join("\n")}`,
    ],
    [/\blisten 8443 ssl;/g, `listen 127.0.0.1:${port} ssl;`],
    [/\/run\/secrets\/tls-certificate\b/g, certificate],
    [/\/run\/secrets\/tls-key\b/g, key],
  ]);
  const file = join(home, "nginx.conf");
  writeFileSync(file, moved);
  const user = process.getuid?.() === 0 ? " user root;" : "";
  const child = spawn("nginx", ["-c", file, "-p", home, "-g", `daemon off;${user}`], {
    env: { PATH: `${process.env["PATH"]}:/usr/sbin` },
    stdio: ["ignore", "ignore", "pipe"],
  });
  // Rejects without nginx, which config/debian-packages.sh installs.
  await once(child, "spawn");
  let stderr = "";
  child.stderr.on("data", (chunk: Buffer) => (stderr += chunk.toString()));
  const ended = once(child, "close");
  const agent = new Agent({ keepAlive: true, ca: readFileSync(certificate), servername: "localhost" });

  const call = (path: string, send: Send = {}): Promise<Reply> =>
    new Promise((resolve, reject) => {
      const { method = "GET", headers = {}, body, localAddress } = send;
      const options = {
        host: "127.0.0.1",
        port,
        path,
        method,
        headers,
        agent,
        ...(localAddress && { localAddress }),
      };
      const outgoing = request(options, (incoming) => {
        const chunks: Buffer[] = [];
        incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
        incoming.on("error", reject);
        incoming.on("end", () => {
          const whole = Buffer.concat(chunks);
          const { statusCode: status = 0, headers: given } = incoming;
          resolve({ status, headers: given, body: whole, text: whole.toString() });
        });
      });
      outgoing.on("error", reject);
      outgoing.end(body);
    });

  for (let attempt = 0; ; attempt++) {
    if (await call("/healthz").catch(() => undefined)) break;
    if (child.exitCode !== null || attempt > 2400) throw new Error(`nginx did not start: ${stderr}`);
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  return {
    port,
    call,
    renew() {
      makeCertificate(home);
      agent.options.ca = readFileSync(certificate);
      child.kill("SIGHUP");
    },
    async stop() {
      agent.destroy();
      child.kill("SIGTERM");
      await ended;
    },
  };
}

/** Every replacement must match, so that a changed file is not tested as it was. */
function replaceAll(text: string, changes: readonly [RegExp, string][]): string {
  return changes.reduce((so, [pattern, by]) => {
    if (so.search(pattern) === -1) throw new Error(`config/nginx.conf has no ${pattern}`);
    return so.replace(pattern, by);
  }, text);
}

function makeCertificate(folder: string): [certificate: string, key: string] {
  const paths: [string, string] = [join(folder, "certificate.pem"), join(folder, "key.pem")];
  const line =
    "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -noenc -days 2 -subj /CN=localhost -addext subjectAltName=DNS:localhost";
  execFileSync("openssl", [...line.split(" "), "-out", paths[0], "-keyout", paths[1]], { stdio: "pipe" });
  return paths;
}
