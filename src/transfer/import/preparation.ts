import type { Caller } from '../../common/access/caller.js';
import { ValidationError } from '../../common/errors/domain-error.js';
import type { CompiledType } from '../../content-types/content-type.js';
import type { TermIds } from '../../records/record-row.js';
import type { Relations } from '../../records/writing/relations.js';
import type { ImportItem, Remark } from '../formats/import-entry.js';
import type { ReadyItem } from './batch-writer.js';
import { prepared, RefusedItem, remarkOf, type PreparedItem } from './prepared-item.js';
import type { TermBook } from './term-book.js';

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
    private readonly terms: TermBook,
    private readonly relations: Relations,
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
    return { ...sound, termIds: await this.termIds(sound) };
  }

  private async termIds({ terms }: PreparedItem): Promise<TermIds> {
    const ids: Record<string, number[]> = {};
    for (const [taxonomy, names] of Object.entries(terms)) {
      const own = new Set<number>();
      for (const name of names) own.add(await this.terms.idOf(taxonomy, name));
      ids[taxonomy] = [...own];
    }
    return ids;
  }
}

function reasons(error: unknown, item: ImportItem): readonly Remark[] {
  if (error instanceof RefusedItem) return error.remarks;
  if (error instanceof ValidationError) return remarksOf(error, item);
  throw error;
}

/** Why an item is refused, each with the line of the value that is meant. */
export function remarksOf(error: ValidationError, item: ImportItem): Remark[] {
  return error.faults.map((fault) => remarkOf(fault, item));
}
