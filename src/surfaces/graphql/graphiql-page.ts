/** What differs between two pages. */
export interface PageParts {
  /** The way from the page to what is beside it, relative: a proxy may have put anything before its path. */
  beside: string;
  /** Names of the two files. */
  script: string;
  style: string;
  introspection: boolean;
}

/** The page that GraphiQL fills; config/build/graphiql/app.ts reads `data-introspection`. */
export const graphiqlPage = ({ beside, script, style, introspection }: PageParts): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>GraphiQL – penknife</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${beside}graphql/graphiql/${style}">
<script defer src="${beside}graphql/graphiql/${script}"></script>
</head>
<body>
<div id="graphiql" data-introspection="${introspection ? "on" : "off"}"></div>
<noscript>GraphiQL needs JavaScript. The schema is at <a href="${beside}graphql/schema.graphql">graphql/schema.graphql</a>.</noscript>
</body>
</html>
`;

/** In a source tree; an executable always has the files. */
export const unbuiltPage: string = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>GraphiQL – penknife</title><link rel="icon" href="data:,"></head>
<body><p>GraphiQL is not built in this source tree. Run <code>make build</code>, then start the server again.</p></body>
</html>
`;
