import { Injectable } from '@nestjs/common';
import type { Caller } from '../../../common/access/caller.js';
import type { Fault } from '../../../common/errors/domain-error.js';
import type { TypeCopyResult } from '../../../content-types/changes/type-copies.js';
import { TypeCopies } from '../../../content-types/changes/type-copies.js';
import { isAuthor } from '../../../records/rows/actor-names.js';
import { TaxonomyCopies } from '../../../taxonomy/taxonomies/taxonomy-copies.js';
import { TermCopies } from '../../../taxonomy/term-copies.js';
import { UserCopies } from '../../../users/rows/user-copies.js';
import { AccountFindings } from './account-findings.js';
import { ALL_UNUSED, type UnusedFrom } from './id-sequences.js';
import type { ImportFindings } from '../../import/import-findings.js';

/** What has to be there before a record. */
export type PrerequisiteKind = 'taxonomy' | 'term' | 'type' | 'user';

/** A line of the file with what it defines. */
export interface Definition {
  readonly kind: PrerequisiteKind;
  readonly file: string;
  readonly line: number;
  readonly data: unknown;
}

/** The services that take over the prerequisites of records. */
@Injectable()
export class PrerequisiteServices {
  constructor(
    readonly taxonomies: TaxonomyCopies,
    readonly terms: TermCopies,
    readonly types: TypeCopies,
    readonly users: UserCopies,
  ) {}
}

/** How users are taken over. */
interface UserOptions {
  readonly isDryRun: boolean;
  readonly withAccounts: boolean;
  readonly actor: Caller;
  readonly file: string;
  /** The file is not whole, so nothing of it decides who may sign in. */
  readonly isRefused: boolean;
}

/** Terms of one unit of work, which must not take long on a cluster: each has three statements of its own. */
const TERMS_TOGETHER = 200;

/** Taxonomies, terms, types and users of one file, and what they are here. */
export class CopyPrerequisites {
  /** Ids here by ids in the file. */
  readonly termIds = new Map<number, number>();
  readonly userIds = new Map<number, number>();
  readonly types = new Map<string, TypeCopyResult>();
  private readonly taxonomies = new Set<string>();
  private readonly waiting = new Map<PrerequisiteKind, Definition[]>();
  private readonly lostFields = new Set<string>();
  private unusedFrom = ALL_UNUSED;
  private readonly isDryRun: boolean;
  private readonly accounts: AccountFindings;

  constructor(
    private readonly services: PrerequisiteServices,
    private readonly findings: ImportFindings,
    private readonly users: UserOptions,
  ) {
    this.isDryRun = users.isDryRun;
    this.accounts = new AccountFindings(findings, users.withAccounts);
  }

  begin(unusedFrom: UnusedFrom): void {
    this.unusedFrom = unusedFrom;
  }

  /** Types may point to each other, so they wait until all of them are known. */
  async take(definition: Definition): Promise<void> {
    const { kind } = definition;
    if (kind !== 'term') await this.flushTerms();
    if (kind === 'taxonomy') await this.takeTaxonomy(definition);
    else if (kind === 'user') await this.takeUser(definition);
    else await this.wait(definition);
  }

  /** Takes what waits. */
  async complete(): Promise<void> {
    await this.flushTerms();
    await this.flushTypes();
  }

  /** The id of a field that a type has lost: no other field may ever have it. `null`: one of this type has it here. */
  async lostField(id: string, { type }: TypeCopyResult): Promise<string | null> {
    if (type.fields.some((field) => field.id === id)) return null;
    if (!this.lostFields.has(id) && !this.isDryRun) await this.services.types.reserve(id);
    this.lostFields.add(id);
    return id;
  }

  /** A term of a history. */
  async termId(id: number): Promise<number> {
    const known = this.termIds.get(id);
    if (known !== undefined || this.isDryRun) return known ?? id;
    const gone = await this.services.terms.gone(id);
    this.termIds.set(id, gone);
    return gone;
  }

  private async wait(definition: Definition): Promise<void> {
    const { kind } = definition;
    const waiting = [...(this.waiting.get(kind) ?? []), definition];
    this.waiting.set(kind, waiting);
    if (kind === 'term' && waiting.length >= TERMS_TOGETHER) await this.flushTerms();
  }

  private async takeTaxonomy(definition: Definition): Promise<void> {
    const { name, result, faults } = await this.services.taxonomies.take(definition.data, { isDryRun: this.isDryRun });
    if (result === 'refused') {
      this.refuse(definition, faults);
      return;
    }
    this.taxonomies.add(name);
    if (result === 'created') this.findings.change(`The taxonomy ${name} is declared.`);
    if (result === 'taken_over') this.findings.change(`The taxonomy ${name} becomes that of the file.`);
  }

  private async takeUser(definition: Definition): Promise<void> {
    if (this.users.isRefused) {
      this.accounts.withheld();
      return;
    }
    const taken = await this.services.users.take(definition.data, {
      isAuthor,
      ...this.users,
      unusedFrom: this.unusedFrom.users,
    });
    if (taken.result === 'refused') {
      this.refuse(definition, taken.faults);
      return;
    }
    this.userIds.set(taken.there, taken.here);
    if (taken.result === 'created') this.accounts.made(taken.email, taken.role);
  }

  private async flushTerms(): Promise<void> {
    const waiting = this.waiting.get('term') ?? [];
    this.waiting.delete('term');
    if (waiting.length === 0) return;
    const bodies = waiting.map(({ data }) => data);
    const { taxonomies, termIds: ids, isDryRun } = this;
    const taken = await this.services.terms.take(bodies, {
      ...{ taxonomies, ids, isDryRun, unusedFrom: this.unusedFrom.terms },
    });
    for (const [at, { result, taxonomy, faults }] of taken.entries()) {
      const definition = waiting[at];
      if (definition && result === 'refused') this.refuse(definition, faults);
      if (result === 'created') this.findings.newTerm(taxonomy);
    }
  }

  private async flushTypes(): Promise<void> {
    const waiting = this.waiting.get('type') ?? [];
    this.waiting.delete('type');
    const fresh = waiting.filter((definition, at) => !this.isRepeated(definition, waiting.slice(0, at)));
    if (fresh.length === 0) return;
    const bodies = fresh.map(({ data }) => data);
    const taken = await this.services.types.take(bodies, {
      taxonomies: [...this.taxonomies],
      unusedFrom: this.unusedFrom.fields,
      isDryRun: this.isDryRun,
    });
    for (const [at, one] of taken.entries()) {
      const definition = fresh[at];
      if (definition && 'faults' in one) this.refuse(definition, one.faults);
      else if (!('faults' in one)) this.keep(one);
    }
  }

  private keep(taken: TypeCopyResult): void {
    const { name, result } = taken;
    this.types.set(name, taken);
    if (result === 'created') this.findings.change(`The content type ${name} is made.`);
    if (result === 'taken_over') this.findings.change(`The content type ${name} becomes that of the file.`);
  }

  private isRepeated(definition: Definition, earlier: readonly Definition[]): boolean {
    const name = nameOf(definition);
    const isRepeated = this.types.has(name) || earlier.some((one) => nameOf(one) === name);
    const message = `The file defines the content type "${name}" twice.`;
    if (isRepeated) this.refuse(definition, [{ field: 'name', rule: 'repeated', message }]);
    return isRepeated;
  }

  private refuse({ file, line }: Definition, faults: readonly Fault[]): void {
    this.findings.refuse(
      '',
      faults.map(({ message }) => ({ file, line, message })),
    );
  }
}

function nameOf({ data }: Definition): string {
  const { name } = (data ?? {}) as { name?: unknown };
  return typeof name === 'string' ? name : '';
}
