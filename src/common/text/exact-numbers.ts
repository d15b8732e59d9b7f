const PARTS = /^[+-]?(\d*)\.?(\d*)(?:e([+-]?\d+))?$/i;
/** The largest number has 309 digits, the smallest one 340 characters. */
const MAX_LENGTH = 400;
const MAX_DIGITS = 17;
/** Fewer digits without an exponent are always kept. */
const SUSPECT = /\d[\d.]{15}|\d[eE]/;
const TOKENS = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.eE+-]*/g;
const INFINITE = '1e999';

/** True if the number that JavaScript makes of a decimal one has the same digits: not that of `9007199254740993`. */
export function isExact(decimal: string): boolean {
  const digits = digitsOf(decimal);
  const length = digits?.indexOf(' ') ?? 0;
  if (digits === null || length > MAX_DIGITS) return false;
  return digits === digitsOf(Number(decimal).toPrecision(Math.max(length, 1)));
}

/** `JSON.parse`, where a number that would be rounded becomes infinity, which `unsafeValues` refuses with its place. */
export function exactJson(text: string): unknown {
  const value: unknown = JSON.parse(text);
  if (!SUSPECT.test(text)) return value;
  const marked = text.replace(TOKENS, (token) => (token.startsWith('"') || isExact(token) ? token : INFINITE));
  return marked === text ? value : JSON.parse(marked);
}

/** `'-12.50'` -> `'125 -1'`; `null`: no decimal number. */
function digitsOf(decimal: string): string | null {
  const [, whole = '', fraction = '', exponent = '0'] = PARTS.exec(decimal) ?? [];
  if (decimal.length > MAX_LENGTH || whole + fraction === '') return null;
  const digits = (whole + fraction).replace(/^0+/, '');
  const kept = digits.replace(/0+$/, '');
  return kept === '' ? '0' : `${kept} ${Number(exponent) - fraction.length + digits.length - kept.length}`;
}
