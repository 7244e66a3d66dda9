import type { TLSSocket } from "node:tls";
import { beforeAll, expect, onTestFinished, test, vi } from "vitest";
import { createGuard } from "../../../../src/services/webhooks/guard.ts";
import type { Lookup } from "../../../../src/services/webhooks/resolve.ts";
import { createSender, type Sent } from "../../../../src/services/webhooks/send.ts";
import { type Certificate, type Certificates, createCertificates } from "./certificates.ts";
import { answers, openReceiver, type Receiver } from "./receivers.ts";
import { testRuntime } from "../../../support/runtime.ts";

const lookup: Lookup = async () => [{ address: "127.0.0.1", family: 4 }];

let certificates: Certificates;
beforeAll(() => {
  certificates = createCertificates("hooks.example");
});

function openSender(ca?: string) {
  const sender = createSender({
    guard: createGuard({ runtime: testRuntime(), allowCidrs: ["127.0.0.1"], lookup }),
    timeoutMs: 5000,
    runtime: testRuntime({ now: () => 0, monotonic: () => performance.now() }),
    version: "1",
    ...(ca !== undefined && { ca }),
  });
  onTestFinished(() => sender.close());
  const post = (url: string): Promise<Sent> => sender.send({ url, method: "POST", headers: {}, body: "{}" });
  return { post };
}

async function receive(tls?: Certificate): Promise<Receiver> {
  const receiver = await openReceiver(answers(200, {}, "thanks"), tls);
  onTestFinished(() => receiver.close());
  return receiver;
}

test("a certificate of a trusted authority for the name is accepted, and the connection is kept", async () => {
  const receiver = await receive(certificates.right);
  const { post } = openSender(certificates.ca);
  for (const host of ["hooks.example", "hooks.example", "HOOKS.example"]) {
    expect(await post(`https://${host}:${receiver.port}/`)).toMatchObject({ status: 200, excerpt: "thanks" });
  }
  expect(receiver.connections).toBe(1);
});

test("a trailing dot of the host name is left out of the certificate check and of the SNI", async () => {
  const asked: unknown[] = [];
  const receiver = await openReceiver((response) => {
    asked.push((response.socket as TLSSocket & { servername: unknown }).servername);
    response.end();
  }, certificates.right);
  onTestFinished(() => receiver.close());
  const { post } = openSender(certificates.ca);
  expect(await post(`https://hooks.example.:${receiver.port}/`)).toMatchObject({ status: 200 });
  expect(asked).toEqual(["hooks.example"]);
});

test.each<[string, (all: Certificates) => Certificate]>([
  ["of another name", ({ otherName }) => otherName],
  ["that has expired", ({ expired }) => expired],
  ["that has signed itself", ({ selfSigned }) => selfSigned],
  ["of an unknown authority", ({ otherAuthority }) => otherAuthority],
])("a certificate %s: nothing is sent", async (_, choose) => {
  const receiver = await receive(choose(certificates));
  const { post } = openSender(certificates.ca);
  // Twice: a resumed session is validated as strictly.
  for (let round = 0; round < 2; round++) {
    expect(await post(`https://hooks.example:${receiver.port}/`)).toEqual({
      durationMs: expect.any(Number),
      error: { code: "certificate_invalid", message: expect.stringContaining("certificate") },
    });
  }
  expect(receiver.requests).toEqual([]);
  await vi.waitFor(() => expect(receiver.open()).toBe(0), { timeout: 60_000 });
});

test("a valid certificate of an authority outside the public list", async () => {
  const receiver = await receive(certificates.right);
  const { error } = await openSender().post(`https://hooks.example:${receiver.port}/`);
  expect(error?.code).toBe("certificate_invalid");
});

test("the certificate is validated against the name, not against the address", async () => {
  const receiver = await receive(certificates.right);
  const { error } = await openSender(certificates.ca).post(receiver.url);
  expect(error?.code).toBe("certificate_invalid");
});

test("a receiver without TLS at an https URL, and one with TLS at an http URL", async () => {
  const plain = await receive();
  const secure = await receive(certificates.right);
  const { post } = openSender(certificates.ca);
  expect((await post(`https://hooks.example:${plain.port}/`)).error?.code).toBe("tls_error");
  const { error, status } = await post(`http://hooks.example:${secure.port}/`);
  expect([error?.code, status]).toEqual(["connection_reset", undefined]);
  expect([...plain.requests, ...secure.requests]).toEqual([]);
});
