import type { Field } from '../../model.js';
import { jsonText, readJson } from './kinds/json-text.js';
import { localText, readMoment } from './kinds/moment-text.js';
import { readLine, readNumber, readText, type Reading } from './kinds/reading.js';

/** The inputs that there are: `field-input.tsx` draws them. */
export type InputName = 'line' | 'long' | 'moment' | 'choice' | 'json' | 'list' | 'relation' | 'shown';

/** The way to edit a kind of field. */
export interface FieldEntry {
  readonly input: InputName;
  /** True if it wants the width of the page. */
  readonly isWide: boolean;
  /** Attributes of the browser's input. */
  readonly html?: { readonly type?: string; readonly inputMode?: 'numeric' | 'decimal' | 'email' | 'url' };
  /** The most characters of a value that says nothing else; absent: it has no characters to count. */
  readonly longest?: number;
  /** The text for a value. */
  readonly text: (value: unknown) => string;
  /**
   * Reads a text as a value. A reason is one for which the service would not even keep it.
   *
   * @param known values that have stood in the input, one of which the text may be
   */
  readonly read: (text: string, field: Rules, known?: readonly unknown[]) => Reading;
}

/** The rules of a field that reading a text needs. */
type Rules = Pick<Field, 'max_length'>;

const LINE = 255;
const LONG = 500_000;
const ADDRESS = 254;
const LINK = 2_000;

const plainText = (value: unknown): string => {
  if (value === null || value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
};
/** Reading of inputs whose value is chosen, and not typed. */
const untyped = { text: plainText, read: (): Reading => ({ value: null }) };

function lineOf(longest: number, html: FieldEntry['html'] = {}): FieldEntry {
  const read: FieldEntry['read'] = (text, { max_length: most = longest }) => readLine(text, most);
  return { input: 'line', isWide: false, html, longest, text: plainText, read };
}

/** An address, which has no blanks around it. */
function addressOf(longest: number, kind: 'email' | 'url'): FieldEntry {
  const line = lineOf(longest, { type: kind, inputMode: kind });
  return { ...line, read: (text, field) => line.read(text.trim(), field) };
}

function numberOf(isWhole: boolean): FieldEntry {
  const html = { inputMode: isWhole ? 'numeric' : 'decimal' } as const;
  return { input: 'line', isWide: false, html, text: plainText, read: (text) => readNumber(text, isWhole) };
}

function choiceOf(read: (text: string) => unknown): FieldEntry {
  const readChoice = (text: string): Reading => ({ value: text === '' ? null : read(text) });
  return { input: 'choice', isWide: false, text: plainText, read: readChoice };
}

const long: FieldEntry = {
  input: 'long',
  isWide: true,
  longest: LONG,
  text: plainText,
  read: (text, { max_length: most = LONG }) => readText(text, most),
};

/**
 * The inputs for all kinds of fields: a new kind is an entry here, and a part of its own only if it is like
 * no other. `test/console/field-registry.spec.ts` fails when the service has a kind that is missing.
 */
export const FIELD_ENTRIES = {
  string: lineOf(LINE),
  text: long,
  markdown: long,
  html: long,
  integer: numberOf(true),
  number: numberOf(false),
  boolean: choiceOf((text) => text === 'true'),
  date: { ...lineOf(LINE, { type: 'date' }), longest: undefined },
  datetime: { input: 'moment', isWide: false, text: momentText, read: (text, _, known) => readMoment(text, known) },
  email: addressOf(ADDRESS, 'email'),
  url: addressOf(LINK, 'url'),
  enum: choiceOf((text) => text),
  json: { input: 'json', isWide: true, text: jsonText, read: readJson },
  list: { input: 'list', isWide: false, ...untyped },
  relation: { input: 'relation', isWide: false, ...untyped },
} as const satisfies Readonly<Record<string, FieldEntry>>;

/** A kind that only a later release knows: its values are shown. */
const UNKNOWN: FieldEntry = { input: 'shown', isWide: false, ...untyped };

const BY_NAME: ReadonlyMap<string, FieldEntry> = new Map(Object.entries(FIELD_ENTRIES));

export function entryOf(kind: string): FieldEntry {
  return BY_NAME.get(kind) ?? UNKNOWN;
}

/** The field that an item of a list is. */
export function itemField({ min_length: _least, max_length: _most, ...field }: Field): Field {
  return { ...field, type: field.of ?? 'string', required: false };
}

/** Reads the parts that every record has. */
export const BUILT_IN = {
  title: (text: string) => readLine(text, LINE),
  slug: (text: string) => readLine(text, 191),
  body: (text: string) => readText(text, 1_000_000),
} as const;

function momentText(value: unknown): string {
  return typeof value === 'string' ? localText(value) : '';
}
