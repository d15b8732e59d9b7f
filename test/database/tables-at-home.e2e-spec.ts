import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../support/documented-steps.js';

/** A file of `src` that names tables of other features in its SQL, and why it may. */
interface Guest {
  readonly tables: readonly string[];
  readonly because: string;
}

const GUESTS: Readonly<Record<string, Guest>> = {
  'search/fts5/fts5-reads.ts': {
    tables: ['records'],
    because: 'A hit weighs by its age, which is read beside the index, by id, in the thread that ranks.',
  },
};

const sources = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts') && !file.endsWith('.spec.ts') && !file.startsWith('database/migrations/'))
  .map((file) => ({ file, feature: featureOf(file), text: readFileSync(join(ROOT, 'src', file), 'utf8') }));

/** The feature of each table. */
const owners = new Map(
  sources.flatMap(({ feature, text }) =>
    [...text.matchAll(/@Entity\((?:\{[^}]*\bname: )?'(\w+)'/g)].map(([, table = '']) => [table, feature] as const),
  ),
);

/** A table behind a word of SQL, or given to a helper that makes a statement of it (`deleteAll`, `idsBy`). */
const NAMED = new RegExp(
  `(?:\\b(?:FROM|JOIN|INTO|UPDATE|TABLE)\\s+["\`]?|\\btable: '(?=\\w+',\\s+(?:condition|key: ')))(${[...owners.keys()].join('|')})\\b`,
  'g',
);

function featureOf(file: string): string {
  return file.split('/')[0] ?? '';
}

/** The tables of other features that a text names, in the order of the alphabet. */
function foreignTables(feature: string, text: string): string[] {
  const tables = [...text.matchAll(NAMED)].map(([, table = '']) => table);
  return [...new Set(tables.filter((table) => owners.get(table) !== feature))].sort();
}

describe('Tables stay at home', () => {
  it('finds the tables of the features, and statements that name them', () => {
    expect(owners.get('terms')).toBe('taxonomy');
    const sql = 'SELECT t.name FROM records r\n JOIN terms t, UPDATE users SET, INSERT INTO search_jobs';
    expect(foreignTables('records', sql)).toEqual(['search_jobs', 'terms', 'users']);
    const call = "deleteAll(manager, dialect, { table: 'revisions', condition: 'record_id = ?', values })";
    expect(foreignTables('search', call)).toEqual(['revisions']);
    expect(foreignTables('revisions', call)).toEqual([]);
  });

  it('names the tables of other features in the listed files alone, and no more of them than these need', () => {
    const found = sources.map(({ file, feature, text }) => [file, foreignTables(feature, text)] as const);
    const allowed = Object.entries(GUESTS).map(([file, { tables }]) => [file, tables] as const);
    expect(Object.fromEntries(found.filter(([, tables]) => tables.length > 0))).toEqual(Object.fromEntries(allowed));
  });
});
