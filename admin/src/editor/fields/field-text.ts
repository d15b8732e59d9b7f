/** A value of a text, or none. */
interface Parsed {
  readonly isValid: boolean;
  readonly value: unknown;
}

/** What stands in an input for a value of a kind. */
export function inputText(kind: string, value: unknown): string {
  if (value === null || value === undefined) return '';
  if (kind === 'datetime' && typeof value === 'string') return localTime(value);
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** The value that a text in an input stands for. An empty text is no value. */
export function valueOfText(kind: string, text: string): Parsed {
  if (text === '') return { isValid: true, value: null };
  if (kind === 'integer' || kind === 'number') return numberOf(text, kind);
  if (kind === 'boolean') return { isValid: true, value: text === 'true' };
  if (kind === 'datetime') return { isValid: true, value: new Date(text).toISOString() };
  return { isValid: true, value: text };
}

function numberOf(text: string, kind: string): Parsed {
  const number = Number(text.trim().replace(',', '.'));
  const isValid = text.trim() !== '' && (kind === 'integer' ? Number.isSafeInteger(number) : Number.isFinite(number));
  return { isValid, value: isValid ? number : undefined };
}

/** `2026-01-30T12:00:00.000Z` as an input of the browser has it, in the time of this device. */
function localTime(instant: string): string {
  const date = new Date(instant);
  const shifted = new Date(date.getTime() - date.getTimezoneOffset() * 60_000);
  return shifted.toISOString().slice(0, 16);
}
