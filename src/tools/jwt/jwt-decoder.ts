import { DocumentFault } from "../../lib/fault.ts";
import { z } from "zod";
import { defineTool } from "../../catalog/tool.ts";
import { hintFor, toTime } from "../../lib/jws/claims.ts";
import { findObjectFault, pastedToken, splitJws } from "../../lib/jws/split.ts";
import { formatJsonText } from "../../lib/json/format.ts";
import { now, nowOf } from "../now.ts";
import { refuse } from "../refusing.ts";

const input = z.object({
  data: z
    .string()
    .max(1_048_576)
    .describe(
      "The token, also after Bearer or the name of an HTTP header, in a cookie, a URL, a command or JSON, or wrapped over lines",
    ),
  now,
});

export default defineTool({
  slug: "jwt-decoder",
  title: "JWT decoder",
  version: "1.2.0",
  summary: "Show the header, claims and times of a JSON Web Token, without verifying anything.",
  page: { tile: "Claims, times, expiry", view: "cards:jwt", labels: { data: "Token" } },
  accepts: "a JSON Web Token",
  aliases:
    "jwt, jwt.io, decode jwt, jwt parser, parse jwt, json web token, decode token, access token, bearer token, id token, token claims, jwt viewer, jwt debugger, oauth token, inspect token, read jwt payload, jwt inspector, jwt-cli decode, what is in my token",
  input,
  deterministic: false,
  examples: [
    {
      title: "The example of RFC 7519, long expired",
      input: {
        data: "eyJ0eXAiOiJKV1QiLA0KICJhbGciOiJIUzI1NiJ9.eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ.dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk",
      },
      result:
        '{\n  "header": {\n    "typ": "JWT",\n    "alg": "HS256"\n  },\n  "payload": {\n    "iss": "joe",\n    "exp": 1300819380,\n    "http://example.com/is_root": true\n  },\n  "signature": "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk",\n  "times": {\n    "exp": "2011-03-22T18:43:00.000Z"\n  },\n  "expired": true,\n  "verified": false\n}',
    },
    {
      title: "A number that a parser would round, and no signature",
      input: { data: "Authorization: Bearer eyJhbGciOiJub25lIn0.eyJpZCI6OTAwNzE5OTI1NDc0MDk5M30." },
      result:
        '{\n  "header": {\n    "alg": "none"\n  },\n  "payload": {\n    "id": 9007199254740993\n  },\n  "signature": "",\n  "times": {},\n  "expired": null,\n  "verified": false\n}',
    },
  ],
  run: ({ data, ...options }, context) => decode(data, nowOf(options, context)),
});

function decode(data: string, time: number): string {
  const token = pastedToken(data);
  const before = Math.max(data.indexOf(token), 0);
  const fail = (message: string, at: number): never => {
    throw refuse(data, { index: before + at }, message);
  };
  try {
    const { headerText, payload, parts } = splitJws(token);
    const fault = findObjectFault(payload);
    if (fault !== undefined) fail(`The payload ${fault}.`, parts[0].length + 1);
    const claims = JSON.parse(payload.toString()) as Record<string, unknown>;
    const times = (["iat", "nbf", "exp"] as const).flatMap((name) => {
      const value = Object.hasOwn(claims, name) ? claims[name] : undefined;
      return typeof value === "number" ? [[name, toTime(value)] as const] : [];
    });
    const expired = typeof claims["exp"] === "number" ? time / 1000 >= claims["exp"] : null;
    // Header and payload are inserted as text, so that numbers beyond 2⁵³ keep their digits.
    const hints = times.flatMap(([name]) => hintFor(name, Number(claims[name])));
    const details = `"signature":${JSON.stringify(parts[2])},"times":${JSON.stringify(Object.fromEntries(times))}${hints.length > 0 ? `,"hints":${JSON.stringify(hints)}` : ""}`;
    return formatJsonText(
      `{"header":${headerText},"payload":${payload.toString()},${details},"expired":${expired},"verified":false}`,
      { indent: 2 },
    );
  } catch (error) {
    throw error instanceof DocumentFault ? fail(error.message, error.at.index ?? 0) : error;
  }
}
