/** The variable parts of the page. */
export interface PageParts {
  /** Relative path from the page to its siblings; a proxy may have put any prefix before it. */
  beside: string;
  /** Names of the script and the style sheet. */
  script: string;
  style: string;
  introspection: boolean;
}

/** The page of GraphiQL; config/build/graphiql/app.js reads `data-introspection`. */
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

/** Shown in a source tree; an executable always has the files. */
export const unbuiltPage: string = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>GraphiQL – penknife</title><link rel="icon" href="data:,"></head>
<body><p>GraphiQL is not built in this source tree. Run <code>make build</code>, then start the server again.</p></body>
</html>
`;
