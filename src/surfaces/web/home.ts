import { type Markup, markup } from "./markup.ts";

/** What the home page says about this installation. */
export interface HomeParts {
  /** Absolute URL of the server, without a slash at its end. */
  url: string;
  version: string;
  /** Number of tools. */
  tools: number;
  /** Whether calls without a key are served. */
  anonymous: boolean;
}

/** `GET /` for curl and its kin. */
export const toHomeText = (parts: HomeParts): string =>
  `penknife ${parts.version}: ${parts.tools} developer tools over HTTP

Call a tool${parts.anonymous ? "" : "; this server requires a key"}:

  ${jsonCall(parts, " ")}

All tools    ${parts.url}/api/tools
OpenAPI 3.1  ${parts.url}/openapi.json
For agents   ${parts.url}/llms.txt
`;

/** `GET /` for a browser. */
export function toHome(parts: HomeParts): Markup {
  const { url, tools, anonymous } = parts;
  return markup`<h1>Developer tools over HTTP</h1>
<p class="lead">This server has ${tools} tools that format, validate, convert, compare and generate. A tool takes a document and
returns one result. No tool opens a file or a connection, and what you send stays on this server.</p>
<section aria-labelledby="call" data-url="${url}">
<h2 id="call">Call a tool</h2>
${example("Send JSON, get JSON", jsonCall(parts))}
${example("Send a file, get the result as it is", rawCall(parts, `${url}/api/tools/json-formatter?indent=2`))}
${example(
  "Fail a CI job on a bad document",
  rawCall(parts, `${url}/api/tools/json-validator?check=true`, "--fail-with-body "),
)}
${example("Run a tool without the server", "penknife run json-formatter --indent 2 < data.json")}
</section>
<section aria-labelledby="keys">
<h2 id="keys">Keys</h2>
<p>${
    anonymous
      ? "Without a key, each address has 100 requests an hour. With a key, the quota of its account applies."
      : "This server serves only calls with a key."
  } The operator of this server issues keys. Send yours as
<code>Authorization: Bearer svc_live_…</code>, never in a URL.</p>
</section>`;
}

const newLine = " \\\n  ";

function jsonCall({ url, anonymous }: HomeParts, between = newLine): string {
  const words = [`curl ${url}/api/tools/json-formatter`, "-H 'Content-Type: application/json'"];
  return [...words, ...keyHeader(anonymous), String.raw`-d '{"data":"{\"a\":1}"}'`].join(between);
}

function rawCall({ anonymous }: HomeParts, url: string, option = ""): string {
  const words = [`curl ${option}'${url}'`, "-H 'Content-Type: text/plain' -H 'Accept: text/plain'"];
  return [...words, ...keyHeader(anonymous), "--data-binary @data.json"].join(newLine);
}

const keyHeader = (anonymous: boolean): string[] =>
  anonymous ? [] : ['-H "Authorization: Bearer $PENKNIFE_KEY"'];

const example = (title: string, text: string): Markup =>
  markup`<figure class="example" data-copy>
<figcaption>${title}</figcaption>
<pre><code>${text}</code></pre>
</figure>`;
