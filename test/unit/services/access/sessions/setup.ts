import type { OutputOf } from "../../../../../src/operations/index.ts";
import {
  createRandom,
  createServices,
  createTestOperator,
  createTestOutbox,
  type ServicesOptions,
} from "../../setup.ts";
import { testRuntime } from "../../../../support/runtime.ts";

export const minute = 60_000;
export const hour = 3_600_000;
export const ip = "198.51.100.1";

/** Services with two accounts, and the operator as a server has it. */
export async function withSessions(options: ServicesOptions = {}) {
  const services = await createServices(options);
  const { store, clock, auth } = services;
  const now = () => clock.now;
  const operator = createTestOperator({
    store,
    outbox: createTestOutbox(store, now),
    runtime: testRuntime({ now, random: createRandom() }),
  });
  const call = <View>(operation: string, args: object = {}): Promise<View> =>
    operator.perform(operation, args, { actor: "cli:ops", from: "test" }) as Promise<View>;
  await call("accounts.create", { name: "acme", plan: "team" });
  await call("accounts.create", { name: "other", plan: "pro" });
  const issue = async (account?: string): Promise<string> =>
    (await call<OutputOf<"login">>("login", account === undefined ? {} : { account })).code;
  const begin = (code: string): Promise<OutputOf<"sessions.begin">> => call("sessions.begin", { code });
  return {
    ...services,
    operator,
    call,
    issue,
    begin,
    signIn: async (account?: string): Promise<OutputOf<"sessions.begin">> => begin(await issue(account)),
    bearer: (token: string, from = ip) =>
      auth.authenticate({
        authorization: `Bearer ${token}`,
        authorizationCount: 1,
        xApiKey: false,
        ip: from,
      }),
  };
}
