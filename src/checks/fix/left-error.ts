/** A file is left as it is, for a reason that its owner can do something about. */
export class LeftError extends Error {}
