import { sizeOf } from '../../common/schema/object-validator.js';
import type { FieldOptions } from '../kinds/field.js';
import { kindOf, type FieldKind } from '../kinds/kinds.js';

/** Instructions of all patterns of a type together. To compile so many takes some 50 ms of processor. */
const MAX_SIZE = 5_000;
/** Steps of matching the longest texts of a record against all patterns of its type: some 30 ms of processor. */
const MAX_STEPS = 10_000_000;

/** The options of a field that decide how long its pattern takes. */
type Matched = Pick<FieldOptions, 'pattern' | 'max_length'> & { readonly id?: string; readonly type: FieldKind };

/** The rule that a pattern breaks, and what is to be said of it. */
interface Refusal {
  readonly rule: 'pattern' | 'max';
  readonly message: string;
}

const NO_SYNTAX: Refusal = {
  rule: 'pattern',
  message: 'must be a regular expression in RE2 syntax, which has no look-around and no back-references.',
};
const TOO_LARGE: Refusal = {
  rule: 'max',
  message: 'is too large, or the patterns of the type are together. Repeat less in it, or leave it out.',
};

/**
 * The most that the patterns of one type may cost, since nothing else is answered while a record is matched against
 * them. Patterns of fields that are there already are counted and never refused.
 */
export class PatternBudget {
  private size = 0;
  private steps = 0;
  private readonly known: ReadonlyMap<string | undefined, Matched>;

  /**
   * @param before the fields that the type has up to now
   * @param after those that it is to have: what is known of them is counted first, wherever it stands
   */
  constructor(before: readonly Matched[] = [], after: readonly Matched[] = []) {
    this.known = new Map(before.map((field) => [field.id, field]));
    for (const field of after) {
      if (this.size > MAX_SIZE) return;
      if (this.isKnown(field) && field.pattern !== undefined) this.count(field.pattern, longestText(field));
    }
  }

  /** Adds the pattern of a field; returns why it cannot be had, if so. */
  add(field: Matched): Refusal | null {
    if (field.pattern === undefined || this.isKnown(field)) return null;
    return this.size > MAX_SIZE ? TOO_LARGE : this.count(field.pattern, longestText(field));
  }

  private count(pattern: string, longest: number): Refusal | null {
    const size = sizeOf(pattern);
    if (size === null) return NO_SYNTAX;
    const reach = Math.floor((MAX_STEPS - this.steps) / size);
    this.size += size;
    this.steps += size * longest;
    if (this.size > MAX_SIZE || reach < 1) return TOO_LARGE;
    return longest > reach ? tooLong(longest, reach) : null;
  }

  private isKnown(field: Matched): boolean {
    const before = this.known.get(field.id);
    return before?.pattern === field.pattern && before !== undefined && longestText(before) >= longestText(field);
  }
}

function tooLong(longest: number, reach: number): Refusal {
  return { rule: 'max', message: `takes too long for ${longest} characters. Set max_length to ${reach} or less.` };
}

function longestText(field: Matched): number {
  return kindOf(field.type).longestText(field);
}
