import type { Caller } from '../../common/access/caller.js';
import { ValidationError } from '../../common/errors/domain-error.js';
import type { CompiledType } from '../../content-types/definition/content-type.js';
import type { TermIds } from '../../records/rows/record-row.js';
import type { RelationTargets } from '../../records/writing/relation-targets.js';
import type { ImportItem, Remark } from '../formats/import-entry.js';
import type { ReadyItem } from './batch-writer.js';
import { prepared, RefusedItemError, remarkOf, type PreparedItem } from './prepared-item.js';
import type { TermLookup } from './term-lookup.js';

const MAX_SHOWN = 60;

/** Items that can be written, and what is wrong with the others. */
interface Prepared {
  readonly ready: readonly ReadyItem[];
  readonly refused: readonly (readonly Remark[])[];
}

interface Circumstances {
  readonly caller: Caller;
  readonly status: string | null;
}

/** Makes items ready to be written as records of a type: checks them, and finds or makes their terms. */
export class Preparation {
  constructor(
    private readonly terms: TermLookup,
    private readonly relations: RelationTargets,
    private readonly options: Circumstances,
  ) {}

  /** @param now milliseconds since 1970, UTC */
  async of(type: CompiledType, items: readonly ImportItem[], now: number): Promise<Prepared> {
    const refused: (readonly Remark[])[] = [];
    const ready: ReadyItem[] = [];
    for (const item of items) {
      try {
        ready.push(await this.one(type, item, now));
      } catch (error) {
        refused.push(reasons(error, item));
      }
    }
    return { ready, refused };
  }

  private async one(type: CompiledType, item: ImportItem, now: number): Promise<ReadyItem> {
    const sound = prepared(item, type, { now, status: this.options.status });
    await this.relations.requireTargets(type, sound.body, this.options.caller);
    const notes = [...sound.notes];
    const termIds = await this.termIds(sound, notes);
    return { ...sound, notes, termIds };
  }

  /** @param notes takes up which terms are left out: one odd term costs no item */
  private async termIds({ terms, item }: PreparedItem, notes: Remark[]): Promise<TermIds> {
    const ids: Record<string, number[]> = {};
    for (const [taxonomy, names] of Object.entries(terms)) {
      const own = new Set<number>();
      for (const name of names) {
        try {
          own.add(await this.terms.idOf(taxonomy, name));
        } catch (error) {
          if (!(error instanceof ValidationError)) throw error;
          const message = `The ${taxonomy} "${visible(name.name)}" is left out: ${error.message}`;
          notes.push({ file: item.file, line: item.line, message });
        }
      }
      ids[taxonomy] = [...own];
    }
    return ids;
  }
}

/** Controls and marks of direction as their numbers, since they would change how the rest of the line looks. */
function visible(text: string): string {
  const short = text.length <= MAX_SHOWN ? text : `${text.slice(0, MAX_SHOWN)}…`;
  return short.replace(
    /\p{C}/gu,
    (one) => `U+${(one.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`,
  );
}

function reasons(error: unknown, item: ImportItem): readonly Remark[] {
  if (error instanceof RefusedItemError) return error.remarks;
  if (error instanceof ValidationError) return remarksOf(error, item);
  throw error;
}

/** Why an item is refused, each with the line of the value that is meant. */
export function remarksOf(error: ValidationError, item: ImportItem): Remark[] {
  return error.faults.map((fault) => remarkOf(fault, item));
}
