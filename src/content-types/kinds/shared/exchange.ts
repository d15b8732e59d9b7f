/** `5` -> `'5'`; a text stays as it is, and what is neither is left to the schema. */
export function fromText(value: unknown): unknown {
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : value;
}

/** {@link fromText}, without the spaces around it: `' a '` -> `'a'`; spaces alone stay. */
export function fromPlainValue(value: unknown): unknown {
  return typeof value === 'string' ? trimmed(value) : fromText(value);
}

/** Reads texts, without the spaces around them; numbers and booleans stay what they are. */
export function readingTexts(read: (text: string) => unknown): (value: unknown) => unknown {
  return (value) => (typeof value === 'string' ? read(trimmed(value)) : value);
}

function trimmed(text: string): string {
  return text.trim() === '' ? text : text.trim();
}

/** A reference is its id; what has no shorter form is JSON. */
export function plainCell(value: unknown): unknown {
  if (typeof value === 'boolean') return String(value);
  if (typeof value !== 'object' || value === null) return value;
  const { id, type } = value as { id?: unknown; type?: unknown };
  return typeof id === 'number' && typeof type === 'string' ? String(id) : JSON.stringify(value);
}
