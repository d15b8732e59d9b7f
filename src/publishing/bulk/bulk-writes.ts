import { Injectable } from '@nestjs/common';
import type { CompiledType, Status } from '../../content-types/definition/content-type.js';
import { RecordsService, type Target } from '../../records/records.service.js';
import type { RecordRow } from '../../records/rows/record-row.js';
import { skippedBy, type Skipped } from '../../records/written-records.js';
import { precondition, requireVersion } from '../../records/writing/precondition.js';
import { CopyEdits } from '../copies/copy-edits.js';
import { Publisher } from '../publisher.js';
import type { BulkAction, BulkOrder } from './bulk-order.js';
import { BulkTerms } from './bulk-terms.js';

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
    private readonly terms: BulkTerms,
  ) {}

  /** @throws {ValidationError} the terms do not fit the type */
  async of(type: CompiledType, { action, terms = {}, status = 'draft' }: BulkOrder): Promise<Write> {
    if (action === 'add_terms' || action === 'remove_terms') {
      return this.terms.write(type, terms, action === 'add_terms');
    }
    return this.all(type, status)[action];
  }

  private all(type: CompiledType, status: Status): Record<Exclude<BulkAction, 'add_terms' | 'remove_terms'>, Write> {
    return {
      publish: (target) => this.publisher.publish(type, target, {}),
      apply: (target) => this.publisher.apply(type, target, {}),
      unpublish: (target) => this.publisher.unpublish(type, target, {}),
      archive: (target) => this.publisher.unpublish(type, target, { to: 'archived' }),
      status: (target) => this.withStatus(type, target, status),
      discard: async ({ ifMatch, ...target }, before) => {
        // The version is that of the record, and not of its working copy.
        requireVersion(precondition(ifMatch), before, () => null);
        await this.copies.discard(type, target);
        return before;
      },
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

  private async restore(type: CompiledType, target: Target): Promise<After> {
    const restored = await this.records.restore(type, target);
    const { version, status } = restored.row;
    return { version, status, skipped: skippedBy(restored) };
  }

  /** Its working copy stays as it is. */
  private async withStatus(type: CompiledType, target: Target, status: Status): Promise<RecordRow> {
    const decide = () => Promise.resolve({ input: { status } });
    return (await this.records.rewrite(type, target, decide, 'publish')).row;
  }
}
