import type { IncomingHttpHeaders } from "node:http";
import type { Runtime } from "../../runtime.ts";

/** Returns a function that creates the id of a request whose caller chose none. */
export function createRequestIds(runtime: Runtime): () => string {
  // The counter makes ids unique within the process, the start time (to the nanosecond if the clock allows) across
  // processes. Random ids would load node:crypto before the first answer, and an id is no secret.
  const prefix =
    runtime.now().toString(36) +
    Math.floor((runtime.monotonic() % 1) * 1e6)
      .toString(36)
      .padStart(4, "0");
  let count = 0;
  return () => `${prefix}-${(count++).toString(36)}`;
}

const acceptable = /^[A-Za-z0-9._-]{1,64}$/;

/**
 * Matches prefixes of keys, session tokens, common tokens and JWTs. The secret scanner knows more kinds, but every
 * start would have to load its rules.
 */
const tokens =
  /svc[._-](?:live|sess)|^(?:eyJ|gh[oprsu]_|github_|gl[a-z]{2,4}-|xox|xapp-|[prs]k[_-]|whsec_|AKIA|ASIA|AIza|ya29\.|npm_|pypi-|hf_|SG\.|dop_|shp[a-z]{2}_)/i;

/** Matches a sign-in code, and a key or a session token without its prefix. */
const shapes = /^(?:[0-9A-Za-z]{5}-){3}[0-9A-Za-z]{5}$|^[0-9A-Z]{20}$|^[0-9A-Za-z]{38}$/;

/** Length of a part of a credential that an id does not contain by chance. */
const telling = 16;

/**
 * Returns the request id chosen by the caller, which is logged and echoed; undefined if it is missing, malformed, or
 * possibly a credential in the wrong header.
 */
export function givenRequestId(headers: IncomingHttpHeaders): string | undefined {
  const given = headers["x-request-id"] as string | undefined;
  if (given === undefined || !acceptable.test(given) || tokens.test(given) || shapes.test(given))
    return undefined;
  return given.length >= telling && headers.authorization?.includes(given) === true ? undefined : given;
}
