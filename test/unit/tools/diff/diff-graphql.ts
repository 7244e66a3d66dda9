import tool from "../../../../src/tools/diff/graphql-differ.ts";
import { runTool } from "../run-tool.ts";

interface Change {
  impact: string;
  rule: string;
  message: string;
  coordinate: string;
  in: string;
  line: number;
  column: number;
}

export const diff = async (data: string, other: string): Promise<Change[]> =>
  JSON.parse(await runTool(tool, { data, other })) as Change[];
