import { Reads } from '../../../database/statements/reads.js';
import { damagedUsers, type DamagedUser } from '../../../users/rows/damaged-users.js';
import type { Check, OpenDatabase } from '../check.js';

const MOST_NAMED = 20;

/** Whether the rows of users hold what the service writes. */
export const usersCheck: Check<OpenDatabase> = {
  name: 'users',
  async look({ source }) {
    const named: DamagedUser[] = [];
    let count = 0;
    for await (const damage of damagedUsers(new Reads(source))) if (++count <= MOST_NAMED) named.push(damage);
    if (count === 0) return [{ ok: true, message: 'the rows of all users are as they are written' }];
    const shown = count > named.length ? `, of which the first ${named.length} are named here` : '';
    const message = `Columns of users hold what they cannot: ${count}${shown}. Put them right by an UPDATE of the table users, from a backup where the value is not known.`;
    return [{ ok: false, message }, ...named.map((damage) => ({ ok: false, message: lineOf(damage) }))];
  },
};

function lineOf({ id, column, expected }: DamagedUser): string {
  return `user ${id}: ${column} has to be ${expected}`;
}
