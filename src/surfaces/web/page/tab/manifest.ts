/** The facts that the build records about the tools that run in a tab; config/build/tab.ts writes it. */
export interface Manifest {
  /** The file of the worker. */
  loader: string;
  /** The script that the worker runs. */
  entry: string;
  /** Every script, with those that it requires. The file of a script is `<name>.js`. */
  requirements: Readonly<Record<string, readonly string[]>>;
  /** By tool that can run in a tab, its script, and globals that browsers may lack. */
  tools: Readonly<Record<string, { script: string; needs?: readonly string[] }>>;
}

/** Returns a script and all that it requires. */
export function withRequired(
  { requirements }: Manifest,
  name: string,
  found = new Set<string>(),
): Set<string> {
  if (found.has(name)) return found;
  found.add(name);
  for (const required of requirements[name] ?? [])
    withRequired({ requirements } as Manifest, required, found);
  return found;
}
