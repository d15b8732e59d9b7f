import type { Field } from '../../model.js';
import { words } from '../../words.js';
import { entryOf } from './registry.js';

const t = words.editor.fields;
const DAY = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: 'UTC' });
const MOMENT = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' });

/** Texts below the name of a field before anything is wrong with it: its purpose, then its rules without its pattern. */
export function hintsOf(field: Field): string[] {
  const own = field.description === undefined || field.description === '' ? [] : [field.description];
  return [...own, ...rulesOf(field)];
}

function rulesOf(field: Field): string[] {
  const range = rangeOf(field.of ?? field.type, field);
  const format = (field.of ?? field.type) === 'url' && field.pattern === undefined ? t.url : '';
  const rules = [countOf(field), range, format, field.unique === true ? t.unique : ''];
  return rules.filter((rule) => rule !== '');
}

/** The allowed number of items or characters. */
function countOf({ type, many, min_length: least, max_length: most }: Field): string {
  if (type === 'relation' && many !== true) return '';
  return type === 'list' || type === 'relation' ? t.items(least, most) : t.characters(least, most);
}

function rangeOf(kind: string, { min, max }: Field): string {
  const shown = (limit: number | string) => {
    if (typeof limit === 'number') return limit.toLocaleString('en');
    return (kind === 'date' ? DAY : MOMENT).format(new Date(limit));
  };
  if (min === undefined && max === undefined) return '';
  const say = typeof (min ?? max) === 'number' ? t.range : t.time;
  return say(min === undefined ? null : shown(min), max === undefined ? null : shown(max));
}

/** The rest of the characters of a text; `null`: no need to mention it. */
export function leftOf(field: Field, length: number): string | null {
  const { longest } = entryOf(field.type);
  const most = field.max_length ?? longest;
  if (most === undefined || longest === undefined) return null;
  const isNear = length > most * 0.9;
  return field.max_length !== undefined || isNear ? t.count(length, most) : null;
}

/** Tells whether one item more is too many. */
export function isFull({ type, many, max_length: most = 1_000 }: Field, items: number): boolean {
  const isOne = type === 'relation' && many !== true;
  return items >= (isOne ? 1 : most);
}
