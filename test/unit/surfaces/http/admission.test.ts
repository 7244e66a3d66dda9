import { describe, expect, test } from "vitest";
import { ToolError } from "../../../../src/catalog/errors.ts";
import type { Principal, Ticket } from "../../../../src/catalog/principal.ts";
import { createRunner, type Runner } from "../../../../src/catalog/run.ts";
import { createAdmit } from "../../../../src/services/access/admit.ts";
import type { Exchange } from "../../../../src/surfaces/http/exchange.ts";
import { type Admission, createAdmission } from "../../../../src/surfaces/http/admission.ts";
import { testRuntime } from "../../../support/runtime.ts";
import { makeFolder } from "../../../support/store.ts";
import { createServices, start } from "../../services/setup.ts";

const quiet = { auth: () => {}, limit: () => {} } as const;
const uncounted = { take: () => {} };
const never = (): never => expect.unreachable("nothing runs");

/** A request with a key, of which only the head has arrived. */
const withKey = (key: string): Exchange =>
  ({
    req: {
      headers: { authorization: `Bearer ${key}` },
      rawHeaders: ["Authorization", `Bearer ${key}`],
      socket: {},
    },
    ip: "192.0.2.1",
    requestId: "req_1",
  }) as unknown as Exchange;

type Deps = Parameters<typeof createAdmission>[0];
const toAdmission = (deps: Pick<Deps, "runner" | "authenticate" | "presume">): Admission =>
  createAdmission({
    ...deps,
    metrics: quiet as unknown as Deps["metrics"],
    runtime: testRuntime({ now: () => start }),
    uncounted,
  });

describe.each(["memory", "file"] as const)("a key that is known, over the driver %s", (driver) => {
  async function open() {
    const path = driver === "file" ? makeFolder() : "";
    const services = await createServices({ driver, path, runtime: testRuntime({ now: () => start }) });
    const { accounts, auth, keys, limits } = services;
    await accounts.create({ name: "acme", plan: "pro" });
    const { key } = await keys.issue({ account: "acme" });
    const runner = createRunner({
      catalog: {} as never,
      admit: createAdmit({
        limits,
        metrics: quiet,
        usage: { limited: () => {} },
        noteLimit: () => {},
        runtime: testRuntime({ now: () => start }),
      }),
      isolate: never,
      context: {} as never,
      inlineBytes: 1,
      runtime: testRuntime(),
      observe: never,
    });
    const admission = toAdmission({ runner, authenticate: auth.authenticate, presume: auth.presume });
    // The first use reads the records.
    await admission.admit(withKey(key));
    return { admission, key };
  }

  test("is admitted at once: no promise is made, and the exchange has its caller and its quota", async () => {
    const { admission, key } = await open();
    const exchange = withKey(key);
    const ticket = admission.admit(exchange);
    expect(ticket).not.toBeInstanceOf(Promise);
    expect(exchange.principal).toMatchObject({ kind: "key", account: "acme" });
    expect(exchange.quota).toMatchObject({ limit: 1_000, used: 2, remaining: 998 });
    expect(ticket).toMatchObject({ principal: exchange.principal, requestId: "req_1" });
  });

  test("is refused at once when its quota is used up, after exactly as many requests as it has", async () => {
    const { admission, key } = await open();
    for (let used = 2; used <= 1_000; used++) {
      const exchange = withKey(key);
      void admission.admit(exchange);
      expect(exchange.quota?.used).toBe(used);
    }
    const exchange = withKey(key);
    expect(() => admission.admit(exchange)).toThrow(
      expect.objectContaining({ code: "quota_exceeded" }) as Error,
    );
    expect(exchange.quota).toMatchObject({ limit: 1_000, used: 1_000, remaining: 0 });
  });
});

describe("a key that is being looked up", () => {
  const caller: Principal = { kind: "key", account: "acme", keyId: "key_a" };
  const ticket = (): Ticket => ({ principal: caller });

  function open(found: Promise<Principal>, admit: Runner["admit"]): Admission {
    return toAdmission({
      runner: { admit } as Runner,
      authenticate: () => found,
      presume: async () => caller,
    });
  }

  test("is counted once, although counting begins before it is found", async () => {
    const found = Promise.withResolvers<Principal>();
    let counted = 0;
    const admission = open(found.promise, () => {
      counted++;
      return ticket();
    });
    const admitted = admission.admit(withKey("svc_live_x"));
    await expect.poll(() => counted).toBe(1);
    found.resolve({ ...caller, plan: "pro" });
    expect(await admitted).toMatchObject({ principal: { plan: "pro" } });
    expect(counted).toBe(1);
  });

  test("is refused as the look-up says, even if it could not be counted either", async () => {
    const refusal = new ToolError("unknown_key", "This key was never issued here.");
    const admission = open(Promise.reject(refusal), () => {
      throw new ToolError("overloaded", "Too many keys are being looked up.");
    });
    // An error of the counting must not end the process as an unhandled rejection.
    await expect(admission.admit(withKey("svc_live_x"))).rejects.toBe(refusal);
  });
});
