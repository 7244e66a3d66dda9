/** Prefix of a session token, which otherwise has the form of a key (`key-format.ts`) but is never accepted as one. */
export const sessionPrefix = "svc_sess_";
