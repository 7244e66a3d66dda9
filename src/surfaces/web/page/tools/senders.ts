/** A page with a result, which can be handed to another tool. */
export interface Sender {
  /** The tool that made it. */
  slug: string;
  /** Whether the page is shown and has a result: pages that a person may go back to stay in memory. */
  isReady(): boolean;
  /** Opens a tool with the result as its document. */
  send(slug: string): void;
}

const senders = new Set<Sender>();

/** Returns a function that removes the sender. */
export function addSender(sender: Sender): () => void {
  senders.add(sender);
  return () => void senders.delete(sender);
}

/** Returns the sender of the page that is shown; undefined if there is no result. */
export const findSender = (): Sender | undefined => [...senders].find((one) => one.isReady());
