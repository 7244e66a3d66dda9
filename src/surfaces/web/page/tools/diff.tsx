import type { JSX } from "preact";

/** Lines of a difference, coloured by what they begin with. The sign itself says the same without colours. */
export const Diff = ({ text }: { text: string }): JSX.Element => (
  <>
    {text.split(/(?<=\n)/).map((line, index) => (
      <span class={classes[line[0] ?? ""]} key={index}>
        {line}
      </span>
    ))}
  </>
);

const classes: Readonly<Record<string, string>> = { "+": "added", "-": "removed", "@": "hunk" };
