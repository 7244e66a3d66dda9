import { extend, type Grammar, type Spec } from "./grammar.ts";
import { version31 } from "./version-3.ts";

const sequential: Record<string, Spec> = { prefixEncoding: "[Encoding]", itemEncoding: "Encoding" };
const styles = "=matrix|label|form|simple|spaceDelimited|pipeDelimited|deepObject|cookie";

/** OpenAPI 3.2. */
export const version32: Grammar = {
  ...version31,
  Document: extend(version31, "Document", { $self: "string" }),
  Server: extend(version31, "Server", { name: "string" }),
  Components: extend(version31, "Components", { mediaTypes: "{MediaType}" }),
  PathItem: extend(version31, "PathItem", { query: "Operation", additionalOperations: "{Operation}" }),
  Parameter: extend(version31, "Parameter", { in: "=cookie|header|path|query|querystring!", style: styles }),
  MediaType: extend(version31, "MediaType", { itemSchema: "Schema", ...sequential }, { ref: true }),
  Encoding: extend(version31, "Encoding", { encoding: "{Encoding}", ...sequential }),
  Response: extend(version31, "Response", { summary: "string", description: "string" }),
  Example: extend(version31, "Example", { dataValue: "any", serializedValue: "string" }),
  Tag: extend(version31, "Tag", { summary: "string", parent: "string", kind: "string" }),
  SecurityScheme: extend(version31, "SecurityScheme", { deprecated: "boolean", oauth2MetadataUrl: "string" }),
  OAuthFlows: extend(version31, "OAuthFlows", { deviceAuthorization: "DeviceFlow" }),
  DeviceFlow: extend(version31, "TokenFlow", { deviceAuthorizationUrl: "string!" }),
};
