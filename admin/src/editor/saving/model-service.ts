import { CmsError, type ErrorDetail } from '@content-service/client';
import type { ContentRecord } from '../../model.js';
import type { Values } from './save-queue.js';
import type { Copies, Opened } from './working-copy.js';

/** Milliseconds that a request takes each way. */
const WAY = 40;

/** True if a page has ended: what it has sent may still arrive, and it sends and keeps nothing more. */
export interface Life {
  isOver: boolean;
}

/** The outcome of a request. */
export type Fate = 'arrives' | 'is lost' | 'loses its answer' | 'meets a full service';

/** A changed field: what it is to become, and what it was when that was decided. */
interface Part {
  readonly value: unknown;
  readonly base: unknown;
}

/** The part of the service that an editor needs, with a log of all that was ever stored. */
export class ModelService {
  record: ContentRecord | null = null;
  made = 0;
  fates: Fate[] = [];
  /** Fields that the type has lost. */
  readonly unknown = new Set<string>();
  /** Texts that fields have ever held. */
  readonly stored = new Set<unknown>();
  /** Texts that were written over by someone who had never seen them. */
  readonly overwritten: unknown[] = [];
  private copy: { readonly version: number; readonly parts: ReadonlyMap<string, Part> } | null = null;
  private readonly answers = new Map<string, Opened>();
  private version = 100;

  /** The service for one page. @param seen texts that have been on its screen */
  copiesFor(seen: ReadonlySet<unknown>, life: Life): Copies {
    const sent = (work: () => Opened) => this.sent(work, life);
    return {
      open: () => sent(() => this.opened()),
      create: (_, values, key) => sent(() => this.once(key, () => this.create(values))),
      save: (opened, values) => sent(() => this.save(opened, values, seen)),
      apply: (opened, key) => sent(() => this.once(`apply ${key}`, () => this.fold(opened, 'draft'))),
      publish: (opened, key) => sent(() => this.once(`publish ${key}`, () => this.fold(opened, 'published'))),
      unpublish: () => sent(() => this.put({ status: 'draft' })),
      discard: (opened) => sent(() => this.discard(opened)),
    };
  }

  /** Someone who looks before they write changes the record itself. */
  put(values: Values): Opened {
    if (this.record === null) return this.create(values);
    this.record = { ...this.record, ...values, version: this.record.version + 1 };
    this.log(values);
    return this.opened();
  }

  /** Someone who looks before they write changes the working copy. */
  patch(values: Values): void {
    if (this.record === null) return;
    const opened = this.opened();
    this.save(opened, values, new Set([...Object.values(this.record), ...Object.values(opened.current)]));
  }

  /** Someone who looks before they do it gives the working copy up. */
  giveUp(): void {
    this.discard(this.opened());
  }

  /** Someone who looks before they do it makes the working copy public. */
  publish(): void {
    this.fold(this.opened(), 'published');
  }

  opened(): Opened {
    const { record, copy } = this;
    if (record === null) throw failure(404, 'record_not_found');
    if (copy === null) return { record, current: record, draft: null };
    const parts = [...copy.parts];
    const conflicts = parts
      .filter(([field, { base, value }]) => base !== record[field] && value !== record[field])
      .map(([field, { base }]) => ({ field, base, live: record[field] }));
    const draft = { version: copy.version, changed: [...copy.parts.keys()], conflicts };
    return { record, current: { ...record, ...valuesOf(parts) }, draft };
  }

  private create(values: Values): Opened {
    this.made += 1;
    const rest = { id: 7, type: 'post', slug: 's', status: 'draft', url: null, version: 1, published_at: null };
    const times = { created_at: '', updated_at: '', updated_by: null };
    this.record = { title: '', ...rest, ...times, ...values } as ContentRecord;
    this.log(values);
    return this.opened();
  }

  private save(known: Opened, values: Values, seen: ReadonlySet<unknown>): Opened {
    const { record } = this.requireKnown(known);
    if (known.record.version !== record.version) throw failure(412, 'version_conflict');
    const details = Object.keys(values).flatMap((field) =>
      this.unknown.has(field) ? [{ field, rule: 'unknown' }] : [],
    );
    if (details.length > 0) throw failure(422, 'validation_failed', details);
    const parts = new Map(this.copy?.parts);
    for (const [name, value] of Object.entries(values)) {
      this.overwrite(record[name], parts.get(name), value, seen);
      parts.set(name, { value, base: record[name] });
      if (value === record[name]) parts.delete(name);
    }
    this.copy = parts.size === 0 ? null : { version: (this.version += 1), parts };
    this.log(values);
    return this.opened();
  }

  private discard(known: Opened): Opened {
    this.requireKnown(known);
    this.copy = null;
    return this.opened();
  }

  /** @throws {CmsError} the working copy is another one by now */
  private requireKnown(known: Opened): Opened {
    const opened = this.opened();
    if (known.draft?.version !== opened.draft?.version) throw failure(412, 'version_conflict');
    return opened;
  }

  private fold(known: Opened, status: string): Opened {
    const { record, draft } = this.requireKnown(known);
    if (known.record.version !== record.version) throw failure(412, 'version_conflict');
    if (draft?.conflicts?.length) throw failure(409, 'draft_conflict');
    const values = valuesOf([...(this.copy?.parts ?? [])]);
    this.record = { ...record, ...values, status, version: record.version + 1 } as ContentRecord;
    this.copy = null;
    return this.opened();
  }

  /** Takes note of what is written over unseen: in the copy, and in the record since the copy was based on it. */
  private overwrite(live: unknown, part: Part | undefined, value: unknown, seen: ReadonlySet<unknown>): void {
    const former = part ? [part.value, part.base === live ? null : live] : [live];
    this.overwritten.push(...former.filter((text) => text !== value && !isEmpty(text) && !seen.has(text)));
  }

  private once(key: string, work: () => Opened): Opened {
    const given = this.answers.get(key) ?? work();
    this.answers.set(key, given);
    return given;
  }

  private log(values: Values): void {
    for (const value of Object.values(values)) this.stored.add(value);
  }

  private async sent(work: () => Opened, life: Life): Promise<Opened> {
    const fate = life.isOver ? 'is lost' : (this.fates.shift() ?? 'arrives');
    await later(WAY);
    if (fate === 'is lost') throw failure(0, 'unreachable');
    if (fate === 'meets a full service') throw failure(503, 'overloaded');
    const answer = work();
    await later(WAY);
    if (fate === 'loses its answer' || life.isOver) throw failure(0, 'unreachable');
    return answer;
  }
}

const later = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));
const failure = (status: number, code: string, details: ErrorDetail[] = []) =>
  new CmsError({ status, code, message: code, details });
const isEmpty = (value: unknown): boolean => value === undefined || value === null || value === '';
const valuesOf = (parts: readonly (readonly [string, Part])[]): Values =>
  Object.fromEntries(parts.map(([name, { value }]) => [name, value]));
