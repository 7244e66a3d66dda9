import { requirePackage } from "./installed.ts";

/** The metrics and labels that a query refers to. */
export interface Query {
  /** Syntax errors; empty if there are none. */
  faults: string[];
  selectors: { metric: string; matchers: { label: string; operator: string; value: string }[] }[];
  /** Labels of `by`, `on`, `group_left` and similar clauses. */
  grouping: string[];
}

interface Node {
  name: string;
  from: number;
  to: number;
  type: { isError: boolean };
  parent: Node | null;
  getChild(name: string): Node | null;
  getChildren(name: string): Node[];
}

interface Parser {
  parse(text: string): { iterate(spec: { enter(ref: { node: Node }): void }): void };
}

/** Functions that take a range (`[5m]`): the grammar accepts them without one, Prometheus does not. */
const ofRange = /^(?:rate|irate|increase|delta|idelta|deriv|changes|resets|predict_linear|\w+_over_time)$/;

/** Parses a query with the grammar of Prometheus's own editor, after substituting Grafana's variables. */
export function readQuery(text: string, variables: Record<string, string> = {}): Query {
  const { parser } = requirePackage<{ parser: Parser }>("@prometheus-io/lezer-promql");
  const query = Object.entries(variables).reduce(
    (so, [name, value]) => so.replaceAll(`$${name}`, value),
    text,
  );
  const textOf = (node: Node | null): string => (node === null ? "" : query.slice(node.from, node.to));
  const found: Query = { faults: [], selectors: [], grouping: [] };
  parser.parse(query).iterate({
    enter({ node }) {
      if (node.type.isError) found.faults.push(`at ${node.from}: ${query.slice(node.from, node.from + 20)}`);
      if (node.name === "VectorSelector") found.selectors.push(toSelector(node));
      if (node.name === "GroupingLabels") found.grouping.push(...node.getChildren("LabelName").map(textOf));
      if (node.name === "FunctionCall") {
        const name = textOf(node.getChild("FunctionIdentifier"));
        const body = node.getChild("FunctionCallBody");
        const ranged = body?.getChild("MatrixSelector") != null || body?.getChild("SubqueryExpr") != null;
        if (ofRange.test(name) !== ranged) found.faults.push(`${name} of ${textOf(body)}`);
      }
    },
  });
  if (/\$\w/.test(query)) found.faults.push(`a variable that is not defined: ${query}`);
  return found;

  function toSelector(node: Node): Query["selectors"][number] {
    const matchers = node.getChild("LabelMatchers")?.getChildren("UnquotedLabelMatcher") ?? [];
    return {
      metric: textOf(node.getChild("Identifier")),
      matchers: matchers.map((one) => ({
        label: textOf(one.getChild("LabelName")),
        operator: textOf(one.getChild("MatchOp")),
        value: textOf(one.getChild("StringLiteral")).slice(1, -1),
      })),
    };
  }
}
