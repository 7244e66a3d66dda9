/** Admission without metrics and usage. */
export const unobserved = { metrics: { limit: () => {} }, usage: { limited: () => {} } };
