/**
 * What listhen uses of std-env: whether it runs at StackBlitz, for a link that we do not show. The real one asks for
 * `navigator` when it is loaded, and the modules behind that take a millisecond of each start.
 */
export const provider = "";
