import { append } from "../append.ts";
import type {
  ArgumentNode,
  ASTNode,
  DirectiveNode,
  DocumentNode,
  InputValueDefinitionNode,
  NamedTypeNode,
  OperationDefinitionNode,
  SelectionSetNode,
  StringValueNode,
} from "graphql";
import { DocumentFault } from "../fault.ts";
import { type Comments, readComments } from "./comments.ts";
import { type Graphql, parseDocument } from "./problem.ts";

export interface GraphqlLayout {
  /** Spaces per level. */
  indent: number;
  /** Width beyond which arguments, members of unions and locations of directives get lines of their own. */
  width: number;
}

/**
 * Lays out a document anew, one definition, selection, field or value a line. Comments, descriptions and single blank lines
 * between the parts of a block are kept. A comment within a line moves before it.
 * @throws DocumentFault if it is not GraphQL.
 */
export function formatGraphql(graphql: Graphql, text: string, layout: GraphqlLayout): string {
  const document = parseDocument(graphql, text);
  if (!("kind" in document)) {
    const [first] = document;
    throw new DocumentFault(first?.message ?? "", { index: first?.index ?? 0 });
  }
  try {
    return createPrinter(graphql, readComments(document, text), layout)(document);
  } catch (error) {
    if (error instanceof RangeError) throw new DocumentFault("The document is nested too deeply.");
    throw error;
  }
}

/** The parts of definitions that have any of them; the types of the library have one for each kind. */
interface Parts {
  description?: StringValueNode | undefined;
  name?: { value: string } | undefined;
  arguments?: readonly (ArgumentNode | InputValueDefinitionNode)[] | undefined;
  variableDefinitions?: readonly ASTNode[] | undefined;
  directives?: readonly DirectiveNode[] | undefined;
  interfaces?: readonly NamedTypeNode[] | undefined;
  fields?: readonly ASTNode[] | undefined;
  values?: readonly ASTNode[] | undefined;
  types?: readonly NamedTypeNode[] | undefined;
  operationTypes?: readonly ASTNode[] | undefined;
}

const words: Readonly<Record<string, string>> = {
  ScalarType: "scalar",
  ObjectType: "type",
  InterfaceType: "interface",
  UnionType: "union",
  EnumType: "enum",
  InputObjectType: "input",
  Schema: "schema",
};

function createPrinter(
  graphql: Graphql,
  comments: Comments,
  { indent, width }: GraphqlLayout,
): (document: DocumentNode) => string {
  const { print } = graphql;
  const space = " ".repeat(indent);
  const deeper = (lines: readonly string[]): string[] =>
    lines.map((line) => (line === "" ? line : space + line));
  const linesOf = (node: ASTNode): string[] => print(node).split("\n");

  /** Writes items on lines of their own, with the comments before and behind them. */
  function block(items: readonly ASTNode[], end: number, depth: number): string[] {
    const lines: string[] = [];
    for (const item of items) {
      const before = comments.takeBefore(item.loc?.start ?? 0);
      if (lines.length > 0 && comments.hasBlankLine(before[0]?.start ?? item.loc?.start ?? 0)) lines.push("");
      const written = write(item, depth);
      const within = comments.takeBefore(item.loc?.end ?? 0);
      append(lines, comments.linesOf([...before, ...within], item.loc?.start ?? 0), written);
      const behind = comments.takeBehind(item.loc?.end ?? 0);
      if (behind !== undefined) lines.push(`${lines.pop()} ${behind}`);
    }
    const last = comments.takeBefore(end);
    if (lines.length > 0 && last[0] !== undefined && comments.hasBlankLine(last[0].start)) lines.push("");
    return [...lines, ...comments.linesOf(last, end)];
  }

  /** Writes a head and a block in braces. */
  function withBlock(
    head: string[],
    items: readonly ASTNode[] | undefined,
    end: number,
    depth: number,
  ): string[] {
    if (items === undefined || items.length === 0) return head;
    // A comment behind the opening brace stays there.
    const behind = comments.takeBehindBrace(items[0]?.loc?.start ?? 0);
    const opened = [...head];
    const last = opened.pop() ?? "";
    opened.push(`${last === "" ? "" : `${last} `}{${behind === undefined ? "" : ` ${behind}`}`);
    return [...opened, ...deeper(block(items, end, depth + 1)), "}"];
  }

  const withSelections = (head: string, set: SelectionSetNode | undefined, depth: number): string[] =>
    withBlock(head.split("\n"), set?.selections, set?.loc?.end ?? 0, depth);

  /** Writes arguments on one line, or each on its own where they are too wide, have descriptions or comments. */
  function withArguments(
    head: string,
    list: readonly ASTNode[] | undefined,
    rest: string,
    depth: number,
  ): string[] {
    if (list === undefined || list.length === 0) return (head + rest).split("\n");
    const flat = `${head}(${list.map((one) => print(one)).join(", ")})${rest}`;
    const [first, last] = [list[0], list.at(-1)];
    const isPlain =
      !flat.includes("\n") && !list.some((one) => "description" in one && one.description !== undefined);
    if (
      isPlain &&
      flat.length + indent * depth <= width &&
      !comments.isBetween(first?.loc?.start ?? 0, last?.loc?.end ?? 0)
    )
      return [flat];
    const lines = deeper(block(list, comments.closing(last?.loc?.end ?? 0), depth + 1));
    return [`${head}(`, ...lines, ...`)${rest}`.split("\n")];
  }

  const directivesOf = ({ directives = [] }: Parts): string =>
    directives.map((one) => ` ${print(one)}`).join("");
  const described = ({ description }: Parts, lines: readonly string[]): string[] =>
    description === undefined ? [...lines] : [...linesOf(description), ...lines];

  function write(node: ASTNode, depth: number): string[] {
    const end = node.loc?.end ?? 0;
    if (node.kind === "Field") {
      const name = node.alias === undefined ? node.name.value : `${node.alias.value}: ${node.name.value}`;
      const head = withArguments(name, node.arguments, directivesOf(node), depth);
      return withSelections(head.join("\n"), node.selectionSet, depth);
    }
    if (node.kind === "InlineFragment") {
      const on = node.typeCondition === undefined ? "" : ` on ${node.typeCondition.name.value}`;
      return withSelections(`...${on}${directivesOf(node)}`, node.selectionSet, depth);
    }
    if (node.kind === "FragmentDefinition") {
      const { name, typeCondition } = node;
      const rest = ` on ${typeCondition.name.value}${directivesOf(node)}`;
      const head = withArguments(`fragment ${name.value}`, (node as Parts).variableDefinitions, rest, depth);
      return described(node, withSelections(head.join("\n"), node.selectionSet, depth));
    }
    if (node.kind === "OperationDefinition") {
      const { variableDefinitions = [] } = node;
      const directives = directivesOf(node);
      const head = operationHead(node, variableDefinitions.length > 0, directives !== "");
      const lines = withArguments(head, variableDefinitions, directives, depth);
      return described(node, withSelections(lines.join("\n"), node.selectionSet, depth));
    }
    if (node.kind === "FieldDefinition") {
      const rest = `: ${print(node.type)}${directivesOf(node)}`;
      return described(node, withArguments(node.name.value, node.arguments, rest, depth));
    }
    if (node.kind === "DirectiveDefinition") {
      const lines = withArguments(`directive @${node.name.value}`, node.arguments, "", depth);
      const head = `${lines.pop()}${directivesOf(node as Parts)}${node.repeatable ? " repeatable" : ""}`;
      const locations = node.locations.map(({ value }) => value);
      return described(node, [
        ...lines,
        ...withNames(`${head} on`, locations, width - indent * depth, space),
      ]);
    }
    const parts = node as Parts;
    const head = headOf(node.kind, parts);
    if (head === undefined) return linesOf(node);
    const full = head + directivesOf(parts);
    if (parts.types !== undefined && parts.types.length > 0)
      return described(
        parts,
        withNames(
          `${full} =`,
          parts.types.map(({ name }) => name.value),
          width - indent * depth,
          space,
        ),
      );
    const items = parts.fields ?? parts.values ?? parts.operationTypes;
    return described(parts, withBlock(full.split("\n"), items, end, depth));
  }

  return (document) => {
    const lines: string[] = [];
    for (const definition of document.definitions) {
      const start = definition.loc?.start ?? 0;
      const end = definition.loc?.end ?? 0;
      const before = comments.takeBefore(start);
      const written = write(definition, 0);
      const within = comments.takeBefore(end);
      if (lines.length > 0) lines.push("");
      append(lines, comments.linesOf([...before, ...within], start), written);
      const behind = comments.takeBehind(end);
      if (behind !== undefined) lines.push(`${lines.pop()} ${behind}`);
    }
    const last = comments.takeBefore(Infinity);
    if (lines.length > 0 && last.length > 0) lines.push("");
    append(lines, comments.linesOf(last, Infinity));
    return lines.length === 0 ? "" : `${lines.join("\n")}\n`;
  };
}

/** Writes the words before the directives of a definition of the type system, such as `extend type A implements B`. */
function headOf(kind: string, { name, interfaces = [] }: Parts): string | undefined {
  const word = words[kind.replace(/(?:Definition|Extension)$/, "")];
  if (word === undefined) return undefined;
  return [
    kind.endsWith("Extension") ? `extend ${word}` : word,
    ...(name === undefined ? [] : [name.value]),
    ...(interfaces.length === 0 ? [] : [`implements ${interfaces.map((one) => one.name.value).join(" & ")}`]),
  ].join(" ");
}

/** Writes names on one line of that width, or each on its own. */
function withNames(head: string, names: readonly string[], width: number, space: string): string[] {
  const flat = `${head} ${names.join(" | ")}`;
  return flat.length <= width ? [flat] : [head, ...names.map((name) => `${space}| ${name}`)];
}

/** Writes `query Name`; nothing for a query without a name and all else. */
function operationHead(
  { operation, name, description }: OperationDefinitionNode,
  hasVariables: boolean,
  hasDirectives: boolean,
): string {
  if (name !== undefined) return `${operation} ${name.value}`;
  const isShort = operation === "query" && description === undefined && !hasVariables && !hasDirectives;
  if (isShort) return "";
  return hasVariables ? `${operation} ` : operation;
}
