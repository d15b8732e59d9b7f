import { MAX_ID } from '../../common/id.js';
import type { Reader } from '../../database/statements/reads.js';
import { ROLES } from '../roles/roles.js';

/** A column of a user that holds what the service never writes. */
export interface DamagedUser {
  readonly id: number;
  readonly column: string;
  /** What the column should hold, such as `a time`. */
  readonly expected: string;
}

type Row = Readonly<Record<string, unknown>>;
type Rule = readonly [columns: readonly string[], isValid: (value: unknown) => boolean, expected: string];

const PORTION = 1_000;
/** The end of the year 9999, milliseconds since 1970, UTC. */
const LAST_MS = 253_402_300_799_999;
const TIME = 'a time in milliseconds since 1970';

const RULES: readonly Rule[] = [
  [['id'], (value) => isWholeWithin(value, 1, MAX_ID), `a number from 1 to ${MAX_ID}`],
  [['email', 'email_key', 'name'], isFilledText, 'a text'],
  [['role'], isRole, `one of ${ROLES.join(', ')}`],
  [['issuer_role'], (value) => value === null || isRole(value), `NULL or one of ${ROLES.join(', ')}`],
  [['created_at', 'updated_at'], isTime, TIME],
  [
    ['password_changed_at', 'password_given_at', 'email_verified_at', 'disabled_at'],
    (value) => value === null || isTime(value),
    `NULL or ${TIME}`,
  ],
];
const COLUMNS = RULES.flatMap(([columns]) => columns).join(', ');

/** Columns of users that hold what the service never writes, by the ids of the users. Reads all users, some at a time. */
export async function* damagedUsers(reader: Reader): AsyncGenerator<DamagedUser> {
  for (let after = -Number.MAX_SAFE_INTEGER; ;) {
    const rows = await reader.select<Row>(`SELECT ${COLUMNS} FROM users WHERE id > ? ORDER BY id LIMIT ${PORTION}`, [
      after,
    ]);
    for (const row of rows) yield* damageOf(row);
    if (rows.length < PORTION) return;
    after = Number(rows.at(-1)?.id);
  }
}

function* damageOf(row: Row): Generator<DamagedUser> {
  for (const [columns, isValid, expected] of RULES) {
    for (const column of columns) if (!isValid(row[column])) yield { id: Number(row.id), column, expected };
  }
}

function isRole(value: unknown): boolean {
  return ROLES.some((role) => role === value);
}

function isFilledText(value: unknown): boolean {
  return typeof value === 'string' && value.trim() !== '';
}

function isTime(value: unknown): boolean {
  return isWholeWithin(value, 0, LAST_MS);
}

/** Servers hand long numbers out as text; SQLite keeps any text in the place of a number. */
function isWholeWithin(value: unknown, least: number, most: number): boolean {
  const number = typeof value === 'string' && /^-?\d+$/.test(value) ? Number(value) : value;
  return Number.isInteger(number) && Number(number) >= least && Number(number) <= most;
}
