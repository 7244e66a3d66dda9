import { type HeaderParts, toHeader } from "./header.ts";
import { asMarkup, type Markup, markup } from "./markup.ts";

/** The files that every page loads; undefined in a source tree without a build. */
export interface PageFiles {
  /** A script that runs before the first paint. */
  early: string;
  script: string;
  /** Scripts that it imports. */
  preload: readonly string[];
  style: string;
  icon: string;
  /** The icons that all parts of a page use, as one SVG element. */
  sprite: string;
  /** The data by which a page runs tools in the browser; page/tab/tab.ts reads it. */
  tab: string;
}

/** The variable parts of a page. */
export interface PageParts extends HeaderParts {
  title: string;
  main: Markup;
  /** The layout of the page; the style sheets have the rules of each. */
  layout: Layout;
  /** Identifies the release that made the page; page/upgrade-notice.tsx compares it with the server's. */
  build: string;
  files: PageFiles | undefined;
}

/** `text` is for reading; `app` has the list of its section at the side. */
export type Layout = "home" | "tool" | "pipelines" | "app" | "text";

export interface Link {
  /** Path below the home page. */
  path: string;
  text: string;
}

/** The shell around every page. Scripts add to it; its content needs none. */
export const toDocument = ({ title, main, layout, build, files, ...header }: PageParts): string => {
  const { root, current } = header;
  return markup`<!doctype html>
<html lang="en" data-build="${build}" data-root="${root}"${files === undefined ? undefined : markup` data-tab="${files.tab}"`}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${current === "home" ? title : `${title} – penknife`}</title>
${files === undefined ? markup`<link rel="icon" href="data:,">` : loading(root, files)}
</head>
<body data-layout="${layout}">
${files && asMarkup(files.sprite)}<a class="skip" href="#main">Skip to the content</a>
${toHeader(header)}
<noscript><p class="notice">JavaScript is off: this page cannot copy examples or notice an upgrade of the server. The API needs
none; <a href="${root}openapi.json">openapi.json</a> and <a href="${root}llms.txt">llms.txt</a> describe it.</p></noscript>
<div id="update" role="status"></div>
<main id="main" tabindex="-1">
${main}
</main>
</body>
</html>
`.html;
};

/** The header is drawn whole: a browser may draw what it has of a page, and the parts of the header would move. */
const loading = (root: string, { early, script, preload, style, icon }: PageFiles): Markup =>
  markup`<link rel="expect" href="#main" blocking="render">
<link rel="icon" type="image/svg+xml" href="${root}web/${icon}">
<link rel="stylesheet" href="${root}web/${style}">
<script src="${root}web/${early}"></script>
<script type="module" src="${root}web/${script}"></script>
${preload.map((name) => markup`<link rel="modulepreload" href="${root}web/${name}">`)}`;
