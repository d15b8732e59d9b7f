import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Clock } from '../common/clock.js';
import type { TypeDefinition } from '../content-types/definition/content-type.js';
import {
  RecordListeners,
  type RemovedRecord,
  type RecordChange,
  type RecordListener,
} from '../records/writing/record-listeners.js';
import { PartCounts, partOf } from './part-counts.js';

/** Counts every change of what the sitemap shows, in the unit of work that makes it. */
@Injectable()
export class SitemapListener implements RecordListener, OnModuleInit {
  constructor(
    private readonly listeners: RecordListeners,
    private readonly counts: PartCounts,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.listeners.add(this);
  }

  /** Any write of a published record is a change: the sitemap shows when a record was written. */
  async written(manager: EntityManager, changes: readonly RecordChange[]): Promise<void> {
    const seen = changes.filter(({ before, after }) => isPublished(before) || isPublished(after));
    await this.counts.add(
      manager,
      seen.map(({ type, id, before, after, authorship }) => ({
        typeId: type.id,
        part: partOf(id),
        urls: Number(isPublished(after)) - Number(isPublished(before)),
        changes: 1,
        changedAt: authorship.at,
      })),
    );
  }

  async trashed(manager: EntityManager, records: readonly RemovedRecord[]): Promise<void> {
    await this.left(manager, records);
  }

  async removed(manager: EntityManager, records: readonly RemovedRecord[]): Promise<void> {
    await this.left(
      manager,
      records.filter(({ wasTrashed }) => !wasTrashed),
    );
  }

  /** Whether a type is in the sitemap is asked when that is read; here its parts only learn that they have changed. */
  async typeChanged(manager: EntityManager, before: TypeDefinition, after: TypeDefinition): Promise<void> {
    if (before.url_path === after.url_path && before.sitemap === after.sitemap) return;
    await this.counts.addToAll(manager, after.id, this.clock.now());
  }

  private async left(manager: EntityManager, records: readonly RemovedRecord[]): Promise<void> {
    const changedAt = this.clock.now();
    await this.counts.add(
      manager,
      records
        .filter(isPublished)
        .map(({ id, typeId }) => ({ typeId, part: partOf(id), urls: -1, changes: 1, changedAt })),
    );
  }
}

function isPublished(state: { readonly status: string } | null): boolean {
  return state?.status === 'published';
}
