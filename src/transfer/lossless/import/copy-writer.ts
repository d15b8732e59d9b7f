import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { CompiledType } from '../../../content-types/definition/content-type.js';
import { ContentTypesService } from '../../../content-types/store/content-types.service.js';
import { Dialect } from '../../../database/dialect/dialect.js';
import { UnitOfWork } from '../../../database/units/unit-of-work.js';
import { UnitPace } from '../../../database/units/unit-pace.js';
import { RecordCopies, slugTaken, type RecordCopy } from '../../../records/record-copies.js';
import { RecordHistoryHost, type HistoryDraft, type Instant } from '../../../records/record-history.port.js';
import { termIdsOf, type RecordRow, type TermIds } from '../../../records/rows/record-row.js';
import { LostRaceError } from '../../../records/writing/record-writer.js';
import { holdByIds } from '../../../taxonomy/assignment/held-terms.js';
import { decided, type Decision } from './same-record.js';

/** A record of the file with its history, ready to be written. */
export interface CompleteCopy {
  readonly copy: RecordCopy;
  readonly typeName: string;
  readonly history: HistoryDraft;
}

interface Circumstances {
  readonly isDryRun: boolean;
  /** Called when the unit holds its locks. */
  readonly begun: () => void;
}

/** More would be more values than SQLite takes in one statement. */
const MOST_RECORDS = 200;

interface Planned extends CompleteCopy {
  readonly decision: Decision;
  readonly row: RecordRow | undefined;
}

/** Writes copies of records with their histories. */
@Injectable()
export class CopyWriter {
  constructor(
    private readonly types: ContentTypesService,
    private readonly unitOfWork: UnitOfWork,
    private readonly copies: RecordCopies,
    private readonly history: RecordHistoryHost,
    private readonly dialect: Dialect,
  ) {}

  /** How much goes into each unit of one import. */
  pace(): UnitPace {
    const { hasOneWriter, hasSeveralWriters } = this.dialect;
    return new UnitPace({ hasOneLock: hasOneWriter, isLimited: hasSeveralWriters, most: MOST_RECORDS });
  }

  /**
   * Writes all of them in one unit of work, or decides what would be done.
   *
   * @returns what became of each, in the same order
   */
  async write(copies: readonly CompleteCopy[], { isDryRun, begun }: Circumstances): Promise<Decision[]> {
    const types = await this.typesOf(copies, isDryRun);
    return this.unitOfWork.run(async (manager) => {
      begun();
      for (const type of types.values()) await this.types.requireCurrent(manager, type);
      const planned = await this.plan(manager, copies, types);
      if (isDryRun) return this.withNotes(manager, await this.foreseen(manager, planned, types), types);
      for (const { decision, row } of planned) await this.removeOlder(manager, decision, row);
      const written = planned.filter(isWritten);
      const held = await this.held(manager, written);
      for (const type of types.values()) {
        const own = held.filter(({ typeName }) => typeName === type.name).map(({ copy }) => copy);
        await this.copies.insert(manager, type, own);
      }
      await this.history.get().write(
        manager,
        written.map(({ history }) => history),
      );
      return this.withNotes(manager, planned, types);
    });
  }

  /** What became of each, with a word on those whose address is not theirs alone. */
  private async withNotes(
    manager: EntityManager,
    planned: readonly Planned[],
    types: ReadonlyMap<string, CompiledType>,
  ): Promise<Decision[]> {
    const shared = new Set<number>();
    for (const type of types.values()) {
      const own = planned.filter((one) => isWritten(one) && one.typeName === type.name).map(({ copy }) => copy);
      for (const id of await this.copies.withSharedAddresses(manager, type, own)) shared.add(id);
    }
    return planned.map(({ copy, decision }) =>
      shared.has(copy.id) ? { ...decision, message: decision.message ?? sharedAddress(copy) } : decision,
    );
  }

  /** In a dry run a type may not be there yet. */
  private async typesOf(copies: readonly CompleteCopy[], isDryRun: boolean): Promise<Map<string, CompiledType>> {
    const types = new Map<string, CompiledType>();
    for (const name of new Set(copies.map(({ typeName }) => typeName))) {
      const type = isDryRun ? await this.types.find(name) : await this.types.require(name);
      if (type) types.set(name, type);
    }
    return types;
  }

  private async plan(
    manager: EntityManager,
    copies: readonly CompleteCopy[],
    types: ReadonlyMap<string, CompiledType>,
  ): Promise<Planned[]> {
    const rows = await this.copies.rows(
      manager,
      copies.map(({ copy }) => copy.id),
    );
    const instants: ReadonlyMap<number, readonly Instant[]> = await this.history
      .get()
      .instants(manager, [...rows.keys()]);
    return copies.map((one) => {
      const row = rows.get(one.copy.id);
      const here = row && { row, instants: instants.get(row.id) ?? [], typeId: types.get(one.typeName)?.id ?? 0 };
      return { ...one, row, decision: decided(one.copy, one.history.instants, here) };
    });
  }

  /** What the database would refuse. */
  private async foreseen(
    manager: EntityManager,
    planned: readonly Planned[],
    types: ReadonlyMap<string, CompiledType>,
  ): Promise<Planned[]> {
    const written = planned.filter(isWritten);
    const taken = new Set<number>();
    for (const type of types.values()) {
      const own = written.filter(({ typeName }) => typeName === type.name).map(({ copy }) => copy);
      for (const id of await this.copies.withTakenSlugs(manager, type, own)) taken.add(id);
    }
    return planned.map((one) =>
      isWritten(one) && taken.has(one.copy.id)
        ? { ...one, decision: { result: 'refused', message: slugTaken({ name: one.typeName }, [one.copy]) } }
        : one,
    );
  }

  private async removeOlder(manager: EntityManager, { result }: Decision, row: RecordRow | undefined): Promise<void> {
    if (result !== 'updated' || !row) return;
    if (!(await this.copies.remove(manager, row))) throw new LostRaceError();
  }

  /** Terms can be merged or deleted until a unit of work holds them. */
  private async held(manager: EntityManager, copies: readonly Planned[]): Promise<Planned[]> {
    const ids = [...new Set(copies.flatMap(({ copy }) => termIdsOf(copy.state.terms)))].toSorted((a, b) => a - b);
    const found = await holdByIds(manager, ids, this.dialect.lockInShareMode);
    const present = (terms: TermIds): TermIds => {
      const entries = Object.entries(terms).map(([taxonomy, own]) => {
        const there = own.flatMap((id) => found.get(id) ?? []).filter((term) => term.taxonomy === taxonomy);
        return [taxonomy, [...new Set(there.map(({ id }) => id))]] as const;
      });
      return Object.fromEntries(entries.filter(([, own]) => own.length > 0));
    };
    return copies.map(({ copy, ...rest }) => {
      const state = { ...copy.state, terms: present(copy.state.terms) };
      return { ...rest, copy: { ...copy, state } };
    });
  }
}

function sharedAddress({ state: { slug } }: RecordCopy): string {
  return `A record in another locale has the slug "${slug}", too, and the url_path of the type does not tell them apart.`;
}

function isWritten({ decision: { result } }: Planned): boolean {
  return result === 'created' || result === 'updated';
}
