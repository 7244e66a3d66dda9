import { type Markup, markup } from "./markup.ts";

/** The files that every page loads; undefined in a source tree without a build. */
export interface PageFiles {
  /** A script that runs before the first paint. */
  early: string;
  script: string;
  /** Scripts that it imports. */
  preload: readonly string[];
  style: string;
  icon: string;
  /** What a page needs to run tools in the browser; page/tab/tab.ts reads it. */
  tab: string;
}

/** The variable parts of a page. */
export interface PageParts {
  title: string;
  main: Markup;
  /** Relative URL of the home page. */
  root: string;
  /** Identifies the release that made the page; page/upgrade-notice.tsx compares it with the server's. */
  build: string;
  version: string;
  files: PageFiles | undefined;
  /** Links of the header. */
  links: readonly Link[];
  isHome: boolean;
}

export interface Link {
  /** Path below the home page. */
  path: string;
  text: string;
}

/** The shell around every page. Scripts add to it; its content needs none. */
export const toDocument = ({ title, main, root, build, version, files, links, isHome }: PageParts): string =>
  markup`<!doctype html>
<html lang="en" data-build="${build}" data-root="${root}"${files === undefined ? undefined : markup` data-tab="${files.tab}"`}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${isHome ? title : `${title} – penknife`}</title>
${files === undefined ? markup`<link rel="icon" href="data:,">` : loading(root, files)}
</head>
<body>
<a class="skip" href="#main">Skip to the content</a>
<header class="bar">
<a class="brand" href="${root}"${isHome ? markup` aria-current="page"` : undefined}>penknife</a>
<nav aria-label="Main"><ul>
${links.map(({ path, text }) => markup`<li><a href="${root}${path}">${text}</a></li>\n`)}</ul></nav>
</header>
<noscript><p class="notice">JavaScript is off: this page cannot copy examples or notice an upgrade of the server. The API needs
none; <a href="${root}openapi.json">openapi.json</a> and <a href="${root}llms.txt">llms.txt</a> describe it.</p></noscript>
<div id="update" role="status"></div>
<main id="main" tabindex="-1">
${main}
</main>
<footer class="bar"><p>penknife ${version}</p><label class="colours">Colours: <select id="colours" disabled>
<option value="system">as the system</option><option value="light">light</option><option value="dark">dark</option>
</select></label></footer>
</body>
</html>
`.html;

const loading = (root: string, { early, script, preload, style, icon }: PageFiles): Markup =>
  markup`<link rel="icon" type="image/svg+xml" href="${root}web/${icon}">
<link rel="stylesheet" href="${root}web/${style}">
<script src="${root}web/${early}"></script>
<script type="module" src="${root}web/${script}"></script>
${preload.map((name) => markup`<link rel="modulepreload" href="${root}web/${name}">`)}`;
