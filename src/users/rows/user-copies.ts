import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Audit } from '../../audit/audit.js';
import { isAudited } from '../../audit/user-events.js';
import type { Caller } from '../../common/access/caller.js';
import { Clock } from '../../common/clock.js';
import type { Fault } from '../../common/errors/domain-error.js';
import { MAX_ID } from '../../common/id.js';
import { faultsOf } from '../../common/schema/faults.js';
import { NO_CONTROLS } from '../../common/schema/formats.js';
import type { JsonSchema } from '../../common/schema/json-schema.js';
import { compile } from '../../common/schema/validator.js';
import { withoutLineControls } from '../../common/text/one-line.js';
import type { Reader } from '../../database/statements/reads.js';
import { execute, select } from '../../database/statements/statement.js';
import { UnitOfWork } from '../../database/units/unit-of-work.js';
import { emailAddress, type EmailAddress } from './email-address.js';
import { DEFAULT_ROLE, ROLES, type Role } from '../roles/roles.js';

/** What became of a user of another database. */
export type UserCopyResult =
  | { readonly result: 'used'; readonly there: number; readonly here: number }
  | {
      readonly result: 'created';
      readonly there: number;
      readonly here: number;
      readonly email: string;
      /** The role that the file gives. */
      readonly role: Role;
    }
  | { readonly result: 'refused'; readonly faults: readonly Fault[] };

/** A user without anything secret, as the database keeps them. */
export interface CopiedUserRow {
  readonly id: number | string;
  readonly email: string;
  readonly name: string;
  readonly role: string;
  readonly disabled_at: number | string | null;
  readonly created_at: number | string;
  readonly updated_at: number | string;
}

/** The next users by id, to be taken over by another database. */
export function copiedUsersAfter(reader: Reader, id: number, most: number): Promise<CopiedUserRow[]> {
  const sql = `SELECT id, email, name, role, disabled_at, created_at, updated_at FROM users WHERE id > ? ORDER BY id LIMIT ${most}`;
  return reader.select<CopiedUserRow>(sql, [id]);
}

/** How users are taken over. */
interface Taking {
  /** From this id on none was ever handed out here. */
  readonly unusedFrom: number;
  /** Whether anything was written by the user of an id, who may be gone by now. */
  readonly isAuthor: (manager: EntityManager, id: number) => Promise<boolean>;
  readonly isDryRun: boolean;
  /** Whether they get the roles of the file, and may sign in. Otherwise they are viewers, and disabled. */
  readonly withAccounts: boolean;
  /** Who takes them, and out of which file: for the audit. */
  readonly actor: Caller;
  readonly file: string;
}

interface CopyBody {
  readonly id: number;
  readonly email: string;
  readonly name: string;
  readonly role: Role;
  readonly disabled_at: string | null;
  readonly created_at: string;
  readonly updated_at: string;
}

const TIME: JsonSchema = { type: 'string', format: 'date-time' };
const COPY: JsonSchema = {
  type: 'object',
  properties: {
    id: { type: 'integer', minimum: 1, maximum: MAX_ID },
    email: { type: 'string' },
    name: { type: 'string', minLength: 1, maxLength: 255, pattern: NO_CONTROLS, 'x-not-blank': true },
    role: { type: 'string', enum: ROLES },
    ...{ disabled_at: { ...TIME, type: ['string', 'null'] }, created_at: TIME, updated_at: TIME },
  },
  required: ['id', 'email', 'name', 'role', 'disabled_at', 'created_at', 'updated_at'],
  additionalProperties: false,
};
const COLUMNS =
  'id, email, email_key, name, role, password_hash, password_changed_at, email_verified_at, disabled_at, created_at, updated_at';

const validate = compile(COPY);

/** Takes users over from another database, without a password. One whose mailbox has an account here stays as they are. */
@Injectable()
export class UserCopies {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly audit: Audit,
    private readonly clock: Clock,
  ) {}

  async take(given: unknown, taking: Taking): Promise<UserCopyResult> {
    const faults = faultsOf(validate(given), new Set());
    // The schema has said so.
    const copy = given as CopyBody;
    const email = faults.length === 0 ? emailAddress(copy.email) : null;
    if (!email) return { result: 'refused', faults: faults.length > 0 ? faults : [noAddress()] };
    const created = { result: 'created', there: copy.id, email: email.address, role: copy.role } as const;
    return this.unitOfWork.run(async (manager) => {
      const known = await idByKey(manager, email.key);
      if (known !== null) return { result: 'used', there: copy.id, here: known };
      if (taking.isDryRun) return { ...created, here: copy.id };
      return { ...created, here: await this.add(manager, copy, email, taking) };
    });
  }

  /** @returns the id that the user has here */
  private async add(manager: EntityManager, copy: CopyBody, email: EmailAddress, taking: Taking): Promise<number> {
    const isFree = copy.id >= taking.unusedFrom && (await isUnused(manager, copy.id, taking));
    const role = taking.withAccounts ? copy.role : DEFAULT_ROLE;
    const disabledAt = copy.disabled_at === null ? null : Date.parse(copy.disabled_at);
    const { insertId } = await execute(
      manager,
      `INSERT INTO users (${COLUMNS}) VALUES (?, ?, ?, ?, ?, NULL, NULL, NULL, ?, ?, ?)`,
      [
        ...[isFree ? copy.id : null, email.address, email.key, nameOf(copy), role],
        ...[taking.withAccounts ? disabledAt : (disabledAt ?? this.clock.now())],
        ...[Date.parse(copy.created_at), Date.parse(copy.updated_at)],
      ],
    );
    const userId = isFree ? copy.id : insertId;
    const { actor, file } = taking;
    const event = { event: 'user.created', outcome: 'success', userId, email: email.address, actor } as const;
    await this.audit.add(manager, { ...event, details: { role, file } });
    return userId;
  }
}

/** On one line, also where the other database has taken a name of several. */
function nameOf({ name, email }: CopyBody): string {
  return withoutLineControls(name) || email;
}

function noAddress(): Fault {
  return { field: 'email', rule: 'email', message: 'email must be an e-mail address such as ann@example.com.' };
}

/** Whether no user has this id, and none who is gone had it: records and the audit would take another one for them. */
async function isUnused(manager: EntityManager, id: number, { isAuthor }: Taking): Promise<boolean> {
  const rows = await select(manager, 'SELECT 1 FROM users WHERE id = ?', [id]);
  return rows.length === 0 && !(await isAudited(manager, id)) && !(await isAuthor(manager, id));
}

async function idByKey(manager: EntityManager, key: string): Promise<number | null> {
  const rows = await select<{ id: number | string }>(manager, 'SELECT id FROM users WHERE email_key = ?', [key]);
  return rows[0] ? Number(rows[0].id) : null;
}
