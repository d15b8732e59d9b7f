import { MAX_FAULTS, type Fault } from '../errors/domain-error.js';

const MAX_DEPTH = 32;
/** Longer names of places are cut: each fault repeats its own. */
const MAX_PLACE_LENGTH = 200;
const FORBIDDEN_KEYS = new Set(['__proto__', 'constructor', 'prototype']);

/** What no field of any record may hold, wherever it stands in a body: as many places as an answer names. */
export function unsafeValues(value: unknown): Fault[] {
  const walk = new Walk();
  walk.value(value, 1);
  return walk.faults;
}

/** One pass over all values. The name of a place is put together for a fault only: a body may hold 100,000 of them. */
class Walk {
  readonly faults: Fault[] = [];
  /** Keys from the body to the value that is looked at. */
  private readonly place: (string | number)[] = [];

  value(value: unknown, depth: number): void {
    if (typeof value === 'string') this.text(value);
    else if (typeof value === 'number') this.number(value);
    else if (typeof value === 'object' && value !== null) this.container(value, depth);
  }

  private container(container: object, depth: number): void {
    if (depth > MAX_DEPTH) this.fault('depth', () => `The body is nested deeper than ${MAX_DEPTH} levels.`);
    else if (Array.isArray(container)) this.list(container, depth);
    else this.object(container as Readonly<Record<string, unknown>>, depth);
  }

  private list(list: readonly unknown[], depth: number): void {
    for (let index = 0; index < list.length && this.faults.length < MAX_FAULTS; index += 1) {
      this.place.push(index);
      this.value(list[index], depth + 1);
      this.place.pop();
    }
  }

  private object(object: Readonly<Record<string, unknown>>, depth: number): void {
    for (const key of Object.keys(object)) {
      if (this.faults.length >= MAX_FAULTS) return;
      this.place.push(key);
      if (FORBIDDEN_KEYS.has(key)) this.fault('forbidden_key', () => `The key "${key}" is not allowed.`);
      else {
        this.text(key);
        this.value(object[key], depth + 1);
      }
      this.place.pop();
    }
  }

  private text(text: string): void {
    if (text.includes('\u0000')) this.fault('nul', (name) => `${name || 'The body'} must not contain NUL characters.`);
    else if (!text.isWellFormed())
      this.fault('unicode', (name) => `${name || 'The body'} holds half of a surrogate pair.`);
  }

  private number(number: number): void {
    // As infinity is read what cannot be kept: `1e400`, or more digits than fit (`exactJson`).
    if (Number.isFinite(number)) return;
    this.fault(
      'number',
      (name) => `${name} cannot be kept exactly: 15 to 17 digits of a number fit. Send fewer, or a text.`,
    );
  }

  private fault(rule: string, messageOf: (field: string) => string): void {
    const field = this.place.map(String).reduce(placeOf, '');
    this.faults.push({ field, rule, message: messageOf(field) });
  }
}

function placeOf(parent: string, key: string): string {
  const place = parent === '' ? key : `${parent}.${key}`;
  return place.length <= MAX_PLACE_LENGTH ? place : `${place.slice(0, MAX_PLACE_LENGTH).toWellFormed()}…`;
}
