import { words } from '../../../words.js';
import type { Reading } from './reading.js';

const t = words.editor.fields;
/** The value of an input of the browser. */
const LOCAL = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?$/;

/** `2026-01-30T12:00:07.000Z` as an input of the browser has it, in the time of this device: no second is lost. */
export function localText(instant: string): string {
  const at = new Date(instant);
  if (Number.isNaN(at.getTime())) return '';
  const day = [padded(at.getFullYear(), 4), padded(at.getMonth() + 1), padded(at.getDate())].join('-');
  const time = [at.getHours(), at.getMinutes()].map((n) => padded(n)).join(':');
  return `${day}T${time}${secondsOf(at)}`;
}

/**
 * Reads what an input of the browser has as a moment.
 *
 * @param known instants that have stood in the input: when the clock goes back an hour comes twice, each of them stays, and
 *   what is corrected stays in the hour of the first one
 */
export function readMoment(text: string, known: readonly unknown[] = []): Reading {
  if (text === '') return { value: null };
  const same = known.find((one) => typeof one === 'string' && localText(one) === text);
  return same === undefined ? readTyped(text, known[0]) : { value: same };
}

function readTyped(text: string, former: unknown): Reading {
  const at = correctionOf(text, former) ?? new Date(text);
  // Browsers let people type years of five digits.
  if (Number.isNaN(at.getTime()) || !/^\d{4}-/.test(text)) return { fault: t.notComplete };
  const value = at.toISOString();
  if (!/^\d{4}-/.test(value)) return { fault: t.outOfYears };
  return isSkipped(text, value) ? { fault: t.skippedTime } : { value };
}

/** The moment that a text is if the offset of a former one still holds then; `undefined`: it does not, or there is none. */
function correctionOf(text: string, former: unknown): Date | undefined {
  if (typeof former !== 'string' || !LOCAL.test(text)) return undefined;
  const at = new Date(Date.parse(former) + Date.parse(`${text}Z`) - Date.parse(`${localText(former)}Z`));
  const isSame = !Number.isNaN(at.getTime()) && isRead(text, at.toISOString());
  return isSame ? at : undefined;
}

/** Tells whether a time is left out by the clock, which goes forward over it: it would be read as another one. */
function isSkipped(text: string, instant: string): boolean {
  return LOCAL.test(text) && !isRead(text, instant);
}

function isRead(text: string, instant: string): boolean {
  return Date.parse(`${localText(instant)}Z`) === Date.parse(`${text}Z`);
}

/** Steps of an input in seconds, so that it shows what a moment has, and no more. */
export function stepOf(text: string): number {
  if (/\.\d/.test(text)) return 0.001;
  return /T\d\d:\d\d:/.test(text) ? 1 : 60;
}

function secondsOf(at: Date): string {
  const [seconds, thousandths] = [at.getSeconds(), at.getMilliseconds()];
  if (thousandths > 0) return `:${padded(seconds)}.${padded(thousandths, 3)}`;
  return seconds > 0 ? `:${padded(seconds)}` : '';
}

function padded(n: number, length = 2): string {
  return String(n).padStart(length, '0');
}
