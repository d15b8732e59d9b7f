import { ValidationError, type Fault } from '../../../../common/errors/domain-error.js';

const FIELDS = ['code', 'state', 'error', 'user'] as const;
const MAX_LENGTH = 2_048;

/**
 * Where a browser goes that Apple has sent with a form: the same address, with GET. A form from another site comes
 * without our cookie, and this request of our own site has it.
 *
 * @throws {ValidationError} a field is no text, was sent twice or is too long
 */
export function callbackAddress(form: unknown): string {
  const fields = typeof form === 'object' && form !== null ? new Map<string, unknown>(Object.entries(form)) : new Map();
  const sent = FIELDS.filter((name) => fields.has(name)).map((name) => [name, fields.get(name)] as const);
  const faults = sent.flatMap(([name, value]) => (isShortText(value) ? [] : [fault(name)]));
  if (faults.length > 0) throw new ValidationError(faults);
  return `/api/auth/apple/callback?${new URLSearchParams(Object.fromEntries(sent) as Record<string, string>).toString()}`;
}

function isShortText(value: unknown): boolean {
  return typeof value === 'string' && value.length <= MAX_LENGTH;
}

function fault(field: string): Fault {
  return { field, rule: 'string', message: `${field} must be one text of at most ${MAX_LENGTH} characters.` };
}
