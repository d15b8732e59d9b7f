import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './support/documented-steps.js';

/** A file of `src` that names tables of other features in its SQL, and why it may. */
interface Guest {
  readonly tables: readonly string[];
  readonly because: string;
}

const GUESTS: Readonly<Record<string, Guest>> = {};

/** Files whose statements have not moved to the owners of these tables yet. Nothing is added here. */
const NOT_YET_HOME: Readonly<Record<string, readonly string[]>> = {
  'auth/accounts/acting-admin-check.ts': ['users'],
  'auth/api-tokens/token-caller.ts': ['users'],
  'auth/api-tokens/unattended-tokens.ts': ['users'],
  'auth/caller-reader.ts': ['users'],
  'auth/invitations/invitations.service.ts': ['users'],
  'auth/providers/link-tickets.ts': ['users'],
  'auth/sessions/live-sessions.ts': ['users'],
  'auth/sessions/new-devices.ts': ['auth_events'],
  'demo/demo.ts': ['content_types', 'records'],
  'demo/seed.ts': ['records'],
  'records/contents-check.ts': ['content_types'],
  'records/look-alikes.ts': ['content_types', 'taxonomies', 'terms'],
  'records/rows/latest-write.ts': ['content_types'],
  'records/terms/held-visibly.ts': ['taxonomies', 'terms'],
  'records/terms/type-taxonomies.ts': ['content_types', 'taxonomies'],
  'records/types/record-type-usage.ts': ['content_types'],
  'revisions/history-check.ts': ['content_types', 'records'],
  'revisions/retention/retention.service.ts': ['records'],
  'revisions/revision-rows.ts': ['records'],
  'revisions/rollback/rollback-planner.ts': ['record_fields', 'records'],
  'revisions/term-names.ts': ['term_redirects', 'terms'],
  'search/fts5/fts5-search-index.ts': ['records'],
  'search/record-batches.ts': ['record_fields', 'records'],
  'search/search-documents.ts': ['terms'],
  'sitemap/part-counts.ts': ['content_types'],
  'sitemap/repeated-addresses.ts': ['records'],
  'sitemap/sitemap-urls.ts': ['records'],
  'transfer/backup/mentioned-ids.ts': [
    'actors',
    'api_tokens',
    'auth_events',
    'content_fields',
    'record_contents',
    'record_counts',
    'record_fields',
    'records',
    'revisions',
    'term_counts',
    'term_redirects',
  ],
  'transfer/backup/restore.ts': ['search_jobs'],
  'transfer/lossless/content-reads.ts': [
    'actors',
    'content_fields',
    'content_types',
    'records',
    'taxonomies',
    'term_redirects',
    'terms',
    'users',
  ],
  'transfer/lossless/orphans.ts': [
    'content_types',
    'record_counts',
    'records',
    'taxonomies',
    'term_redirects',
    'terms',
  ],
  'transfer/lossless/sound-revisions.ts': ['revisions'],
  'transfer/lossless/sound-rows.ts': ['record_contents'],
  'users/user-copies.ts': ['actors', 'auth_events'],
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

/** A table behind a word of SQL, or given to a helper that makes a statement of it. */
const NAMED = new RegExp(
  `(?:\\b(?:FROM|JOIN|INTO|UPDATE|TABLE)\\s+|\\btable: ')["\`]?(${[...owners.keys()].join('|')})\\b`,
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
  });

  it('names the tables of a feature in its own files only', () => {
    const found = sources.map(({ file, feature, text }) => [file, foreignTables(feature, text)] as const);
    const guests = Object.entries(GUESTS).map(([file, { tables }]) => [file, tables] as const);
    const allowed = { ...NOT_YET_HOME, ...Object.fromEntries(guests) };
    expect(Object.fromEntries(found.filter(([, tables]) => tables.length > 0))).toEqual(allowed);
  });
});
