/** True for an object of JSON: neither a list nor `null`. */
export function isJsonObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * The object that a text is the JSON of; `null`: it is that of none. SQLite keeps what it is given, so that a column of
 * texts may hold bytes.
 */
export function jsonObject(text: unknown): Readonly<Record<string, unknown>> | null {
  if (typeof text !== 'string') return null;
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : null;
  } catch {
    return null;
  }
}
