import { type Markup, markup } from "./markup.ts";

/** The facts about this installation that the home page shows. */
export interface HomeParts {
  /** Absolute URL of the server, without a slash at its end. */
  url: string;
  version: string;
  /** Relative URL of the home page. */
  root: string;
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

/**
 * `GET /` for a browser. The box is there before the script, so that it is the first thing drawn and takes what is typed meanwhile;
 * page/home/home.tsx takes it over as it is. Space between the elements would have the box moved, which ends its focus.
 */
export const toHome = (
  parts: HomeParts,
  catalogue: Markup,
): Markup => markup`<div class="home-lead"><h1>Paste anything.</h1>
<p class="lead">${parts.tools} developer tools, in this tab. The same over HTTP, in CI and offline.</p></div>
<div data-page="home"><div class="hero"><section class="card paste" aria-label="Input"><span class="coloured"><textarea dir="auto" aria-label="Paste, drop or type anything, or the name of a tool" placeholder="Paste, drop or type anything: JSON, a token, a certificate, a cron line, a timestamp, an image … or the name of a tool." spellcheck="false" autocomplete="off" autocapitalize="off"></textarea></span></section></div></div>
${catalogue}`;

/** Returns examples of calling a tool, and the key that they need. */
export const toExamples = (
  parts: HomeParts,
): Markup => markup`<section aria-labelledby="call" data-url="${parts.url}">
<h2 id="call">Call a tool</h2>
${example("Send JSON, get JSON", jsonCall(parts))}
${example("Send a file, get the result as it is", rawCall(parts, `${parts.url}/api/tools/json-formatter?indent=2`))}
${example(
  "Fail a CI job on a bad document",
  rawCall(parts, `${parts.url}/api/tools/json-validator?check=true`, "--fail-with-body "),
)}
${example("Run a tool without the server", "penknife run json-formatter --indent 2 < data.json")}
</section>
<section aria-labelledby="keys">
<h2 id="keys">Keys</h2>
<p>${
  parts.anonymous
    ? "Without a key, each address has 100 requests an hour. With a key, the quota of its account applies."
    : "This server serves only calls with a key."
} The operator of this server issues keys. Send yours as
<code>Authorization: Bearer svc_live_…</code>, never in a URL.</p>
</section>`;

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
