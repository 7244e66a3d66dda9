import { defineLeaf } from "./command.ts";
import { usageError } from "./usage-error.ts";

export const licensesCommand = defineLeaf({
  description: "Print the licences of everything that is inside this executable.",
  async run(_args, { program, stdout }) {
    const text = await program.licenses();
    if (text === undefined) throw usageError("The licences are gathered by the build: ask the executable.");
    await stdout.write(text);
  },
});
