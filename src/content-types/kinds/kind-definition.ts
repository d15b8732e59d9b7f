import type { JsonSchema } from '../../common/schema/json-schema.js';
import { TEXTS, type Comparison } from './shared/comparisons.js';
import { fromPlainValue, plainCell } from './shared/exchange.js';
import { MAX_TEXT_LENGTH } from './shared/schemas.js';
import { plainTexts, type SearchText } from './shared/search-texts.js';

/** The rules of a field, apart from its identity. Which of them it can have is said by its kind. */
export interface FieldRules {
  readonly label: string;
  readonly description?: string;
  readonly required: boolean;
  /** Smallest and largest number, or earliest and latest date. */
  readonly min?: number | string;
  readonly max?: number | string;
  /** Characters of a text, or items of a list or of a relation to many. */
  readonly min_length?: number;
  readonly max_length?: number;
  /** Regular expression in RE2 syntax, matched anywhere unless it is anchored. */
  readonly pattern?: string;
  /** Choices of an `enum`. */
  readonly values?: readonly string[];
  /** Choices that a change has taken away, which records may still have. Set by the service. */
  readonly retired?: readonly string[];
  readonly default?: unknown;
  readonly unique: boolean;
  /** Filterable and sortable. */
  readonly indexed: boolean;
  readonly searchable: boolean;
  /** Kind of the items of a `list`. */
  readonly of?: string;
  /** Names of the types that a `relation` may point to. */
  readonly to?: readonly string[];
  /** True if a `relation` points to several records. */
  readonly many?: boolean;
}

/** A rule that only some kinds take. Every field has a label, a description and `required`. */
export type Rule = Exclude<keyof FieldRules, 'label' | 'description' | 'required' | 'retired'>;

/** The rules that decide, beside the kind, which others a field can have. */
type Shape = Partial<Pick<FieldRules, 'of' | 'many'>>;

/** The smallest and the largest value of a field. */
export interface Limits {
  /** Name of the kind whose values they are. */
  readonly kind: string;
  isLimit(limit: unknown): boolean;
  /** Limits compare as these numbers do. */
  ordinal(limit: number | string): number;
}

/** All that is particular to one kind of field. Everything else treats the fields of all kinds alike. */
export interface KindDefinition {
  /** True if the items of a list can be of this kind. */
  readonly isScalar: boolean;
  /** True if values point to records. Such fields always have rows in the side index. */
  readonly isReference: boolean;
  /** True if `min_length` and `max_length` count items, and not characters. */
  readonly countsItems: boolean;
  /** True if unique values that differ in case are one value. */
  readonly ignoresCase: boolean;
  /** True if a change of a value is shown as what was changed within its text. */
  readonly isProse: boolean;
  /** Names of other kinds as which every value of this kind can stand as it is. */
  readonly fitsInto: readonly string[];

  /** The name of the kind in messages, where its own does not say enough; `null`: the name does. */
  title(shape: Shape): string | null;
  /** Tells whether a field of this kind can have a rule. */
  takes(rule: string, shape: Shape): boolean;
  /** Rules that a field of this kind cannot do without. */
  needs(shape: Shape): readonly Rule[];
  /** The limits of `min` and `max`; `null`: the kind has neither. */
  limits(shape: Shape): Limits | null;

  /** JSON Schema of a value that is written. */
  schema(rules: FieldRules): JsonSchema;
  /** JSON Schema of a value that is read. It may be older than the rules: unless the kind says otherwise, none but its type hold. */
  answerSchema(rules: FieldRules): JsonSchema;
  /** The most characters that a value has, those of all items of a list together. */
  longestText(rules: Pick<FieldRules, 'max_length'>): number;
  /** The most items of a value; `undefined`: a value has no items. */
  maxItems(rules: Pick<FieldRules, 'many' | 'max_length'>): number | undefined;
  /** Tells whether a value, or an item of it, is a text without control characters. */
  isOneLine(shape: Shape): boolean;
  /** The form in which a text is checked and kept that may be sent in several; `null`: each text is one of its own. */
  canonical(shape: Shape): ((text: string) => string) | null;
  /** The one form in which a valid value is kept, so that equal values are equal texts. */
  normalise(value: unknown, rules: FieldRules): unknown;

  /** The way in which the side index holds a value, or an item of it, and filters compare it. */
  comparison(shape: Shape): Comparison;
  /** The texts that a value is found by. */
  searchTexts(value: unknown): readonly SearchText[];
  /** A value for the examples of the documentation; `undefined`: none can be made up. */
  sample(rules: FieldRules): unknown;

  /** The value, or an item of it, that a cell of a table means. What does not fit stays as it is, and is refused by the schema. */
  fromCell(text: string, shape: Shape): unknown;
  /** The same for a file whose values have kinds of their own, such as the head of a Markdown file. */
  fromValue(value: unknown, shape: Shape): unknown;
  /** The cell of a table for a value, or for an item of it. */
  toCell(value: unknown, shape: Shape): unknown;
}

type OwnParts = Pick<KindDefinition, 'takes' | 'schema' | 'sample'> & Partial<KindDefinition>;

/** A kind of which a list can have items. */
export type ScalarDefinition = KindDefinition & { readonly isScalar: true };

/** Values are kept as they are, compared as texts, and have neither limits nor items. */
const PLAIN: Omit<KindDefinition, 'takes' | 'schema' | 'answerSchema' | 'sample'> = {
  isScalar: false,
  isReference: false,
  countsItems: false,
  ignoresCase: false,
  isProse: false,
  fitsInto: [],
  title: () => null,
  needs: () => [],
  limits: () => null,
  longestText: ({ max_length: most }) => most ?? MAX_TEXT_LENGTH,
  maxItems: () => undefined,
  isOneLine: () => false,
  canonical: () => null,
  normalise: (value) => value,
  comparison: () => TEXTS,
  searchTexts: plainTexts,
  fromCell: fromPlainValue,
  fromValue: fromPlainValue,
  toCell: plainCell,
};

/** A kind that is plain in all that it does not say itself. */
export function defineKind(own: OwnParts): KindDefinition {
  return { ...PLAIN, answerSchema: (rules) => answered(own.schema(rules)), ...own };
}

/** Keywords that say what a value is, and not what it may be. */
const LASTING: ReadonlySet<string> = new Set(['type', 'format', 'items', 'properties', 'additionalProperties']);

function answered(schema: JsonSchema): JsonSchema {
  return Object.fromEntries(Object.entries(schema).filter(([key]) => LASTING.has(key)));
}

/** {@link defineKind}, for a kind of which a list can have items. */
export function defineScalar(own: OwnParts): ScalarDefinition {
  return { ...defineKind(own), isScalar: true };
}

/** Takes some rules in every field. */
export function taking(...rules: readonly Rule[]): KindDefinition['takes'] {
  const known: ReadonlySet<string> = new Set(rules);
  return (rule) => known.has(rule);
}
