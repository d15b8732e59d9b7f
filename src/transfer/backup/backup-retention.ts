import { readdir, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { unwritable, removeAbandoned } from '../atomic-file.js';

/**
 * Removes the backups of a database that no rule keeps from a folder, and what killed ones have left; no other file.
 *
 * @param written path of the backup that was just written: it stays, whatever times the others claim. Its name says which database
 * @param now milliseconds since 1970, UTC
 * @returns their names, the newest first, and then those of what was left; and the backups that are of the future by their names
 * @throws {TransferError} one of them cannot be removed
 */
export async function removeExpired(
  written: string,
  rules: readonly KeepRule[],
  now: number,
): Promise<{ readonly removed: readonly string[]; readonly ahead: readonly string[] }> {
  const folder = dirname(written);
  const own = identityInName(basename(written));
  const names = (await readdir(folder)).filter((name) => own !== null && identityInName(name) === own);
  const expired = expiredBackups(names, rules, now).filter((name) => name !== basename(written));
  for (const name of expired) {
    await rm(join(folder, name), { force: true }).catch((error: unknown) => {
      throw unwritable(join(folder, name), error);
    });
  }
  const left = await removeAbandoned(written, (name) => own !== null && identityInName(name) === own).catch(
    (error: unknown) => {
      throw unwritable(folder, error);
    },
  );
  return { removed: [...expired, ...left], ahead: backupsAhead(names, now) };
}

/** Lengths of the periods of which a backup is kept. */
type Period = 'h' | 'd' | 'w' | 'm' | 'y';

/** The newest backup of each of so many periods is kept. */
export interface KeepRule {
  readonly count: number;
  readonly period: Period;
}

const RULE = /^([1-9]\d{0,3})([hdwmy])$/;
const NAME = /^cms-([0-9a-f]+)-(\d{4})-(\d{2})-(\d{2})T(\d{2})-(\d{2})-(\d{2})Z\.backup$/;
const DAY_MS = 86_400_000;
/** What another machine with a clock of its own may write. */
const AHEAD_MS = DAY_MS;
/** `2026`, `2026-11`, `2026-11-23`, `2026-11-23T12` */
const TEXT_LENGTHS = { y: 4, m: 7, d: 10, h: 13 } as const;
/** 1970 began on a Thursday, and weeks begin on Mondays. */
const FIRST_MONDAY_MS = 4 * DAY_MS;

/** `7d,4w` -> the newest backup of each of seven days and of each of four weeks; `null`: the text says something else. */
export function keepRules(text: string): readonly KeepRule[] | null {
  const rules = text.split(',').map((part) => RULE.exec(part.trim()));
  return rules.every((found) => found !== null)
    ? rules.map(([, count, period]) => ({ count: Number(count), period: period as Period }))
    : null;
}

/**
 * `cms-5f1c02ab9e3d4471-2026-01-31T02-00-00Z.backup`: the name of a backup in a folder of them.
 *
 * @param database its identity, in hexadecimal digits
 * @param at milliseconds since 1970, UTC; seconds are what a name has
 */
export function backupName(database: string, at: number): string {
  return `cms-${database}-${new Date(at).toISOString().slice(0, 19).replaceAll(':', '-')}Z.backup`;
}

/** The identity of the database that a backup is of; `null`: {@link backupName} makes no such name. */
export function identityInName(name: string): string | null {
  return NAME.exec(name)?.[1] ?? null;
}

/**
 * Which files of a folder no rule keeps. Names that {@link backupName} does not make are never among them, nor are those
 * of the future. Periods without a backup do not count, so that a pause in the backups removes none.
 *
 * @param names of files of the folder, backups of one database among them
 * @param now milliseconds since 1970, UTC
 */
export function expiredBackups(names: readonly string[], rules: readonly KeepRule[], now: number): string[] {
  const newestFirst = names
    .flatMap((name) => backupOf(name) ?? [])
    .filter(({ at }) => at <= now + AHEAD_MS)
    .sort((a, b) => b.at - a.at);
  const kept = new Set<string>();
  for (const { count, period } of rules) {
    const periods = new Set<number | string>();
    for (const { name, at } of newestFirst) {
      const own = periodOf(at, period);
      if (periods.has(own)) continue;
      if (periods.size === count) break;
      periods.add(own);
      kept.add(name);
    }
  }
  return newestFirst.filter(({ name }) => !kept.has(name)).map(({ name }) => name);
}

/** Backups of a clock that was ahead: they count for no period and expire in none, so that they push out no right one. */
export function backupsAhead(names: readonly string[], now: number): string[] {
  return names.filter((name) => (backupOf(name)?.at ?? 0) > now + AHEAD_MS).sort();
}

function backupOf(name: string): { readonly name: string; readonly at: number } | null {
  const [, , year, month, day, hour, minute, second] = NAME.exec(name) ?? [];
  const at = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
  return Number.isNaN(at) ? null : { name, at };
}

/** The same for all times of a period, UTC: the beginning of their texts, or the number of the week. */
function periodOf(at: number, period: Period): number | string {
  if (period === 'w') return Math.floor((at - FIRST_MONDAY_MS) / (7 * DAY_MS));
  return new Date(at).toISOString().slice(0, TEXT_LENGTHS[period]);
}
