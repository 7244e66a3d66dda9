import { expect, test } from "vitest";
import { toFailure } from "../../../../src/services/webhooks/failure.ts";
import { classifyAnswer } from "../../../../src/services/webhooks/outcome.ts";
import type { Sent } from "../../../../src/services/webhooks/send.ts";

const of = (sent: Partial<Sent>, retryClientErrors = false) =>
  classifyAnswer({ durationMs: 1, ...sent }, { retryClientErrors });

test("classifies every status", () => {
  const outcomes = Map.groupBy(
    Array.from({ length: 500 }, (_, index) => index + 100),
    (status) => of({ status }).outcome,
  );
  expect(outcomes.get("ok")).toEqual(Array.from({ length: 100 }, (_, index) => index + 200));
  const later = [408, 425, 429, ...Array.from({ length: 100 }, (_, index) => index + 500)];
  expect(outcomes.get("retry")).toEqual(later);
  expect(outcomes.get("refused")).toHaveLength(500 - 100 - later.length);
});

test.each([0, 1, 99, 600, 999])("%i is not a status, and counts as a 5xx", (status) => {
  expect(of({ status })).toEqual({ outcome: "retry" });
});

test("with the switch, every failure but 410 is retried", () => {
  for (let status = 100; status < 600; status++) {
    const wanted = status === 410 ? "refused" : status >= 200 && status < 300 ? "ok" : "retry";
    expect(of({ status }, true).outcome).toBe(wanted);
  }
});

test("only 410 disables the endpoint", () => {
  for (const retryClientErrors of [false, true]) {
    const ending = Array.from({ length: 500 }, (_, index) => index + 100).filter(
      (status) => of({ status }, retryClientErrors).disable,
    );
    expect(ending).toEqual([410]);
  }
  // An incomplete answer may come from anyone.
  expect(of({ status: 410, error: { code: "timeout", message: "" } })).toEqual({ outcome: "retry" });
});

test("Retry-After applies only to answers that are retried", () => {
  expect(of({ status: 429, retryAfterMs: 5000 })).toEqual({ outcome: "retry", retryAfterMs: 5000 });
  expect(of({ status: 503, retryAfterMs: 0 })).toEqual({ outcome: "retry", retryAfterMs: 0 });
  expect(of({ status: 503 })).toEqual({ outcome: "retry" });
  // The head was complete, whatever happened to the body.
  const error = { code: "timeout", message: "" } as const;
  expect(of({ status: 503, retryAfterMs: 5000, error })).toEqual({ outcome: "retry", retryAfterMs: 5000 });
  expect(of({ status: 200, retryAfterMs: 5000 })).toEqual({ outcome: "ok" });
  expect(of({ status: 404, retryAfterMs: 5000 })).toEqual({ outcome: "refused" });
  expect(of({ status: 404, retryAfterMs: 5000 }, true)).toEqual({ outcome: "retry", retryAfterMs: 5000 });
});

test.each([
  ["timeout", "retry"],
  ["connection_refused", "retry"],
  ["certificate_invalid", "retry"],
  ["name_not_resolved", "retry"],
  // The network may be allowed, or the name corrected, before the last attempt.
  ["address_blocked", "retry"],
  ["invalid_url", "refused"],
] as const)("%s: %s", (code, outcome) => {
  for (const status of [undefined, 200, 404])
    expect(of({ ...(status !== undefined && { status }), error: { code, message: "" } })).toEqual({
      outcome,
    });
});

/** As Node and OpenSSL name them. */
test.each([
  ["ETIMEDOUT", "timeout"],
  ["ECONNREFUSED", "connection_refused"],
  ["ECONNRESET", "connection_reset"],
  ["EPIPE", "connection_reset"],
  ["ENETUNREACH", "unreachable"],
  ["EHOSTUNREACH", "unreachable"],
  ["EADDRNOTAVAIL", "network_error"],
  ["EMFILE", "network_error"],
  ["CERT_HAS_EXPIRED", "certificate_invalid"],
  ["CERT_NOT_YET_VALID", "certificate_invalid"],
  ["CERT_REVOKED", "certificate_invalid"],
  ["CERT_CHAIN_TOO_LONG", "certificate_invalid"],
  ["DEPTH_ZERO_SELF_SIGNED_CERT", "certificate_invalid"],
  ["SELF_SIGNED_CERT_IN_CHAIN", "certificate_invalid"],
  ["UNABLE_TO_GET_ISSUER_CERT_LOCALLY", "certificate_invalid"],
  ["UNABLE_TO_VERIFY_LEAF_SIGNATURE", "certificate_invalid"],
  ["CRL_HAS_EXPIRED", "certificate_invalid"],
  ["ERR_TLS_CERT_ALTNAME_INVALID", "certificate_invalid"],
  ["EPROTO", "tls_error"],
  ["ERR_SSL_WRONG_VERSION_NUMBER", "tls_error"],
  ["ERR_SSL_SSLV3_ALERT_CERTIFICATE_EXPIRED", "tls_error"],
  ["ERR_TLS_HANDSHAKE_TIMEOUT", "tls_error"],
  ["HPE_HEADER_OVERFLOW", "headers_too_large"],
  ["HPE_INVALID_CONSTANT", "invalid_response"],
  ["whatever", "network_error"],
])("%s is %s, in a message of our own", (code, wanted) => {
  const error = Object.assign(new Error(`connect ${code} 10.0.0.1:80 /secret`), { code });
  const failure = toFailure(error);
  expect(failure.code).toBe(wanted);
  expect(failure.message).toMatch(/^[A-Z].*\.$/);
  expect(failure.message).not.toMatch(/10\.0|secret/);
});

test.each([new Error("secret"), "secret", undefined, null, { code: "ETIMEDOUT" }])(
  "a thrown value without a code, %o, is reported without quoting it",
  (thrown) => {
    expect(toFailure(thrown)).toEqual({
      code: "network_error",
      message: "The connection to the receiver failed.",
    });
  },
);
