import { join } from 'node:path';
import { entriesOf, FIXTURES, items, problems, readOne } from '../../../../test/support/import-files.js';
import type { ImportEntry } from '../import-entry.js';
import { readWxr } from './wxr.js';

const HEAD = '<rss><channel>';
const ITEM = '<item><title>A</title><wp:post_id>1</wp:post_id><wp:status>publish</wp:status></item>';

function counts(entries: readonly ImportEntry[]): Record<string, number> {
  const found: Record<string, number> = {};
  for (const entry of entries) if (entry.kind === 'leftover') found[entry.what] = (found[entry.what] ?? 0) + 1;
  return found;
}

describe('an export of WordPress', () => {
  let entries: ImportEntry[];

  beforeAll(async () => {
    entries = await entriesOf(readWxr, join(FIXTURES, 'site.xml'));
  });

  it('gives a post with its slug, time, excerpt, terms, author and public settings', () => {
    expect(items(entries)[0]).toMatchObject({
      key: '10',
      type: 'post',
      title: 'Seven evenings',
      slug: 'αβ',
      status: 'published',
      body: '<p>The moon & we.</p>',
      createdAt: Date.UTC(2013, 4, 7, 19, 55, 41),
      line: 27,
      values: { excerpt: { value: 'Short.' }, sticky: { value: true }, rating: { value: '4' } },
      terms: {
        category: [{ name: 'Moon', slug: 'moon' }],
        tag: [{ name: 'Optics', slug: 'optics' }],
        author: [{ name: 'Mira Halvorsen', slug: 'mira' }],
      },
    });
  });

  it('gives terms with their parents, parents first', () => {
    const terms = entries.filter((entry) => entry.kind === 'term');

    expect(terms.map(({ taxonomy, slug, name, parent }) => [taxonomy, slug, name, parent])).toEqual([
      ['author', 'mira', 'Mira Halvorsen', null],
      ['category', 'sky', 'Sky & space', null],
      ['category', 'moon', 'Moon', 'sky'],
      ['tag', 'optics', 'Optics', null],
    ]);
  });

  it('makes nothing more public than it was, and says so', () => {
    const notes = items(entries).map(({ key, status, notes: remarks }) => [
      key,
      status,
      ...remarks.map(({ message }) => message),
    ]);

    expect(notes).toEqual([
      ['10', 'published'],
      ['11', 'draft', 'It is protected by a password, so it becomes a draft. The password is not kept.'],
      ['12', 'draft', 'It is private, so it becomes a draft.'],
      ['13', 'published', 'There is no title, so it is made from the slug.'],
      ['16', 'published'],
    ]);
  });

  it('takes the time of the site where there is none in UTC', () => {
    expect(items(entries)[2]?.createdAt).toBe(Date.UTC(2014, 1, 1, 12));
  });

  it('counts what has no place', () => {
    expect(counts(entries)).toEqual({
      'settings of the site': 1,
      'e-mail addresses of authors': 1,
      'terms of nav_menu': 1,
      'terms of post_format on items': 1,
      'internal settings of WordPress (_…)': 1,
      comments: 2,
      'parents of pages': 1,
      'orders of pages': 1,
      attachments: 1,
      'items of the trash': 1,
    });
  });
});

describe('a file that claims to be an export of WordPress', () => {
  it.each([
    ['<!DOCTYPE rss [<!ENTITY a "b">]><rss/>', /^x\.xml:1 The file has a document type/],
    ['<?xml version="1.0" encoding="ISO-8859-1"?><rss/>', /^x\.xml:1 The file says that it is in ISO-8859-1\./],
    [`${HEAD}${'<a>'.repeat(100)}`, /nested deeper than 64/],
    [
      `${HEAD}\n<item><title>&xxe;</title></item></channel></rss>`,
      /^x\.xml:2 The file is not well-formed XML from here on: undefined entity/,
    ],
    [
      `${HEAD}<title>Blog</title>\n<item><title>A</title><description>Text</description></item></channel></rss>`,
      /^x\.xml:2 The file has no item, term or author of WordPress/,
    ],
    [
      '<?xml version="1.0"?>\n<feed xmlns="http://www.w3.org/2005/Atom"><title>A</title><entry><title>B</title></entry></feed>',
      /^x\.xml:2 The file has <feed> where <rss> belongs, so it is no export of WordPress\. Make one under Tools, Export\.$/,
    ],
    ['<rdf:RDF><channel><title>A</title></channel></rdf:RDF>', /^x\.xml:1 The file has <rdf:RDF> where <rss> belongs/],
    [`${HEAD}<title>A</title></channel></rss>`, /^x\.xml:0 The file has no item, term or author of WordPress/],
    [
      `${HEAD}<title>A</title><wp:wxr_version>1.2</wp:wxr_version></channel></rss>`,
      /^x\.xml:0 The file has no item, term or author of WordPress.* choose All content\.$/,
    ],
    ['<html></html>', /^x\.xml:1 The file has <html> where <rss> belongs/],
    ['', /^x\.xml:\d The file is not well-formed XML/],
    [Buffer.from('<rss><channel><title>caf\xe9</title></channel></rss>', 'latin1'), /neither UTF-8/],
  ])('is refused: %s', async (content, problem) => {
    const entries = await readOne(readWxr, 'x.xml', content);

    expect(problems(entries)).toEqual([expect.stringMatching(problem)]);
    expect(items(entries)).toEqual([]);
  });

  it.each(['1.0', '1.1', '1.2', '1.3'])('is read whatever version of the format it says: %s', async (version) => {
    const name = `xmlns:wp="http://wordpress.org/export/${version}/"`;
    const content = `<rss ${name}><channel><wp:wxr_version>${version}</wp:wxr_version>${ITEM}</channel></rss>`;

    const entries = await readOne(readWxr, 'x.xml', content);

    expect([problems(entries), items(entries).map(({ title }) => title)]).toEqual([[], ['A']]);
  });

  it('is read where it has terms and no items', async () => {
    const content = `${HEAD}<wp:tag><wp:tag_slug>a</wp:tag_slug><wp:tag_name>A</wp:tag_name></wp:tag></channel></rss>`;

    const entries = await readOne(readWxr, 'x.xml', content);

    expect(entries).toEqual([expect.objectContaining({ kind: 'term', slug: 'a' })]);
  });

  it('and ends in the middle gives what was whole', async () => {
    const entries = await readOne(readWxr, 'x.xml', `${HEAD}${ITEM}\n<item><title>B</ti`);

    expect(items(entries).map(({ title }) => title)).toEqual(['A']);
    expect(problems(entries)).toEqual([expect.stringMatching(/^x\.xml:2 The file is not well-formed XML/)]);
  });

  it('and is broken in the middle gives what was whole before', async () => {
    const entries = await readOne(
      readWxr,
      'x.xml',
      `${HEAD}${ITEM}\n<item><title>&foo;</title></item></channel></rss>`,
    );

    expect(items(entries).map(({ title }) => title)).toEqual(['A']);
    expect(problems(entries)).toEqual([expect.stringMatching(/^x\.xml:2 The file is not well-formed XML/)]);
  });

  it('has entities that are decoded once, and no body is touched', async () => {
    const cdata = (text: string) => `<![CDATA[${text}]]>`;
    const content = `${HEAD}<wp:author><wp:author_login>a</wp:author_login><wp:author_display_name>${cdata('A &amp; B')}</wp:author_display_name></wp:author>
      <wp:tag><wp:tag_slug>x</wp:tag_slug><wp:tag_name>${cdata('X &amp;amp; Y')}</wp:tag_name></wp:tag>
      <item><title>${cdata('Q &amp; A &#8211; <1>')}</title><wp:post_id>1</wp:post_id><dc:creator>a</dc:creator>
      <content:encoded>${cdata('a &amp; b')}</content:encoded><excerpt:encoded>${cdata('&quot;c&quot;')}</excerpt:encoded>
      <category domain="category" nicename="t">${cdata('Tips &amp; Tricks')}</category></item></channel></rss>`;

    const entries = await readOne(readWxr, 'x.xml', content);

    expect(entries.flatMap((entry) => (entry.kind === 'term' ? [entry.name] : []))).toEqual(['A & B', 'X &amp; Y']);
    expect(items(entries)[0]).toMatchObject({
      title: 'Q & A – <1>',
      body: 'a &amp; b',
      values: { excerpt: { value: '"c"' } },
      terms: { category: [{ name: 'Tips & Tricks' }], author: [{ name: 'A & B' }] },
    });
  });

  it('may have characters that XML forbids: they are replaced and counted', async () => {
    const content = `${HEAD}\n<item><title>A\u0008B&#x1F;</title><wp:post_id>1</wp:post_id>
      <content:encoded><![CDATA[a\u000Bb]]></content:encoded></item></channel></rss>`;

    const entries = await readOne(readWxr, 'x.xml', content);

    expect(problems(entries)).toEqual([]);
    expect(items(entries)[0]).toMatchObject({ title: 'A\uFFFDB\uFFFD', body: 'a\uFFFDb' });
    expect(counts(entries)).toEqual({ 'forbidden characters': 3 });
    expect(entries.find(({ kind }) => kind === 'leftover')).toMatchObject({ line: 2 });
  });

  it('can use the words that every object of JavaScript knows', async () => {
    const meta = '<wp:postmeta><wp:meta_key>hasOwnProperty</wp:meta_key><wp:meta_value>v</wp:meta_value></wp:postmeta>';
    const category = '<category domain="constructor" nicename="x">X</category>';
    const status = '<wp:status>constructor</wp:status><wp:post_type>toString</wp:post_type>';
    const term = '<wp:term><wp:term_taxonomy>valueOf</wp:term_taxonomy><wp:term_slug>a</wp:term_slug></wp:term>';

    const entries = await readOne(
      readWxr,
      'x.xml',
      `${HEAD}${term}<item><title>A</title>${status}${meta}${category}</item></channel></rss>`,
    );

    expect(entries[0]).toMatchObject({ kind: 'term', taxonomy: 'valueOf' });
    expect(items(entries)[0]).toMatchObject({
      type: 'toString',
      status: 'draft',
      terms: { constructor: [{ name: 'X' }] },
    });
    expect(Object.keys(items(entries)[0]?.values ?? {})).toEqual(['hasOwnProperty']);
  });

  it('may have a tree of any depth, and circles in it', async () => {
    const one = (slug: string, parent: string) =>
      `<wp:category><wp:category_nicename>${slug}</wp:category_nicename><wp:category_parent>${parent}</wp:category_parent></wp:category>`;
    const chain = Array.from({ length: 20_000 }, (_, at) => one(`c${at}`, `c${at + 1}`)).join('');

    const entries = await readOne(
      readWxr,
      'x.xml',
      `${HEAD}${one('a', 'b')}${one('b', 'a')}${chain}${ITEM}</channel></rss>`,
    );

    const terms = entries.flatMap((entry) => (entry.kind === 'term' ? [entry.slug] : []));
    expect(terms.slice(0, 3)).toEqual(['b', 'a', 'c19999']);
    expect(terms).toHaveLength(20_002);
    expect(items(entries)).toHaveLength(1);
  });

  it('cannot keep an entity bomb: entities are never declared', async () => {
    const bomb =
      '<!DOCTYPE lolz [<!ENTITY lol "lol"><!ENTITY lol2 "&lol;&lol;">]><rss><channel><title>&lol2;</title></channel></rss>';

    const entries = await readOne(readWxr, 'x.xml', bomb);

    expect(problems(entries)).toEqual([expect.stringContaining('document type')]);
  });
});
