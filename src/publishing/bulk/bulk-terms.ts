import { Injectable } from '@nestjs/common';
import type { CompiledType } from '../../content-types/definition/content-type.js';
import { RecordsService, type Target } from '../../records/records.service.js';
import type { RecordRow } from '../../records/rows/record-row.js';
import type { WantedTerms } from '../../records/writing/record-terms.js';
import { stateOf } from '../../records/writing/record-state.js';
import { termSlug } from '../../taxonomy/terms/term-slug.js';
import { TermsService } from '../../taxonomy/terms/terms.service.js';

type Term = string | number;

/** Files records under further terms, and takes terms away from them. */
@Injectable()
export class BulkTerms {
  constructor(
    private readonly records: RecordsService,
    private readonly terms: TermsService,
  ) {}

  /**
   * @param isAdded whether the terms are added, or taken away
   * @returns what does so with a record
   * @throws {ValidationError} the terms do not fit the type
   */
  async write(
    type: CompiledType,
    wanted: WantedTerms,
    isAdded: boolean,
  ): Promise<(target: Target) => Promise<RecordRow>> {
    await type.prepare({ terms: wanted }, 'update');
    type.requireUpdate({ terms: wanted }, { status: 'draft', values: () => ({}) });
    const gone = isAdded ? null : await this.idsOf(wanted);
    const changed = (own: readonly number[], some: readonly Term[]): readonly Term[] =>
      gone ? own.filter((id) => !gone.has(id)) : [...new Set([...own, ...some])];
    return async (target) => {
      const { row } = await this.records.rewrite(type, target, (current, before) => {
        const own = stateOf(before).terms;
        const terms = Object.fromEntries(
          Object.entries(wanted).map(([taxonomy, some]) => [taxonomy, changed(own[taxonomy] ?? [], some ?? [])]),
        );
        const input = current.requireUpdate({ terms }, { status: before.status, values: () => ({}) });
        return Promise.resolve({ input });
      });
      return row;
    };
  }

  /** Ids of terms that are named by their ids, their slugs or their names. What names none is left out. */
  private async idsOf(wanted: WantedTerms): Promise<ReadonlySet<number>> {
    const named = Object.entries(wanted).map(([taxonomy, some]) => {
      const texts = (some ?? []).filter((term) => typeof term === 'string');
      return [taxonomy, new Set(texts.flatMap((text) => [text, termSlug(text)]))] as const;
    });
    const found = await this.terms.findAll(new Map(named.filter(([, texts]) => texts.size > 0)));
    const ids = Object.values(wanted).flatMap((some) => (some ?? []).filter((term) => typeof term === 'number'));
    return new Set([...ids, ...[...found.values()].map(({ id }) => id)]);
  }
}
