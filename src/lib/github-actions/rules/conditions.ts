import type { Expressions, Place } from "../check-expressions.ts";
import type { Parsed } from "../expression.ts";
import { findExpressions } from "../expression.ts";

/** Reports conditions that are always the same. */
export function checkCondition({ node }: Place, parsed: Parsed | undefined, { report }: Expressions): void {
  const [first, second] = findExpressions(node.text);
  if (first !== undefined) {
    const around = node.text.slice(0, first.from - 3) + node.text.slice(first.from + first.text.length + 2);
    if (second !== undefined || around !== "") {
      const what = around.trim() === "" ? "a line end or space" : "text";
      const advice =
        second === undefined && around.trim() === ""
          ? "write the condition on one line"
          : "put all of it between the braces";
      report(
        "constant-condition",
        node,
        `This condition is always true, because it has ${what} beside \${{ }}; ${advice}.`,
      );
      return;
    }
  }
  if (parsed?.constant === true && !/^\s*(?:\$\{\{)?\s*(?:true|false)\s*(?:\}\})?\s*$/.test(node.text))
    report("constant-condition", node, "This condition is always the same, because nothing in it varies.", {
      severity: "warning",
    });
}
