import type { Field } from '../../../model.js';
import { words } from '../../../words.js';
import { entryOf } from '../registry.js';
import type { Reading } from './reading.js';

/** The texts of the items of a list. */
export function textsOf(value: unknown, item: Field): readonly string[] {
  const { text } = entryOf(item.type);
  return Array.isArray(value) ? value.map((one) => text(one)) : [];
}

interface ListReading {
  /** The name of the list in a fault; empty: it is about the only item. */
  readonly label: string;
  /** The values that the list began with. */
  readonly known: readonly unknown[];
}

/** Reads the items of a list; those without a text are none yet. */
export function readItems(texts: readonly string[], item: Field, { label, known }: ListReading): Reading {
  const { read, text: textOf } = entryOf(item.type);
  const formers = formersOf(texts, known, textOf);
  const values: unknown[] = [];
  for (const [at, text] of texts.entries()) {
    const reading = read(text, item, [formers[at]]);
    if (reading.fault !== undefined) {
      return {
        fault: label === '' ? reading.fault : `${words.editor.fields.nthItem(label, at + 1)}: ${reading.fault}`,
      };
    }
    if (reading.value !== null) values.push(reading.value);
  }
  return { value: values.length === 0 ? null : values };
}

/** The former value of each item: the value at its place if it looks the same, another one like it, or the one at its place. */
function formersOf(texts: readonly string[], known: readonly unknown[], textOf: (value: unknown) => string): unknown[] {
  const shown = known.map((value) => textOf(value));
  const left = new Set([...shown.keys()].filter((at) => shown[at] !== texts[at]));
  return texts.map((text, at) => {
    if (shown[at] === text) return known[at];
    const place = [...left].find((one) => shown[one] === text) ?? at;
    return left.delete(place) ? known[place] : undefined;
  });
}

/** The place in the value of what stands at a place in the form. */
export function valueIndexOf(texts: readonly string[], at: number): number {
  return texts.slice(0, at).filter((text) => text !== '').length;
}

/** Lines of a pasted text that are not blank. */
export function linesOf(text: string): string[] {
  return text
    .split(/\r\n|[\r\n]/)
    .map((line) => line.trim())
    .filter((line) => line !== '');
}
