import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { UnitOfWork } from '../database/units/unit-of-work.js';
import {
  RecordListeners,
  type RecordChange,
  type RecordListener,
  type RemovedRecord,
} from '../records/writing/record-listeners.js';
import { PartCounts } from './part-counts.js';

/** Shows in the sitemap what this process has written as soon as that is committed. */
@Injectable()
export class SitemapListener implements RecordListener, OnModuleInit {
  constructor(
    private readonly listeners: RecordListeners,
    private readonly counts: PartCounts,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  onModuleInit(): void {
    this.listeners.add(this);
  }

  written(_: EntityManager, changes: readonly RecordChange[]): Promise<void> {
    return this.changed(changes.filter(({ before, after }) => isPublished(before) || isPublished(after)));
  }

  trashed(_: EntityManager, records: readonly RemovedRecord[]): Promise<void> {
    return this.changed(records.filter(isPublished));
  }

  removed(_: EntityManager, records: readonly RemovedRecord[]): Promise<void> {
    return this.changed(records.filter((record) => !record.wasTrashed && isPublished(record)));
  }

  private changed(records: readonly { readonly id: number }[]): Promise<void> {
    if (records.length > 0) {
      const ids = records.map(({ id }) => id);
      this.unitOfWork.afterCommit(() => {
        this.counts.forget(ids);
      });
    }
    return Promise.resolve();
  }
}

function isPublished(state: { readonly status: string } | null): boolean {
  return state?.status === 'published';
}
