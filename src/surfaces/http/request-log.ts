import type { Log } from "../../services/telemetry/log.ts";
import type { Metrics } from "../../services/telemetry/metrics.ts";
import type { Exchange } from "./exchange.ts";
import { decodeLoosely } from "./key-in-query.ts";
import { maxPath, redact } from "./problem.ts";

/**
 * Writes the log line and the metrics of an exchange that has ended.
 * @param time On the monotonic clock.
 * @param status By default the one that was sent, or 499, nginx's status for a client that disconnected; it is never sent.
 */
export type RequestLog = (exchange: Exchange, time: number, status?: number) => void;

export function createRequestLog(log: Log, metrics: Metrics): RequestLog {
  const logsDebug = log.enabled("debug");
  const logsInfo = log.enabled("info");
  return (exchange, time, status = exchange.res.headersSent ? exchange.res.statusCode : 499) => {
    const { req, principal, route } = exchange;
    const durationMs = time - exchange.startedAt;
    metrics.request(req.method ?? "", route, status, durationMs / 1000);
    const quiet = route === "/healthz" || route === "/readyz";
    if (!(quiet ? logsDebug : logsInfo)) return;
    log.request(quiet ? "debug" : "info", {
      requestId: exchange.requestId,
      method: req.method ?? "",
      path: logged(exchange.path),
      status,
      durationMs,
      bytesIn: exchange.bytesIn,
      bytesOut: exchange.bytesOut,
      ip: exchange.ip,
      account: principal?.account ?? "",
      keyId: principal?.keyId ?? "",
      sessionId: principal?.sessionId ?? "",
      tool: exchange.tool,
      operation: exchange.operation,
      outcome: exchange.outcome === "" ? "ok" : exchange.outcome,
    });
  };
}

/** Returns a path for the log, shortened and without keys, percent-encoded or not. */
export function logged(path: string): string {
  const short = path.length > maxPath ? `${path.slice(0, maxPath)}…` : path;
  if (!/svc|eyJ|%/i.test(short)) return short;
  const plain = decodeLoosely(decodeLoosely(short));
  const shown = withoutSecrets(plain);
  return shown === plain ? short : shown.replaceAll(/\p{Cc}/gu, "?");
}

/** Masks keys, session tokens and JWTs, which occur in no path of the API. */
const withoutSecrets = (text: string): string =>
  redact(text).replaceAll(/eyJ[\w-]{10,}(?:\.[\w-]*)*/g, "eyJ…");
