import { Injectable } from '@nestjs/common';
import type { CompiledType, RecordBody, Status } from '../../content-types/definition/content-type.js';
import { RecordsService, type Target } from '../../records/records.service.js';
import type { RecordRow } from '../../records/rows/record-row.js';
import { skippedBy, type Skipped } from '../../records/written-records.js';
import { precondition, requireVersion } from '../../records/writing/precondition.js';
import type { WantedTerms } from '../../records/writing/record-terms.js';
import { stateOf } from '../../records/writing/record-state.js';
import { termSlug } from '../../taxonomy/terms/term-slug.js';
import { TermsService } from '../../taxonomy/terms/terms.service.js';
import { CopyEdits } from '../copies/copy-edits.js';
import { Publisher } from '../publisher.js';
import type { BulkAction, BulkOrder } from './bulk-order.js';

/** A record as an action leaves it: `null`, if it is gone for good. */
export type After = (Pick<RecordRow, 'version' | 'status'> & { readonly skipped?: readonly Skipped[] }) | null;

/** Does something with a record. @param before the record as it was read */
export type Write = (target: Target, before: RecordRow) => Promise<After>;

/** The ordinary writes that the actions of an order stand for. */
@Injectable()
export class BulkWrites {
  constructor(
    private readonly records: RecordsService,
    private readonly publisher: Publisher,
    private readonly copies: CopyEdits,
    private readonly terms: TermsService,
  ) {}

  /** @throws {ValidationError} the terms do not fit the type */
  async of(type: CompiledType, { action, terms = {}, status = 'draft' }: BulkOrder): Promise<Write> {
    if (action === 'add_terms' || action === 'remove_terms') {
      return this.withTerms(type, terms, action === 'add_terms');
    }
    return this.all(type, status)[action];
  }

  private all(type: CompiledType, status: Status): Record<Exclude<BulkAction, 'add_terms' | 'remove_terms'>, Write> {
    return {
      publish: (target) => this.publisher.publish(type, target, {}),
      apply: (target) => this.publisher.apply(type, target, {}),
      unpublish: (target) => this.publisher.unpublish(type, target, {}),
      archive: (target) => this.publisher.unpublish(type, target, { to: 'archived' }),
      // Its working copy stays as it is.
      status: (target) => this.rewritten(type, target, () => ({ status }), 'publish'),
      discard: (target, before) => this.discard(type, target, before),
      trash: async (target, { version, status: kept }) => {
        await this.records.remove(type, target, { isPermanent: false });
        return { version: version + 1, status: kept };
      },
      restore: (target) => this.restore(type, target),
      delete: async (target) => {
        await this.records.remove(type, target, { isPermanent: true });
        return null;
      },
    };
  }

  private async discard(type: CompiledType, { ifMatch, ...target }: Target, before: RecordRow): Promise<After> {
    // The version is that of the record, and not of its working copy.
    requireVersion(precondition(ifMatch), before, () => null);
    await this.copies.discard(type, target);
    return before;
  }

  private async restore(type: CompiledType, target: Target): Promise<After> {
    const restored = await this.records.restore(type, target);
    const { version, status } = restored.row;
    return { version, status, skipped: skippedBy(restored) };
  }

  /** Files records under further terms, or takes terms away from them. */
  private async withTerms(type: CompiledType, wanted: WantedTerms, isAdded: boolean): Promise<Write> {
    await type.prepare({ terms: wanted }, 'update');
    type.requireUpdate({ terms: wanted }, { status: 'draft', values: () => ({}) });
    const gone = isAdded ? null : await this.idsOf(wanted);
    const changed = (own: readonly number[], some: readonly (string | number)[]): readonly (string | number)[] =>
      gone ? own.filter((id) => !gone.has(id)) : [...new Set([...own, ...some])];
    return (target) =>
      this.rewritten(type, target, (current, before) => {
        const own = stateOf(before).terms;
        const entries = Object.entries(wanted).map(
          ([taxonomy, some]) => [taxonomy, changed(own[taxonomy] ?? [], some ?? [])] as const,
        );
        const terms = Object.fromEntries(entries);
        return current.requireUpdate({ terms }, { status: before.status, values: () => ({}) });
      });
  }

  private async rewritten(
    type: CompiledType,
    target: Target,
    inputFor: (current: CompiledType, before: RecordRow) => RecordBody,
    right?: 'publish',
  ): Promise<RecordRow> {
    const decide = (...of: [CompiledType, RecordRow]) => Promise.resolve({ input: inputFor(...of) });
    return (await this.records.rewrite(type, target, decide, right)).row;
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
