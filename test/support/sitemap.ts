import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { SaxesParser } from 'saxes';
import { memoryPages, validateXML } from 'xmllint-wasm';
import { Writer } from '../../src/database/statements/writer.js';
import { UnitOfWork } from '../../src/database/units/unit-of-work.js';
import { PartCounts } from '../../src/sitemap/part-counts.js';
import type { TestApp } from './test-app.js';

const ROOT = resolve(__dirname, '../..');
const SITEMAP_XSD = readFileSync(join(ROOT, 'node_modules/sitemap/schema/sitemap.xsd'), 'utf8');
const INDEX_XSD = readFileSync(join(ROOT, 'test/fixtures/sitemap/siteindex.xsd'), 'utf8');
const DIGITS = Array.from({ length: 10 }, (_, d) => `SELECT ${d} AS d`).join(' UNION ALL ');
const NUMBERS = `SELECT a.d + 10 * b.d + 100 * c.d + 1000 * e.d + 10000 * f.d + 100000 * g.d AS i
                   FROM (${DIGITS}) a, (${DIGITS}) b, (${DIGITS}) c, (${DIGITS}) e, (${DIGITS}) f, (SELECT 0 AS d UNION ALL SELECT 1) g`;

/** What an XML parser finds in the `loc` and `lastmod` elements. @throws the text is no well-formed XML */
export function textsOf(xml: string, element: 'loc' | 'lastmod'): string[] {
  const texts: string[] = [];
  const parser = new SaxesParser();
  let text = '';
  parser.on('opentag', () => (text = ''));
  parser.on('text', (piece) => (text += piece));
  parser.on('closetag', ({ name }) => {
    if (name === element) texts.push(text);
  });
  parser.on('error', (error) => {
    throw error;
  });
  parser.write(xml).close();
  return texts;
}

export const locsOf = (xml: string): string[] => textsOf(xml, 'loc');

/** What is wrong with a sitemap or an index of sitemaps by the schema of the protocol. */
export async function schemaFaults(xml: string): Promise<string[]> {
  const isIndex = xml.includes('<sitemapindex');
  const { errors } = await validateXML({
    xml: [{ fileName: 'answer.xml', contents: xml }],
    schema: [isIndex ? INDEX_XSD : SITEMAP_XSD],
    preload: isIndex ? [{ fileName: 'sitemap.xsd', contents: SITEMAP_XSD }] : [],
    initialMemoryPages: memoryPages.GiB / 4,
    maxMemoryPages: memoryPages.GiB,
  });
  return errors.map(({ message }) => message);
}

/** Writes published posts `post-<id>` with these ids past the service. */
export async function bulkPosts({ app }: TestApp, first: number, last: number): Promise<void> {
  const { source } = app.get(Writer);
  await source.query(
    `INSERT INTO records (id, type_id, locale, slug, title, title_key, status, version, created_by, updated_by,
       created_at, updated_at, published_at, trashed_at)
     SELECT n.i, t.id, 'en', CONCAT('post-', n.i), 'Post', 'post', 'published', 1, 1, 1, 1700000000000 + n.i, 1700000000000 + n.i, 1700000000000, 0
       FROM (${NUMBERS}) n JOIN content_types t ON t.name = 'post'
      WHERE n.i BETWEEN ? AND ?`,
    [first, last],
  );
  await source.query(
    "INSERT INTO record_contents (record_id, data) SELECT id, '{}' FROM records WHERE id BETWEEN ? AND ?",
    [first, last],
  );
  // As if they had left the sitemap: their parts are counted again.
  const changed = [first, last].map((id) => ({ id, typeId: 0, status: 'published' as const, wasTrashed: false }));
  await app.get(UnitOfWork).run((manager) => app.get(PartCounts).trashed(manager, changed));
}
