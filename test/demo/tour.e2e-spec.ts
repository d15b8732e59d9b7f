import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { differences } from '../support/documented-answer.js';
import { blocksOf, ROOT } from '../support/documented-steps.js';
import { itWorksOnOneDemo } from '../support/documented-walk.js';

const START = ['npm ci', 'npm run demo'];

describe('The start in README.md', () => {
  it('is two commands, of which .ci/run runs the first one and FreshDemo the second one', () => {
    expect(blocksOf('README.md').map(({ text }) => text)).toContain(`${START.join('\n')}\n`);
    expect(readFileSync(join(ROOT, '.ci/run'), 'utf8')).toContain(START[0]);
  });
});

const TOUR = 'docs/tour';
const pages = readdirSync(join(ROOT, TOUR))
  .sort()
  .map((file) => `${TOUR}/${file}`);

describe('README.md and then the tour, on one demo', () => {
  itWorksOnOneDemo(['README.md', `${TOUR}.md`, ...pages]);
});

describe('The tour', () => {
  it('has its pages in its contents, in the order of reading', () => {
    const linked = [...readFileSync(join(ROOT, `${TOUR}.md`), 'utf8').matchAll(/^\d\. \[.*?\]\((.*?)\)/gm)];

    expect(linked.map(([, path = '']) => `docs/${path}`)).toEqual(pages);
  });

  it.each(pages)('has at most 150 lines on %s', (page) => {
    expect(readFileSync(join(ROOT, page), 'utf8').split('\n').length).toBeLessThanOrEqual(151);
  });
});

describe('An answer in a document differs where', () => {
  const block = (language: string, text: string) => ({ language, text, line: 1 });
  const ofJson = (said: unknown, printed: unknown) =>
    differences(block('json', JSON.stringify(said)), JSON.stringify(printed));
  const HTTP = 'HTTP/1.1 200 OK\r\nETag: "1"\r\nDate: today\r\n\r\n{"id":1}';

  it.each([
    ['a value is another', { id: 1 }, { id: 2 }, '$.id is 2, not 1'],
    ['a member is missing', { id: 1, '…': '…' }, {}, '$.id is missing'],
    ['a member is new', { id: 1 }, { id: 1, slug: 'a' }, '$.slug is not in the document'],
    ['an item is missing', { data: [1, 2, '…'] }, { data: [1] }, '$.data has 1 items, not 2'],
    ['an item is new', { data: [1] }, { data: [1, 2] }, '$.data has 2 items, not 1'],
    ['a text is another', { title: 'Moon…' }, { title: 'Sun' }, '$.title is "Sun", not "Moon…"'],
    [
      'a time is none',
      { at: '2026-01-31T00:00:00.000Z' },
      { at: null },
      '$.at is null, not "2026-01-31T00:00:00.000Z"',
    ],
    ['there is no next page', { next_cursor: 'WyJ' }, { next_cursor: null }, '$.next_cursor is null, not "WyJ"'],
  ])('%s', (_, said, printed, sentence) => {
    expect(ofJson(said, printed)).toEqual([sentence]);
  });

  it('a status, a header or the body is another', () => {
    const of = (text: string) => differences(block('http', text), HTTP);

    expect(of('HTTP/1.1 404 Not Found\nETag: "1"\n…\n\n{ "id": 1 }')).toHaveLength(1);
    expect(of('HTTP/1.1 200 OK\nETag: "2"\n…\n\n{ "id": 1 }')).toHaveLength(1);
    expect(of('HTTP/1.1 200 OK\nETag: "1"\n\n{ "id": 1 }')).toHaveLength(1);
    expect(of('HTTP/1.1 200 OK\n…\n\n{ "id": 2 }')).toEqual(['$.id is 1, not 2']);
    expect(of('HTTP/1.1 200 OK\n…\n')).toHaveLength(1);
    expect(of('HTTP/1.1 200 OK\nETag: "1"\n…\n\n{ "id": 1 }')).toEqual([]);
  });

  it('plain text is another', () => {
    expect(differences(block('text', 'Written: … records\n'), 'Written: 12 pages\n')).toHaveLength(1);
    expect(differences(block('text', 'Written: … records\n'), 'Written: 12 records\n')).toEqual([]);
  });

  it('and not where times, tokens, cursors and ids of requests are those of another run', () => {
    const said = {
      ts: 1795222696114,
      at: '2026-01-31T00:00:00.000Z',
      token: 'cms_gybP…',
      next_cursor: 'WyJ',
      took_ms: 3,
      request_id: '95fdc1a5-99b9-4dc6-9ed4-9efd2933b2d6',
    };
    const printed = {
      ts: 1895222696115,
      at: '2030-12-01T10:11:12.345Z',
      token: 'cms_0123456789',
      next_cursor: 'abc',
      took_ms: 12,
      request_id: '00000000-99b9-4dc6-9ed4-9efd2933b2d7',
    };

    expect(ofJson(said, printed)).toEqual([]);
  });
});
