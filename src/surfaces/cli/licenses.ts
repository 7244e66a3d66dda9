import { defineLeaf } from "./command.ts";
import { usageError } from "./usage-error.ts";

export const licensesCommand = defineLeaf({
  description: "Print the licences of everything in this executable.",
  async run(_args, { program, stdout }) {
    const text = await program.licenses();
    if (text === undefined)
      throw usageError("A source tree has no licence text; run this with the built executable.");
    await stdout.write(text);
  },
});
