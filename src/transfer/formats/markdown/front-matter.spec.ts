import { items, problems, readOne } from '../../../../test/support/import-files.js';
import { readMarkdown } from './markdown.js';

async function one(content: string | Buffer, name = 'a.md') {
  const entries = await readOne(readMarkdown, name, content);
  return { entries, item: items(entries)[0], problems: problems(entries) };
}

describe('front matter of Zola and Hugo', () => {
  const TOML = `+++
title = "A day"
date = 2024-02-29
draft = false
weight = 3

[taxonomies]
tags = ["Night sky", "optics"]
categories = ["News"]

[extra]
author = "Ann"
status = "of the theme"
seen = 2024-02-29T10:30:00-05:00
+++

Text.
`;

  it('in TOML gives moment, terms, and what its tables say', async () => {
    const { item, problems: found } = await one(TOML);

    expect(found).toEqual([]);
    expect(item).toMatchObject({
      title: 'A day',
      status: 'published',
      body: 'Text.',
      createdAt: Date.UTC(2024, 1, 29),
      values: {
        weight: { value: 3, line: 5 },
        'extra.status': { value: 'of the theme', line: 13 },
        seen: { line: 14 },
      },
    });
    expect(Object.entries(item?.terms ?? {}).map(([name, of]) => [name, of.map((term) => term.name)])).toEqual([
      ['category', ['News']],
      ['tag', ['Night sky', 'optics']],
      ['author', ['Ann']],
    ]);
  });

  it('in TOML that is wrong is refused with the line', async () => {
    const { problems: found } = await one('+++\ntitle = "A"\ntitle = "B"\n+++\n');

    expect(found).toEqual([expect.stringMatching(/^a\.md:3 The front matter is not valid TOML: .+\.$/)]);
  });

  it.each([
    [
      '---\ntitle: 007\nslug: 0777\ntags: [1.10, v2.0, 2014, 1.5]\nid: 9007199254740993\ndata: {a: 1.10, b: 007, c: 0.5}\n---\n',
      { a: 1.1, b: '007', c: 0.5 },
    ],
    [
      '+++\ntitle = "007"\nslug = "0777" # 1.10\ntags = ["1.10", "v2.0", 2_014, 1.5]\nid = 9007199254740993\ndata = "1.10"\n+++\n',
      '1.10',
    ],
    ['{"title":"007","slug":"0777","tags":[1.10,"v2.0",2014,1.5],"id":9007199254740993,"data":"1.10"}\n', '1.10'],
  ])('has numbers as they are written: %j', async (content, data) => {
    const { item, problems: found } = await one(content);

    expect(found).toEqual([]);
    expect(item).toMatchObject({ title: '007', slug: '0777', values: { data: { value: data } } });
    expect(item?.terms.tag?.map(({ name }) => name)).toEqual(['1.10', 'v2.0', '2014', '1.5']);
    expect(item?.values.id).toMatchObject({ value: expect.stringMatching(/^9007199254740993/) });
  });

  it('in JSON gives the same', async () => {
    const { item, problems: found } = await one(
      '{\n  "title": "A } day",\n  "date": "2024-02-29",\n  "tags": ["x"],\n  "params": {"mood": "calm"}\n}\n\nText.\n',
    );

    expect(found).toEqual([]);
    expect(item).toMatchObject({
      title: 'A } day',
      body: 'Text.',
      createdAt: Date.UTC(2024, 1, 29),
      values: { mood: { value: 'calm' } },
      terms: { tag: [{ name: 'x' }] },
    });
  });

  it('is not a text that begins with a brace', async () => {
    const { item } = await one('{{< figure >}}\n\nText.\n');

    expect(item).toMatchObject({ status: 'draft', body: '{{< figure >}}\n\nText.' });
  });
});

describe('front matter that is nested without end', () => {
  const ofDepth = (depth: number) => `---\na: ${'['.repeat(depth)}${']'.repeat(depth)}\n---\n`;

  it('is read to 64 levels', async () => {
    expect((await one(ofDepth(64))).problems).toEqual([]);
  });

  it.each([
    ofDepth(65),
    ofDepth(40_000),
    `---\na: ${'{b: '.repeat(9_000)}\n---\n`,
    `---\n${'- '.repeat(40_000)}a\n---\n`,
  ])('is refused in one sentence: %#', async (content) => {
    expect((await one(content)).problems).toEqual(['a.md:1 The front matter is nested deeper than 64 levels.']);
  });

  it('is reported with ten faults at most', async () => {
    const { problems: found } = await one(`---\n${'a: b: c\n'.repeat(100)}---\n`);

    expect(found).toHaveLength(10);
  });
});
