import { isObject } from "../is-object.ts";
import { classifyName } from "../secrets/names.ts";
import { type Guess, shareOf } from "./guess.ts";
import type { Kind } from "./kinds.ts";

type Fields = Readonly<Record<string, unknown>>;
type Shape = readonly [kind: Kind, confidence: number, reason: string];

/** Returns what a JSON document is by its members. */
export function findShapes(value: unknown, text: string): Guess[] {
  const shapes = Array.isArray(value)
    ? shapesOfArray(value)
    : isObject(value)
      ? [...shapesOfDocument(value), ...shapesOfLayout(value)]
      : [];
  return [...shapes, ...shapesOfText(value, text)].map(([kind, confidence, reason]) => ({
    kind,
    confidence,
    reason,
  }));
}

const isScalar = (value: unknown): boolean => typeof value !== "object" || value === null;
const isTable = (value: unknown): boolean => Array.isArray(value) && value.some(isObject);
const isFlat = (value: unknown): boolean => isObject(value) && Object.values(value).every(isScalar);

function shapesOfArray(items: readonly unknown[]): Shape[] {
  if (items.length === 0) return [];
  const isOperation = (item: unknown): boolean =>
    isObject(item) &&
    typeof item["path"] === "string" &&
    /^(?:add|remove|replace|move|copy|test)$/.test(`${item["op"]}`);
  if (items.every(isOperation))
    return [["json-patch", 0.97, "Each item is an operation of JSON Patch (RFC 6902)."]];
  if (items.every((item) => Array.isArray(item) && item.every(isScalar)))
    return [["json-rows", 0.93, "Each item is an array of plain values, which is a row of a table."]];
  if (!items.every(isObject)) return [];
  return shareOf(items, isFlat) > 0.7
    ? [["json-records", 0.95, "Each item is an object of plain values, which is a record of a table."]]
    : [["json-list", 0.8, "Each item is an object."]];
}

function shapesOfDocument(object: Fields): Shape[] {
  const has = (...names: string[]): boolean => names.every((name) => Object.hasOwn(object, name));
  const count = (names: string): number => names.split(" ").filter((name) => has(name)).length;
  const shapes: Shape[] = [];
  const add = (is: boolean, ...shape: Shape): void => void (is && shapes.push(shape));
  const schema = `${object["$schema"] ?? ""}`;
  const isSchema =
    /json-schema\.org/.test(schema) ||
    (isObject(object["properties"]) && count("type required $defs definitions $id additionalProperties") > 0);
  const webhook = findWebhook(object);
  add(typeof (object["openapi"] ?? object["swagger"]) === "string" && count("info paths webhooks components") > 0,
    "openapi-json", 0.97, "Its member openapi or swagger makes it an OpenAPI description."); // prettier-ignore
  add(isSchema, "json-schema", 0.96, "Its members are those of a JSON Schema.");
  add(
    count("iss sub aud exp nbf iat jti") > 1,
    "jwt-claims",
    0.93,
    "Its members are registered claims of a JSON Web Token (RFC 7519).",
  );
  add(
    has("alg") && count("typ kid jku x5t enc") > 0,
    "jwt-claims",
    0.9,
    "Its members are those of the header of a JSON Web Token.",
  );
  add(
    has("kty") ||
      (Array.isArray(object["keys"]) &&
        isObject(object["keys"][0]) &&
        Object.hasOwn(object["keys"][0], "kty")),
    "jwk",
    0.95,
    "It has the member kty of a JSON Web Key (RFC 7517).",
  );
  if (webhook !== undefined)
    shapes.push(["webhook-body", 0.93, `Its members are those of a webhook of ${webhook}.`]);
  add(
    has("@context") && count("proof credentialSubject issuer verifiableCredential") > 0,
    "json-signed",
    0.95,
    "It is a verifiable credential, which is signed in its canonical form.",
  );
  add(
    count("signature sig proof signatures signed") > 0 && !has("@context"),
    "json-signed",
    0.8,
    "It has a member for a signature, which is computed over the canonical form.",
  );
  add(
    has("apiVersion", "kind"),
    "kubernetes-json",
    0.93,
    "It is an object of Kubernetes, usually kept as YAML.",
  );
  add(
    count("services jobs AWSTemplateFormatVersion Resources stages playbook") > 0 &&
      Object.values(object).some(isObject),
    "json-to-yaml-file",
    0.9,
    "Its members are those of a configuration that is usually kept as YAML.",
  );
  add(
    (has("package", "dependencies") && isObject(object["package"])) ||
      has("build-system") ||
      (has("tool") && has("project")),
    "json-to-toml-file",
    0.94,
    "Its members are those of a manifest that is kept as TOML.",
  );
  add(
    has("name") &&
      count("version scripts dependencies devDependencies require private license") > 1 &&
      !has("openapi"),
    "json-manifest",
    0.9,
    "Its members are those of a package manifest.",
  );
  return shapes;
}

function shapesOfLayout(object: Fields): Shape[] {
  const keys = Object.keys(object);
  const values = Object.values(object);
  const flat = keys.length > 0 && values.every(isScalar);
  const shapes: Shape[] = [];
  if (keys.length > 0 && keys.every((key) => /^[A-Z][A-Z\d_]*$/.test(key)) && flat)
    shapes.push(["json-variables", 0.95, "Its names are those of environment variables."]);
  const listed = values.every((value) => isScalar(value) || (Array.isArray(value) && value.every(isScalar)));
  if (
    keys.length > 0 &&
    keys.length <= 12 &&
    listed &&
    values.every((value) => `${value as string}`.length < 200)
  ) {
    const known = keys.filter((key) => parameterNames.test(key)).length;
    shapes.push(
      known > 0 && known >= keys.length / 3
        ? [
            "json-parameters",
            0.9,
            "It is flat, and its names are those of the parameters of a query or a form.",
          ]
        : ["json-parameters", 0.74, "It is flat, as the parameters of a query or a form are."],
    );
  }
  const type = typeof values[0];
  if (flat && keys.length >= 3 && values.every((value) => typeof value === type)) {
    const dotted = shareOf(keys, (key) => /[.:]/.test(key)) > 0.5;
    const sorted = keys.every((key, index) => index === 0 || (keys[index - 1] as string) <= key);
    if (!sorted)
      shapes.push([
        "json-dictionary",
        dotted ? 0.93 : 0.82,
        "It is a dictionary of texts whose keys are not sorted.",
      ]);
  }
  const groups = shareOf(values, (value) => isObject(value));
  if (
    values.length >= 2 &&
    groups >= 0.5 &&
    ![object, ...values].some((value) => isObject(value) && Object.values(value).some(isTable))
  )
    shapes.push(["json-settings", 0.86, "It is a configuration in sections."]);
  return shapes;
}

const parameterNames =
  /^(?:q|query|search|page|per_?page|page_?size|limit|offset|cursor|sort|order(?:_?by)?|filter|lang|locale|grant_type|response_type|redirect_uri|client_id|client_secret|code|scope|state|utm_\w+|callback|category|tag|tags|from|to|min|max|size|format|fields)$/i;

/** Returns the shapes that a whole document has, at any depth: at most 5,000 members are visited. */
function shapesOfText(value: unknown, text: string): Shape[] {
  const seen = { secret: "", personal: "", attribute: "", nulls: 0, lists: 0, members: 0 };
  visit(value, (key, member, depth) => {
    if (seen.members++ > 5000) return false;
    const inner = isObject(member) ? member["value"] : member;
    if (seen.secret === "" && typeof inner === "string" && inner.length > 2 && isSecretName(key))
      seen.secret = key;
    if (
      /^(?:@(?!context$|type$|id$)\w|#text$|#cdata$|_text$|_attributes$|\$t$)/.test(key) ||
      (key === "@id" && depth > 1)
    )
      if (seen.attribute === "" && !text.includes('"@context"') && !text.includes('"@timestamp"'))
        seen.attribute = key;
    if (seen.personal === "" && isScalar(member) && `${member as string}`.length > 4 && personal.test(key))
      seen.personal = key;
    if (member === null && depth > 1) seen.nulls++;
    if (Array.isArray(member)) seen.lists++;
    return true;
  });
  const shapes: Shape[] = [];
  if (seen.secret !== "")
    shapes.push([
      "json-secrets",
      0.92,
      `The name ${JSON.stringify(seen.secret.slice(0, 40))} is that of a secret.`,
    ]);
  if (seen.personal !== "" && seen.secret === "")
    shapes.push([
      "json-personal",
      strictly.test(seen.personal) ? 0.9 : 0.8,
      `The name ${JSON.stringify(seen.personal.slice(0, 40))} is that of personal data.`,
    ]);
  if (seen.attribute !== "")
    shapes.push(["json-xml", 0.95, `The name ${seen.attribute} stands for an attribute or the text of XML.`]);
  if (seen.nulls > 0 && seen.lists === 0 && isObject(value) && !Object.hasOwn(value, "id"))
    shapes.push([
      "json-merge-patch",
      0.87,
      "Null within it removes a member if it is a merge patch (RFC 7396).",
    ]);
  if (/[:[,\s]-?\d+(?:\.\d+)?[eE][+-]?\d/.test(text) || /[:[,\s]-?\d+\.\d{0,30}0[,\s\]}]/.test(text))
    if (/\\u00[01]/.test(text) || /\d[eE][+-]?\d/.test(text))
      shapes.push(["json-signed", 0.9, "Its numbers are not in canonical form (RFC 8785)."]);
  return [...shapes, ...shapesOfSpace(value, text)];
}

function shapesOfSpace(value: unknown, text: string): Shape[] {
  if (!text.includes("\n") || text.length > 32_768) return [];
  const used = JSON.stringify(value).length / text.length;
  if (used < 0.45) return [["json-spacious", 0.88, "More than half of it is white space."]];
  return [["json-spacious", 0.82, "It is indented."]];
}

const strictly = /ssn|social|card|cvv|iban|passport|birth|tax_?id/i;
const personal =
  /^(?:e?-?mail(?:_?address)?|phone(?:_?number)?|mobile|ssn|social_?security\w*|(?:credit_?)?card_?(?:number|no)|cvv|iban|passport\w*|date_?of_?birth|dob|birth_?(?:day|date)|tax_?id)$/i;

const isSecretName = (key: string): boolean =>
  /^(?:authorization|proxy-authorization|cookie|set-cookie|x-api-key)$/i.test(key) ||
  /^(?:password|token)$/.test(classifyName(key) ?? "");

function visit(root: unknown, call: (key: string, value: unknown, depth: number) => boolean): void {
  const open: [unknown, number][] = [[root, 1]];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [value, depth] = next;
    if (isScalar(value)) continue;
    for (const [key, member] of Object.entries(value as Fields)) {
      if (!call(Array.isArray(value) ? "" : key, member, depth)) return;
      if (!isScalar(member)) open.push([member, depth + 1]);
    }
  }
}

/** Returns whose webhook has such a body: the providers whose signatures we verify, by the members that they always send. */
function findWebhook(body: Readonly<Record<string, unknown>>): string | undefined {
  const has = (...names: string[]): boolean => names.every((name) => Object.hasOwn(body, name));
  const is = (name: string, pattern: RegExp): boolean =>
    typeof body[name] === "string" && pattern.test(body[name]);
  if (has("repository") && (has("sender") || has("pusher") || has("action") || has("hook_id") || has("ref")))
    return "GitHub";
  if (has("installation", "sender") || has("zen", "hook")) return "GitHub";
  if (has("object_kind") || is("event_name", /^(?:push|tag_push|project_\w+|user_\w+|repository_update)$/))
    return "GitLab";
  if (is("object", /^event$/) || is("id", /^evt_/)) return "Stripe";
  if (
    is("type", /^(?:event_callback|url_verification|block_actions|view_submission)$/) ||
    has("team_id", "event")
  )
    return "Slack";
  if (is("type", /^[a-z][\w-]*(?:\.[\w-]+)+$/) && has("data")) return "the Standard Webhooks form";
  return undefined;
}
