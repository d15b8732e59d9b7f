import type { INestApplication } from '@nestjs/common';
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { SERVICE, type Caller } from '../common/access/caller.js';
import { Clock } from '../common/clock.js';
import { ContentTypesService } from '../content-types/store/content-types.service.js';
import { rulesOf } from '../content-types/definition/field-definition.js';
import { TypeManagement } from '../content-types/changes/type-management.js';
import { Reads } from '../database/statements/reads.js';
import { lastRecordId } from '../records/rows/record-portions.js';
import { RecordsService } from '../records/records.service.js';
import { TermManagementService } from '../taxonomy/terms/term-management.service.js';
import { TermsService } from '../taxonomy/terms/terms.service.js';

export interface Seeded {
  readonly posts: number;
  readonly pages: number;
  readonly people: number;
}

/** Fills an empty database with the pages of a small observatory. @returns `null`: there are records already */
export async function seed(app: INestApplication, caller: Caller): Promise<Seeded | null> {
  if (!(await isUntouched(app))) return null;
  await seedTypes(app);
  await seedCategories(app);
  const people = await seedRecords(app, 'person', demoRecords('people'), caller);
  const pages = await seedRecords(app, 'page', demoRecords('pages'), caller);
  const written = demoRecords('posts').map((post) => ({ ...post, author: people.get(post.author ?? '') }));
  const posts = await seedRecords(app, 'post', written, caller);
  return { posts: posts.size, pages: pages.size, people: people.size };
}

async function isUntouched(app: INestApplication): Promise<boolean> {
  if ((await lastRecordId(app.get(Reads))) > 0) return false;
  const types = app.get(ContentTypesService);
  const post = await types.find('post');
  const hasTerms = post !== null && ['category', 'tag'].every((taxonomy) => post.taxonomies.includes(taxonomy));
  return hasTerms && (await types.find('page')) !== null;
}

/** Types may be there from an earlier start, when all records were deleted since. */
async function seedTypes(app: INestApplication): Promise<void> {
  const types = app.get(ContentTypesService);
  const management = app.get(TypeManagement);
  if (!(await types.find(PERSON.name))) await management.create(PERSON, SERVICE);
  const post = await types.require('post');
  const known = post.fields.map(rulesOf);
  const added = POST_FIELDS.filter(({ name }) => !post.fieldsByName.has(name));
  await management.change(post, { fields: [...known, ...added] }, { confirm: null, caller: SERVICE });
}

/** Categories may be there from an earlier start as well. */
async function seedCategories(app: INestApplication): Promise<void> {
  const terms = app.get(TermsService);
  for (const { name, slug, under } of CATEGORIES) {
    if (await terms.find('category', slug)) continue;
    const parent = under === undefined ? null : await terms.find('category', under);
    await app.get(TermManagementService).create({ type: 'category', name, slug, parent_id: parent?.id ?? null });
  }
}

async function seedRecords(
  app: INestApplication,
  typeName: string,
  records: readonly (Omit<DemoRecord, 'author'> & { author?: number | string | undefined })[],
  caller: Caller,
): Promise<Map<string, number>> {
  const type = await app.get(ContentTypesService).require(typeName);
  const now = app.get(Clock).now();
  const ids = new Map<string, number>();
  for (const { published_at: publishedAt, ...record } of records) {
    const body = { ...record, ...(publishedAt === undefined ? {} : { published_at: notAfter(now, publishedAt) }) };
    const { id } = await app.get(RecordsService).create(type, body, caller);
    ids.set(record.slug, id);
  }
  return ids;
}

/** The service takes no date of publication in the future, and a clock may be set to any year. */
function notAfter(now: number, instant: string): string {
  return new Date(Math.min(now, Date.parse(instant))).toISOString();
}

/** A record of the demo as its file has it: with the fields of its type, but for the author, who is a slug. */
interface DemoRecord {
  readonly title: string;
  readonly slug: string;
  readonly body: string;
  readonly status: string;
  readonly published_at?: string;
  readonly terms?: Readonly<Record<string, readonly string[]>>;
  readonly author?: string;
}

const FOLDER = join(import.meta.dirname, 'content');
/** A head of JSON, which is YAML too, so that every reader of Markdown shows it as a table. */
const FILE = /^---\n(?<head>.*?)\n---\n(?<body>.*)$/s;

function demoRecords(folder: 'people' | 'pages' | 'posts'): DemoRecord[] {
  return readdirSync(join(FOLDER, folder))
    .sort()
    .map((file) => demoRecord(join(FOLDER, folder, file)));
}

function demoRecord(file: string): DemoRecord {
  const { head = '', body = '' } = FILE.exec(readFileSync(file, 'utf8'))?.groups ?? {};
  const fields = JSON.parse(head) as Omit<DemoRecord, 'slug' | 'body'>;
  // The number in front of a name is its place in the order.
  return { slug: basename(file, '.md').replace(/^\d+-/, ''), ...fields, body: body.trim() };
}

const PERSON = {
  name: 'person',
  label: 'Person',
  label_plural: 'People',
  description: 'Who runs the observatory.',
  url_path: '/people/{slug}',
  fields: [
    { name: 'role', type: 'string', label: 'Role', required: true, max_length: 100 },
    { name: 'since', type: 'integer', label: 'With us since', min: 1900, max: 2100, indexed: true },
  ],
};

const POST_FIELDS = [
  { name: 'excerpt', type: 'text', label: 'Excerpt', description: 'What lists show.' },
  { name: 'author', type: 'relation', label: 'Author', to: ['person'], indexed: true },
  { name: 'reading_minutes', type: 'integer', label: 'Minutes to read', min: 1, max: 120, indexed: true },
  {
    name: 'equipment',
    type: 'enum',
    label: 'What you need',
    values: ['none', 'naked eye', 'binoculars', 'telescope'],
    indexed: true,
  },
];

/** Categories that the demo adds; one that stands under another comes after it. */
const CATEGORIES: readonly { readonly name: string; readonly slug: string; readonly under?: string }[] = [
  { name: 'News', slug: 'news' },
  { name: 'Observing', slug: 'observing' },
  { name: 'Sun and Moon', slug: 'sun-and-moon', under: 'observing' },
  { name: 'Planets', slug: 'planets', under: 'observing' },
  { name: 'Meteors', slug: 'meteors', under: 'observing' },
  { name: 'Deep sky', slug: 'deep-sky', under: 'observing' },
  { name: 'Science', slug: 'science' },
  { name: 'Workshop', slug: 'workshop' },
];
