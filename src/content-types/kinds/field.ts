import type { FieldRules } from './kind-definition.js';
import { kindOf, type FieldKind, type ScalarKind } from './kinds.js';

/** The rules of a field, apart from its identity. */
export interface FieldOptions extends FieldRules {
  readonly of?: ScalarKind;
}

/** One field of a content type. */
export interface Field extends FieldOptions {
  /** Number of the row; values and index rows refer to it. */
  readonly key: number;
  /** The same id as the API shows it, `f_` and base 36. Never changes, so a rename keeps the values. */
  readonly id: string;
  readonly name: string;
  readonly type: FieldKind;
  /** True if its index does not hold every record yet. Writers maintain it, but filters are refused. */
  readonly building?: boolean;
}

/** Tells whether a field points to records. */
export function isReference({ type }: Pick<Field, 'type'>): boolean {
  return kindOf(type).isReference;
}
