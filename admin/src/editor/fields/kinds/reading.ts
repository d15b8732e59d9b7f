import { words } from '../../../words.js';

const t = words.editor.fields;

/** The value that a text in an input stands for, or the reason why it can be none. */
export type Reading = { readonly value: unknown; readonly fault?: undefined } | { readonly fault: string };

/** Characters that a service takes in no text of one line. */
const CONTROLS = /[\x00-\x08\x0b\x0c\x0e-\x1f]/;
/** Digits that every number keeps. */
const KEPT_DIGITS = 15;

const DECIMAL = /^[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?$/i;
const WHOLE = /^[-+]?\d+(?:\.0*)?$/;
/** A number that is a thousand in some languages, and a fraction in others. */
const THOUSANDS = /^[-+]?[1-9]\d{0,2},\d{3}$/;

/** Characters as the service counts them, so that an emoji is one. */
export function lengthOf(text: string): number {
  // Without an array for each of half a million characters.
  return text.length - (text.match(/[\ud800-\udbff][\udc00-\udfff]/g)?.length ?? 0);
}

/** Reads a text that has at most so many characters. */
export function readText(text: string, most: number): Reading {
  if (text === '') return { value: null };
  const surplus = lengthOf(text) - most;
  return surplus > 0 ? { fault: t.tooLong(surplus, most) } : { value: text };
}

/** Reads a text that stands on one line. */
export function readLine(text: string, most: number): Reading {
  return CONTROLS.test(text) ? { fault: t.controls } : readText(text, most);
}

/** Reads a number, with a point or a comma. None is rounded unseen. */
export function readNumber(text: string, isWhole: boolean): Reading {
  if (text === '') return { value: null };
  const typed = text.trim();
  const plain = typed.replace(',', '.');
  if (THOUSANDS.test(typed)) return { fault: t.ambiguous(typed.replace(',', ''), plain) };
  if (!DECIMAL.test(plain)) return { fault: t.mustBeNumber };
  if (isWhole && !WHOLE.test(plain)) return { fault: t.mustBeWhole };
  return readDecimal(plain, isWhole);
}

function readDecimal(text: string, isWhole: boolean): Reading {
  const number = Number(text);
  const isTooLarge = isWhole ? !Number.isSafeInteger(number) : !Number.isFinite(number);
  if (isTooLarge) return { fault: t.tooLarge };
  return isExact(text) ? { value: number + 0 } : { fault: t.tooManyDigits };
}

/** Tells whether a number has no more digits than are kept, and is not taken for nothing. */
export function isExact(text: string): boolean {
  const sent = digitsOf(text);
  if (sent !== '' && Number(text) === 0) return false;
  return sent.length <= KEPT_DIGITS || sent === digitsOf(String(Number(text)));
}

/** `-0.01230e5` -> `123` */
function digitsOf(text: string): string {
  return text
    .replace(/e.*$/i, '')
    .replace(/\D/g, '')
    .replace(/^0+|0+$/g, '');
}
