import { words } from '../../../words.js';
import type { Reading } from './reading.js';

/** `2026-01-30T12:00:07.000Z` as an input of the browser has it, in the time of this device: no second is lost. */
export function localText(instant: string): string {
  const at = new Date(instant);
  if (Number.isNaN(at.getTime())) return '';
  const day = [padded(at.getFullYear(), 4), padded(at.getMonth() + 1), padded(at.getDate())].join('-');
  const time = [at.getHours(), at.getMinutes()].map((n) => padded(n)).join(':');
  return `${day}T${time}${secondsOf(at)}`;
}

/** Reads what an input of the browser has as a moment. */
export function readMoment(text: string): Reading {
  if (text === '') return { value: null };
  const at = new Date(text);
  // Browsers let people type years of five digits.
  return Number.isNaN(at.getTime()) || !/^\d{4}-/.test(text)
    ? { fault: words.editor.fields.notComplete }
    : { value: at.toISOString() };
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
