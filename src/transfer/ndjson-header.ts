/** What the first line of an NDJSON file says. */
export const NDJSON_HEADER = { kind: 'header', format: 'cms-ndjson', version: 1 } as const;
