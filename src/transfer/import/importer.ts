import { Injectable } from '@nestjs/common';
import type { Caller } from '../../common/access/caller.js';
import { DomainError, ValidationError } from '../../common/errors/domain-error.js';
import type { CompiledType } from '../../content-types/definition/content-type.js';
import { ContentTypesService } from '../../content-types/store/content-types.service.js';
import { weightOf, type UnitPace } from '../../database/units/unit-pace.js';
import { Actors } from '../../records/rows/actors.js';
import { RelationTargets } from '../../records/writing/relation-targets.js';
import { lengthOf, type ImportEntry, type ImportItem, type ImportTerm } from '../formats/import-entry.js';
import { BatchWriter, type Done } from './batch-writer.js';
import { ImportFindings, type ImportReport } from './import-findings.js';
import { externalKey, Preparation, remarksOf, type PreparedItem } from './preparation.js';
import { isAddable, TargetTypes, type Wanted } from './target-types.js';
import type { TermLookup } from './term-lookup.js';

/** Options of one import. */
interface ImportOptions {
  readonly caller: Caller;
  /** Name of the place that the items come from; items of two places never have the same key. */
  readonly source: string;
  /** The content type of all items; `null`: the one that the file names. */
  readonly type: string | null;
  /** The status that all items get; `null`: the one that the file says. */
  readonly status: string | null;
  readonly isDryRun: boolean;
  /** Called with the number of items that were done since the last time. */
  readonly onProgress?: (items: number) => void;
}

const OF_DELETED = {
  what: 'changes of deleted records',
  reason: 'What was deleted here stays deleted, even when the file has changed since.',
};
const DEFAULT_TYPE = 'post';

/** The items of one type that wait to be written. */
interface Bucket {
  readonly name: string;
  type: CompiledType;
  items: ImportItem[];
  weight: number;
}

/** Takes content over from elsewhere. Can be run again: what is the same is left alone, what is new or changed is written. */
@Injectable()
export class Importer {
  constructor(
    readonly targets: TargetTypes,
    readonly writer: BatchWriter,
    readonly relations: RelationTargets,
    readonly actors: Actors,
    readonly types: ContentTypesService,
  ) {}

  async run(entries: AsyncIterable<ImportEntry>, options: ImportOptions): Promise<ImportReport> {
    const run = new ImportRun(this, options);
    for await (const entry of entries) await run.take(entry);
    return run.finish();
  }
}

/** One import, from the first entry to the report. */
class ImportRun {
  private readonly findings = new ImportFindings();
  private readonly buckets = new Map<string, Bucket>();
  /** Keys that were met already, as numbers of 48 bits: a million items have to fit into memory. */
  private readonly keys = new Set<number>();
  private readonly extensions = new Set<string>();
  private readonly terms: TermLookup;
  private readonly preparation: Preparation;
  private readonly pace: UnitPace;

  constructor(
    private readonly services: Importer,
    private readonly options: ImportOptions,
  ) {
    this.terms = services.targets.termLookup({
      isDryRun: options.isDryRun,
      onNew: (taxonomy) => {
        this.findings.newTerm(taxonomy);
      },
    });
    this.pace = services.writer.pace(options);
    this.preparation = new Preparation(this.terms, services.relations, options);
  }

  async take(entry: ImportEntry): Promise<void> {
    if (entry.kind === 'leftover') this.findings.leave(entry);
    else if (entry.kind === 'unreadable') this.findings.refuse('', [entry]);
    else if (entry.kind === 'term') await this.takeTerm(entry);
    else await this.takeItem(entry);
  }

  async finish(): Promise<ImportReport> {
    for (const bucket of this.buckets.values()) await this.flush(bucket);
    return this.findings.report({ dry_run: this.options.isDryRun, source: this.options.source });
  }

  private async takeTerm(term: ImportTerm): Promise<void> {
    const { taxonomy, parent, file, line } = term;
    const place = { file, line };
    const { isKnown, added } = await this.services.targets.ensureTaxonomy(taxonomy, this.options);
    for (const sentence of added) this.findings.change(sentence);
    if (!isKnown) {
      this.findings.leave({ what: `terms of "${taxonomy}"`, reason: 'There is no taxonomy of this name.', ...place });
      return;
    }
    try {
      if (await this.terms.define(term)) return;
      const message = `The parent "${String(parent)}" of "${term.slug}" is not there, so it stands at the top.`;
      this.findings.note({ notes: [{ ...place, message }] });
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      this.findings.refuse('', [{ ...place, message: error.message }]);
    }
  }

  private async takeItem(item: ImportItem): Promise<void> {
    const name = this.options.type ?? item.type ?? DEFAULT_TYPE;
    const bucket = await this.bucketFor(name, item);
    if (!bucket || this.isRepeated(name, item)) return;
    const weight = weightOf(lengthOf(item));
    if (bucket.weight + weight > this.pace.capacity) await this.flush(bucket);
    bucket.items.push(item);
    bucket.weight += weight;
  }

  /** An item without a key is one that is refused for what it lacks. */
  private isRepeated(name: string, item: ImportItem): boolean {
    const short = Number.parseInt(externalKey(name, item).slice(0, 12), 16);
    const { size } = this.keys;
    if (item.key === '' || this.keys.add(short).size > size) return false;
    const message = `Another item of this import has the same key ("${item.key}").`;
    this.findings.refuse(name, [...item.problems, { file: item.file, line: item.line, message }]);
    return true;
  }

  /** `null`, and counted, where there is no such type. */
  private async bucketFor(name: string, item: ImportItem): Promise<Bucket | null> {
    const wanted = wantedBy(item);
    const known = this.buckets.get(name);
    if (known && this.isExtensionKnown(name, wanted)) return known;
    const { targets, types } = this.services;
    const target = known?.type ?? (await types.find(name));
    if (!target) {
      const left = { what: `items of the type "${name}"`, reason: 'There is no content type of this name.' };
      this.findings.leave({ ...left, file: item.file, line: item.line });
      return null;
    }
    const { type, added } = await targets.extended(target, wanted, this.options);
    for (const sentence of added) this.findings.change(sentence);
    const bucket = known ?? { name, type, items: [], weight: 0 };
    bucket.type = type;
    this.buckets.set(name, bucket);
    return bucket;
  }

  /** Tells whether all of this was asked for before. */
  private isExtensionKnown(name: string, { fields, taxonomies }: Wanted): boolean {
    const asked = [...fields, ...taxonomies].map((one) => `${name} ${one}`);
    const isKnown = asked.every((one) => this.extensions.has(one));
    for (const one of asked) this.extensions.add(one);
    return isKnown;
  }

  private async flush(bucket: Bucket): Promise<void> {
    const { items, name } = bucket;
    bucket.items = [];
    bucket.weight = 0;
    if (items.length === 0) return;
    if (this.options.isDryRun) await this.rehearse(bucket.type, items);
    else await this.write(name, items);
    this.options.onProgress?.(items.length);
  }

  /** Writes items together; if they are refused, one by one. */
  private async write(name: string, items: readonly ImportItem[]): Promise<void> {
    try {
      await this.writeTogether(name, items);
    } catch (error) {
      if (items.length > 1) for (const item of items) await this.write(name, [item]);
      else this.refuse(name, items, error);
    }
  }

  private refuse(name: string, [item]: readonly ImportItem[], error: unknown): void {
    if (item && isRefusalOfOne(error)) {
      const { file, line } = item;
      this.findings.refuse(name, [{ file, line, message: error.message }]);
    } else if (item && error instanceof ValidationError) this.findings.refuse(name, remarksOf(error, item));
    else throw error;
  }

  private async writeTogether(name: string, items: readonly ImportItem[]): Promise<void> {
    const { types, writer } = this.services;
    const weight = items.reduce((sum, item) => sum + weightOf(lengthOf(item)), 0);
    const type = await types.require(name);
    const { batch, done } = await writer.write(type, { pace: this.pace, weight }, (current) =>
      this.batch(current, items),
    );
    // Reported at the end: a batch may be planned more than once.
    for (const remarks of batch.refused) this.findings.refuse(name, remarks);
    batch.items.forEach((item, at) => {
      this.report(name, item, done[at]);
    });
  }

  private async batch(type: CompiledType, items: readonly ImportItem[]) {
    const { source, caller } = this.options;
    const authorship = await this.services.actors.authorship(caller);
    const { ready, refused } = await this.preparation.of(type, items, authorship.at);
    return { source, authorship, items: ready, refused };
  }

  /** Reports what a run would do, as far as that can be known without doing it. */
  private async rehearse(type: CompiledType, items: readonly ImportItem[]): Promise<void> {
    const { at } = await this.services.actors.authorship(this.options.caller);
    const { ready, refused } = await this.preparation.of(type, items, at);
    const known = await this.services.writer.known(this.options.source, ready);
    for (const remarks of refused) this.findings.refuse(type.name, remarks);
    for (const item of ready) {
      const before = known.get(item.key);
      const result = before === undefined ? 'created' : before.hash === item.hash ? 'unchanged' : 'updated';
      this.report(type.name, item, { result, slug: null });
    }
  }

  private report(type: string, { item, notes, leftovers }: PreparedItem, done: Done | undefined): void {
    const { result, slug } = done ?? { result: 'unchanged', slug: null };
    this.findings.count(type, result === 'deleted' ? 'unchanged' : result);
    for (const leftover of leftovers) this.findings.leave(leftover);
    const { file, line } = item;
    if (result === 'deleted') this.findings.leave({ ...OF_DELETED, file, line });
    const message = `The slug "${String(item.slug)}" is taken, so it becomes "${String(slug)}".`;
    this.findings.note({ notes: slug === null ? notes : [...notes, { file, line, message }] });
  }
}

function wantedBy({ values, terms }: ImportItem): Wanted {
  return { fields: Object.keys(values).filter(isAddable), taxonomies: Object.keys(terms) };
}

/**
 * It is more than a record may have, the database server takes no statement as long as what would have to be written,
 * or the record that was imported before has contents that cannot be read.
 */
function isRefusalOfOne(error: unknown): error is DomainError {
  return error instanceof DomainError && (error.error === 'payload_too_large' || error.error === 'record_damaged');
}
