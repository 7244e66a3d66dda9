/** What a settings session is known by, as a bearer token; never a key (`key-format.ts`), whose parser it does not reach. */
export const sessionPrefix = "svc_sess_";
