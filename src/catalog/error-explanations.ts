import { type ErrorCode, internalFault } from "./errors.ts";

/** The text of each page `/problems/<code>`: what the code means and what to do. */
export const explanations: Readonly<Record<ErrorCode, string>> = {
  bad_json:
    'The body must be one JSON object in UTF-8, such as {"data": "…"}. The answer names the line and column of the fault. To send a document as it is, use Content-Type: text/plain and put the options in the query.',
  invalid_input:
    "The answer points at each field that is missing, of the wrong type or out of range. GET /api/tools/<slug> shows the schema of the input.",
  unknown_field:
    "Fields are never ignored, so that a misspelt option cannot change a result unseen. The answer names the nearest field; GET /api/tools/<slug> lists them all.",
  conflicting_credentials: "Send exactly one Authorization header, and no X-API-Key header with it.",
  key_in_query:
    "URLs end up in logs and histories. Send the key as Authorization: Bearer svc_live_… and rotate the one that was in the URL.",
  missing_key:
    "The resource belongs to an account, or this installation requires a key for every request. Send Authorization: Bearer svc_live_… with a key of your account, or the token of a session.",
  malformed_key:
    "A key is svc_live_ followed by 38 letters and digits, and its last six are a checksum; the token of a session has the same form and begins with svc_sess_. Part of it is missing or mistyped: copy it again.",
  unknown_key:
    "The key is well formed but was never issued by this installation. Ask its operator for a key.",
  expired_key: "Ask the operator to issue or rotate the key. If a session has ended, sign in again.",
  revoked_key:
    "The key was revoked, or the session was ended, and will not work again. Ask the operator for a new key, or sign in again.",
  invalid_signature:
    "An inbox accepts only messages whose signature matches its scheme, its secret and the exact bytes of the body. The answer says what is wrong with this signature.",
  account_disabled: "The key is valid, but the operator disabled its account.",
  forbidden: "The credential is valid but does not permit this operation.",
  cross_site:
    "A browser sends requests to any server that a page names, from the network of its visitor. Requests from pages of other sites are refused unless the operator lists their origin in server.corsOrigins. GET /graphql runs a document with an Authorization header, with Sec-Fetch-Site: same-origin, or with a GraphQL-Require-Preflight header, which no page of another site can send. Nothing was run, and nothing was counted.",
  unknown_tool: "The answer names the nearest slug; GET /api/tools lists them all.",
  not_found: "Tools are called with POST /api/tools/<slug>; GET /api/tools lists them.",
  method_not_allowed: "The Allow header lists the methods of this path. A tool is run with POST.",
  not_acceptable: "Tools answer with application/json, text/plain or application/octet-stream.",
  request_timeout: "The headers or the body arrived too slowly. Send the request again.",
  body_too_large:
    "The answer names the limit in bytes. The operator sets it with server.bodyLimit, or with inbox.maxBytes for messages to an inbox.",
  uri_too_long:
    "The URL and the headers together have a limit, and the URL takes most of it. Send a document in the body of a POST. A link to a tool has its documents in the fragment, after #, which a browser sends to no server: Copy link with the input makes one.",
  unsupported_media_type:
    "Send application/json with fields, text/plain with the document itself, or application/octet-stream with bytes to a tool that takes them. curl sends a form unless -H 'Content-Type: …' says otherwise.",
  misdirected_request:
    "A page can make its own name resolve to the address of this server (DNS rebinding), so requests without a credential are served only under the server's own names: a loopback name such as localhost, an IP address, the host name of web.publicUrl, or a name listed in server.allowedHosts. With a key, a session or metrics.token in the Authorization header, any name is accepted.",
  invalid_document:
    "The call is valid, but a document in it is not. The answer names the place and the reason. The place is in data, or in the field that the answer names.",
  memory_exceeded: "The tool was stopped at its memory limit (tools.memoryMb). Send a smaller document.",
  quota_exceeded:
    "Retry-After says in how many seconds the next request is answered. A pro account has 1,000 requests an hour, a team account 10,000 or more, and everyone else 100 per IP address.",
  deadline_exceeded:
    "The work took longer than tools.deadlineMs. The usual causes are a regular expression that backtracks and a document of unusual shape.",
  overloaded:
    "Too many requests are being served, or others are changing the same account. Retry-After says when to try again.",
  storage_unavailable: "The server cannot read or write its records now, so it cannot check the key.",
  provider_unavailable:
    "The provider of single sign-on does not answer, or not as it should. Everybody who is signed in stays signed in. Try again later, or sign in with a one-time code, which the operator prints with penknife admin login. penknife doctor says what is wrong.",
  internal: internalFault,
};
