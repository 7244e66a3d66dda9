import { ToolError } from "../../catalog/errors.ts";
import type { Principal, Ticket } from "../../catalog/principal.ts";
import { letIn } from "../../services/access/refusals.ts";
import { isSameCaller } from "../http/event-stream.ts";
import { countHeader } from "../http/head.ts";
import { callerBucket } from "../../services/access/buckets.ts";
import type { GraphqlDeps } from "./deps.ts";
import type { OperationParams } from "./operations.ts";
import { readsAsSignIn } from "./plan.ts";
import type { Connection } from "./socket-connection.ts";

/** Authenticates the client of a WebSocket, at the start and from then on. */
export interface SocketCallers {
  /** Authenticates by the payload of `connection_init`, or by the header of the handshake. @throws ToolError */
  identify(connection: Connection, params: Readonly<Record<string, unknown>>): Promise<Principal>;
  /** Returns why messages of this caller are currently not parsed; undefined if they are. */
  refusal(connection: Connection): ToolError | undefined;
  /** Counts an operation. @throws ToolError missing_key, quota_exceeded, storage_unavailable. */
  admit(connection: Connection, params: OperationParams): Promise<Ticket>;
  /**
   * Reports the connections whose credential has become invalid. Connections with the same credential share a check.
   */
  look(
    connections: Iterable<Connection>,
    onRefused: (connection: Connection, error: ToolError) => void,
  ): Promise<void>;
}

/** Milliseconds for which a refusal is cached; no longer than a changed limit takes to apply. */
const spentMs = 500;
const spentCapacity = 10_000;

export function createCallers({
  options,
  authenticate,
  runner,
  metrics,
  runtime,
  refusals,
}: Pick<
  GraphqlDeps,
  "options" | "authenticate" | "runner" | "metrics" | "runtime" | "refusals"
>): SocketCallers {
  // Recent refusals for a used-up quota, by owner.
  const spent = new Map<string, { error: ToolError; until: number }>();

  function remember(owner: string, error: ToolError): void {
    if (spent.size >= spentCapacity) spent.clear();
    spent.set(owner, { error, until: runtime.monotonic() + spentMs });
  }

  async function identifyBy(
    connection: Connection,
    authorization: string | undefined,
    authorizationCount: number,
  ): Promise<Principal> {
    const { ip, req } = connection.exchange;
    const xApiKey = req.headers["x-api-key"] !== undefined;
    // On a private endpoint the operation decides whether a credential is required, because signing in needs none.
    if (authorizationCount === 0 && !xApiKey && !options.anonymous) return { kind: "anonymous", ip };
    return authenticate({ authorization, authorizationCount, xApiKey, ip });
  }

  async function identify(
    connection: Connection,
    params: Readonly<Record<string, unknown>>,
  ): Promise<Principal> {
    const { req, viaCookie } = connection.exchange;
    const { headers, rawHeaders } = req;
    const given = Object.keys(params).filter((name) => name.toLowerCase() === "authorization");
    const value = given[0] === undefined ? headers.authorization : params[given[0]];
    // A credential that is not a string is malformed.
    const authorization = value === undefined || typeof value === "string" ? value : "";
    // A browser sends its cookie unasked, so a credential in the message counts instead of it.
    const isReplaced = viaCookie === true && given.length > 0;
    const count = given.length + (isReplaced ? 0 : countHeader(rawHeaders, "authorization"));
    try {
      const principal = await identifyBy(connection, authorization, count);
      if (principal.kind !== "anonymous") connection.authorization = authorization;
      metrics.auth(principal.kind === "anonymous" ? "anonymous" : "ok");
      return principal;
    } catch (error) {
      metrics.auth(error instanceof ToolError ? error.code : "internal");
      throw error;
    }
  }

  async function ask(connection: Connection): Promise<Principal | ToolError | undefined> {
    const { authorization } = connection;
    try {
      return await authenticate({ authorization, authorizationCount: 1, xApiKey: false, ip: letIn });
    } catch (error) {
      // An internal fault does not make the credential invalid.
      return error instanceof ToolError ? error : undefined;
    }
  }

  async function lookAt(
    connection: Connection,
    answer: Promise<Principal | ToolError | undefined>,
    onRefused: (connection: Connection, error: ToolError) => void,
  ): Promise<void> {
    const { exchange } = connection;
    const found = await answer;
    if (found === undefined) return;
    if (found instanceof ToolError) onRefused(connection, found);
    else if (!isSameCaller(found, exchange.principal)) onRefused(connection, changed());
    // The plan, and with it the quota, may have changed.
    else exchange.principal = { ...found, ip: exchange.ip };
  }

  return {
    identify,
    refusal({ authorization, exchange: { ip, principal } }) {
      if (authorization === undefined && (!options.anonymous || principal === undefined)) {
        const blocked = refusals.blocked(ip);
        if (blocked !== undefined) return blocked;
      }
      if (principal === undefined) return undefined;
      const known = spent.get(callerBucket(principal, ip));
      return known !== undefined && known.until > runtime.monotonic() ? known.error : undefined;
    },
    async admit({ authorization, exchange }, params) {
      // The quota may have changed since the connection was authenticated.
      const { limit: _limit, ...principal } = exchange.principal as Principal;
      if (authorization === undefined && !options.anonymous) {
        const { ip } = exchange;
        const blocked = refusals.blocked(ip);
        if (blocked !== undefined) throw blocked;
        if (!readsAsSignIn(params))
          await authenticate({ authorization, authorizationCount: 0, xApiKey: false, ip });
      }
      // An operation is a use of the session, which would otherwise end as idle.
      if (principal.kind === "session")
        await authenticate({ authorization, authorizationCount: 1, xApiKey: false, ip: exchange.ip });
      try {
        const ticket = await runner.admit(principal);
        ticket.requestId = exchange.requestId;
        return ticket;
      } catch (error) {
        if (error instanceof ToolError && error.code === "quota_exceeded")
          remember(callerBucket(principal, exchange.ip), error);
        throw error;
      }
    },
    async look(connections, onRefused) {
      const checks = new Map<string, Promise<Principal | ToolError | undefined>>();
      const looks: Promise<void>[] = [];
      for (const connection of connections) {
        const { authorization, closing } = connection;
        if (authorization === undefined || closing) continue;
        let answer = checks.get(authorization);
        if (answer === undefined) checks.set(authorization, (answer = ask(connection)));
        looks.push(lookAt(connection, answer, onRefused));
      }
      await Promise.all(looks);
    },
  };
}

const changed = (): ToolError =>
  new ToolError("forbidden", "The rights of this credential have changed. Connect again.");
