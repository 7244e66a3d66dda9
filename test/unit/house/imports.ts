/** An import of a source file: its specifier, and whether it imports types only. */
export interface Import {
  from: string;
  typeOnly: boolean;
}

/** Static and dynamic imports and re-exports of TypeScript source. Comments are removed first; specifiers are always literals here. */
export function readImports(source: string): Import[] {
  const code = withoutComments(source);
  const statement =
    /(?:^|[;}\n])\s*(?:import|export)\s+(?:(type)\s)?(?:[\w*${}\s,]+?\sfrom\s*)?["']([^"'\n]+)["']/g;
  const dynamic = /\b(?:import|require|getBuiltinModule)\s*\(\s*(?:new URL\(\s*)?["'`]([^"'`\n]+)["'`]/g;
  return [
    ...[...code.matchAll(statement)].map(([, type, from = ""]) => ({ from, typeOnly: type !== undefined })),
    ...[...code.matchAll(dynamic)].map(([, from = ""]) => ({ from, typeOnly: false })),
  ];
}

const literalOrComment =
  /("(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`)|\/\*[\s\S]*?\*\/|\/\/[^\n]*/g;

/** The source with its comments blanked, strings and templates left alone. */
export const withoutComments = (source: string): string =>
  source.replace(literalOrComment, (_, literal: string | undefined) => literal ?? " ");

export const commentsOf = (source: string): string[] =>
  [...source.matchAll(literalOrComment)].filter(([, literal]) => literal === undefined).map(([text]) => text);
