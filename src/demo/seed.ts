import type { INestApplication } from '@nestjs/common';
import { SERVICE, type Caller } from '../common/access/caller.js';
import { Clock } from '../common/clock.js';
import { ContentTypesService } from '../content-types/store/content-types.service.js';
import { rulesOf } from '../content-types/definition/field-identity.js';
import { TypeManagement } from '../content-types/changes/type-management.js';
import { Reads } from '../database/statements/reads.js';
import { lastRecordId } from '../records/rows/record-portions.js';
import { RecordsService } from '../records/records.service.js';
import { TermManagementService } from '../taxonomy/terms/term-management.service.js';
import { TermsService } from '../taxonomy/terms/terms.service.js';
import { demoRecords, type DemoRecord } from './demo-content.js';
import { CATEGORIES, PERSON, POST_FIELDS } from './demo-types.js';

/** How many records of each kind were made. */
export interface Seeded {
  readonly posts: number;
  readonly pages: number;
  readonly people: number;
}

/**
 * Fills a database that has no record yet with the pages of a small observatory.
 *
 * @returns `null` where there are records already: what users have changed or deleted stays as it is
 */
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

/** Ids of the new records, by slug. */
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
