import { expect } from "vitest";

export const formatter = "/api/tools/json-formatter";
export const json = { "content-type": "application/json" };
const text = { "content-type": "text/plain" };
export const valid = '{"data":"[1]"}';

export interface Case {
  name: string;
  path?: string;
  method?: string;
  headers?: Record<string, string>;
  body?: string | Uint8Array<ArrayBuffer>;
  status: number;
  code: string;
  /** Expected members of the problem. */
  shows?: Record<string, unknown>;
  /** Expected headers of the answer. */
  sends?: Record<string, string | RegExp>;
  /** Counted against the quota, so that the answer shows the window; true by default. */
  counted?: boolean;
  anonymous?: boolean;
}

export const cases: Case[] = [
  {
    name: "malformed JSON",
    body: '{"data": }',
    status: 400,
    code: "bad_json",
    shows: { errors: [expect.objectContaining({ line: 1, column: 10, offset: 9 })] },
  },
  { name: "an empty body", body: "", status: 400, code: "bad_json" },
  { name: "a body that is no object", body: "[1]", status: 400, code: "invalid_input" },
  {
    name: "a field of the wrong type",
    body: '{"data":"1","indent":"two"}',
    status: 400,
    code: "invalid_input",
    shows: { errors: [expect.objectContaining({ pointer: "/indent" })] },
  },
  {
    name: "an unknown field",
    body: '{"data":"1","ident":2}',
    status: 400,
    code: "unknown_field",
    shows: { nearest: "indent", errors: [expect.objectContaining({ pointer: "/ident" })] },
  },
  {
    name: "a missing field",
    body: "{}",
    status: 400,
    code: "invalid_input",
    shows: { errors: [expect.objectContaining({ pointer: "/data" })] },
  },
  {
    name: "a body over the limit",
    body: "x".repeat(5000),
    status: 413,
    code: "body_too_large",
    shows: { limit: 4096 },
  },
  {
    name: "an unknown slug",
    path: "/api/tools/json-formater",
    status: 404,
    code: "unknown_tool",
    shows: { nearest: "json-formatter" },
  },
  {
    name: "a wrong method on a tool",
    method: "DELETE",
    status: 405,
    code: "method_not_allowed",
    sends: { allow: "GET, HEAD, POST, OPTIONS" },
  },
  {
    name: "a wrong method on a document",
    path: "/api/tools",
    method: "POST",
    status: 405,
    code: "method_not_allowed",
    sends: { allow: "GET, HEAD, OPTIONS" },
    counted: false,
  },
  {
    name: "a form, which is what curl sends unasked",
    headers: { "content-type": "application/x-www-form-urlencoded" },
    status: 415,
    code: "unsupported_media_type",
  },
  { name: "no media type", headers: { "content-type": "" }, status: 415, code: "unsupported_media_type" },
  {
    name: "junk for a media type",
    headers: { "content-type": "text" },
    status: 415,
    code: "unsupported_media_type",
  },
  {
    name: "another charset",
    headers: { "content-type": "text/plain; charset=iso-8859-1" },
    status: 415,
    code: "unsupported_media_type",
  },
  {
    name: "bytes for a tool of text",
    path: "/api/tools/regex-tester?pattern=a",
    headers: { "content-type": "application/octet-stream" },
    status: 415,
    code: "unsupported_media_type",
  },
  {
    name: "a compressed body",
    headers: { ...json, "content-encoding": "gzip" },
    status: 415,
    code: "unsupported_media_type",
  },
  {
    name: "an Accept that nothing fits",
    headers: { ...json, accept: "image/png" },
    status: 406,
    code: "not_acceptable",
  },
  {
    name: "invalid UTF-8 in the envelope",
    body: new Uint8Array([0x7b, 0xff, 0x7d]),
    status: 400,
    code: "bad_json",
    shows: { errors: [expect.objectContaining({ offset: 1 })] },
  },
  {
    name: "invalid UTF-8 in a document",
    headers: text,
    body: new Uint8Array([0x5b, 0xc3, 0x28, 0x5d]),
    status: 422,
    code: "invalid_document",
  },
  {
    name: "a document that is not JSON",
    headers: text,
    body: "[1,",
    status: 422,
    code: "invalid_document",
    shows: { errors: [expect.objectContaining({ line: 1, column: 4, offset: 3 })] },
  },
  {
    name: "an unknown parameter",
    path: `${formatter}?ident=2`,
    headers: text,
    body: "1",
    status: 400,
    code: "unknown_field",
  },
  { name: "an option beside a JSON body", path: `${formatter}?indent=4`, status: 400, code: "unknown_field" },
  {
    name: "check that is neither yes nor no",
    path: `${formatter}?check=maybe`,
    status: 400,
    code: "invalid_input",
  },
  {
    name: "check given twice",
    path: `${formatter}?check=true&check=true`,
    status: 400,
    code: "invalid_input",
  },
  {
    name: "check of a tool that validates nothing",
    path: "/api/tools/base64-encoder?check=1",
    status: 400,
    code: "invalid_input",
  },
  {
    name: "a broken percent sequence in the query",
    path: `${formatter}?a=%zz`,
    headers: text,
    status: 400,
    code: "invalid_input",
  },
  {
    name: "no UTF-8 in the query",
    path: `${formatter}?a=%ff`,
    headers: text,
    status: 400,
    code: "invalid_input",
  },
  {
    name: "a broken percent sequence in the path",
    path: "/api/tools/%zz",
    status: 404,
    code: "not_found",
    counted: false,
  },
  { name: "a slash in the slug", path: "/api/tools/a%2Fb", status: 404, code: "unknown_tool" },
  { name: "a path of its own", path: "/api/nothing", status: 404, code: "not_found", counted: false },
  {
    name: "a doubled slash",
    path: "//api/tools/json-formatter",
    status: 404,
    code: "not_found",
    counted: false,
  },
  {
    name: "a key with a bad checksum",
    headers: { ...json, authorization: `Bearer svc_live_${"a".repeat(38)}` },
    status: 401,
    code: "malformed_key",
    sends: { "www-authenticate": /^Bearer realm="penknife", error="invalid_token"/ },
    counted: false,
  },
  {
    name: "another scheme",
    headers: { ...json, authorization: "Basic YTpi" },
    status: 401,
    code: "malformed_key",
    counted: false,
  },
  {
    name: "a key beside X-API-Key",
    headers: { ...json, "x-api-key": "a" },
    status: 400,
    code: "conflicting_credentials",
    sends: { "www-authenticate": /error="invalid_request"/ },
    counted: false,
  },
  {
    name: "a key in the query",
    path: `${formatter}?api_key=1`,
    status: 400,
    code: "key_in_query",
  },
  {
    name: "a token in the query",
    path: `${formatter}?Access-Token=1`,
    status: 400,
    code: "key_in_query",
  },
  {
    name: "a key as any parameter",
    path: `${formatter}?data=svc_live_abc`,
    status: 400,
    code: "key_in_query",
  },
  {
    name: "a hidden key in the query",
    path: `${formatter}?k=svc%5Flive%5Fabc`,
    status: 400,
    code: "key_in_query",
  },
  {
    name: "a key in the query of a wrong method",
    path: `${formatter}?api_key=1`,
    method: "DELETE",
    status: 400,
    code: "key_in_query",
  },
  {
    name: "a key in the query of no tool",
    path: "/api/tools/none?api_key=1",
    status: 400,
    code: "key_in_query",
  },
  {
    name: "a key in the query of a document",
    path: "/api/tools?api_key=1",
    status: 400,
    code: "key_in_query",
    counted: false,
  },
  {
    name: "a key in the query of nothing",
    path: "/nothing?api_key=1",
    status: 400,
    code: "key_in_query",
    counted: false,
  },
];
