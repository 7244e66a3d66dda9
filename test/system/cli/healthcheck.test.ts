import { execFileSync } from "node:child_process";
import { createServer, type RequestListener } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { createServer as createSocketServer, type AddressInfo, type Server } from "node:net";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { makeFolder, penknife } from "./host.ts";

async function listen(server: Server, host = "127.0.0.1"): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  onTestFinished(() => void server.close());
  return String((server.address() as AddressInfo).port);
}

const answering =
  (statuses: Record<string, number>): RequestListener =>
  ({ url = "" }, response) =>
    void response.writeHead(statuses[url] ?? 404).end("{}");

const check = (port: string, env: Record<string, string> = {}, ...words: string[]) =>
  penknife(["healthcheck", ...words], { env: { PENKNIFE_SERVER_PORT: port, ...env } });

test("checks the configured server", async () => {
  const port = await listen(createServer(answering({ "/healthz": 200, "/readyz": 503, "/x/healthz": 200 })));
  expect(await check(port)).toEqual({ status: 0, stdout: "ok\n", bytes: Buffer.from("ok\n"), stderr: "" });
  expect(await check(port, { PENKNIFE_SERVER_HOST: "0.0.0.0" })).toMatchObject({ status: 0 });
  expect(await check(port, { PENKNIFE_SERVER_BASE_PATH: "/x" })).toMatchObject({ status: 0 });
  expect(await check(port, { PENKNIFE_SERVER_BASE_PATH: "/y" })).toMatchObject({
    status: 3,
    stderr: `penknife: http://127.0.0.1:${port}/y/healthz answered 404\n`,
  });
  expect(await check(port, {}, "--ready")).toMatchObject({ status: 3, stdout: "" });
  expect(await check("1", {}, "--port", port)).toMatchObject({ status: 0 });
});

test("reports that no server is there", async () => {
  const server = createServer();
  const port = await listen(server);
  await new Promise((resolve) => server.close(resolve));
  const { status, stderr } = await check(port);
  expect(status).toBe(3);
  expect(stderr).toMatch(/^penknife: http:\/\/127\.0\.0\.1:\d+\/healthz .*ECONNREFUSED.*\n$/);
});

test("gives up on a server that never answers", async () => {
  const port = await listen(createSocketServer((socket) => void socket.on("error", () => undefined)));
  const started = performance.now();
  expect(await check(port)).toMatchObject({ status: 3 });
  expect(performance.now() - started).toBeLessThan(60_000);
});

test("accepts the server's own certificate, which names another host", async () => {
  const folder = makeFolder();
  const [key, cert] = [join(folder, "key.pem"), join(folder, "cert.pem")];
  const subject = ["-subj", "/CN=tools.example.com", "-days", "1"];
  execFileSync(
    "openssl",
    [
      "req",
      "-x509",
      "-newkey",
      "ec",
      "-pkeyopt",
      "ec_paramgen_curve:prime256v1",
      "-nodes",
      "-keyout",
      key,
      "-out",
      cert,
      ...subject,
    ],
    { stdio: "ignore" },
  );
  const tls = { key: readFileSync(key), cert: readFileSync(cert) };
  const port = await listen(createTlsServer(tls, answering({ "/healthz": 200 })));
  const env = { PENKNIFE_SERVER_TLS_CERT: cert, PENKNIFE_SERVER_TLS_KEY: key };
  expect(await check(port, env)).toMatchObject({ status: 0, stderr: "" });
});

test("needs --port if the system chose the port", async () => {
  expect(await check("0")).toMatchObject({ status: 2, stdout: "" });
});
