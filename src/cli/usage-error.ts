/** The command line does not say what to do; its message says how it would. */
export class UsageError extends Error {}
