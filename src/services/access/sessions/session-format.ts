/**
 * What a settings session is known by, as a bearer token: made like a key (`key-format.ts`), and never one, whose
 * parser it does not reach.
 */
export const sessionPrefix = "svc_sess_";
