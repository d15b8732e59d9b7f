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
