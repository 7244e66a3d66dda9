import type { BlockRun, ToolResult } from "../catalog/tool.ts";

/** Makes a run over blocks of a digest, if the document is the bytes themselves. */
export function createDigestRun<State extends { update(bytes: Uint8Array): unknown }>(
  dataEncoding: string,
  open: () => State,
  close: (state: State) => ToolResult,
): BlockRun | undefined {
  if (dataEncoding !== "utf8") return undefined;
  const state = open();
  return {
    write(block) {
      state.update(block);
      return [];
    },
    end: () => close(state),
  };
}
