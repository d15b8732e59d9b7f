import type { ContentType } from '../model.js';
import { commandsOf, isMeant } from './commands.js';

const type = (name: string, label: string): ContentType => ({
  name,
  label,
  label_plural: `${label}s`,
  description: '',
  fields: [],
  taxonomies: ['press_kit'],
  url_path: '',
  body: 'markdown',
});

describe('Commands', () => {
  const types = [type('post', 'Post'), type('page', 'Page')];
  const labels = (...scopes: string[]) => commandsOf(types, { scopes }).map(({ label }) => label);
  const common = ['Posts', 'Pages', 'Search all content'];
  const last = ['Keys', 'API documentation'];

  it('lead people who may only read nowhere else', () => {
    expect(labels('records:read')).toEqual([...common, ...last]);
  });

  it('make records of the types that one may write', () => {
    expect(labels('records:read', 'records:create:page')).toEqual([...common, ...last, 'New page']);
  });

  it('lead to the trash of what one may delete', () => {
    expect(labels('records:delete', 'drafts:read:post')).toEqual([...common, 'Trash of Posts', ...last]);
  });

  it('lead to each taxonomy once, for those who may change its terms', () => {
    expect(labels('records:read', 'taxonomy:write')).toEqual([...common, 'Press kit', ...last]);
  });

  it.each([
    ['', true],
    ['new', true],
    ['po ne', true],
    ['NÉW', true],
    ['ost', false],
    ['new page', false],
  ])('of a new post are meant by %j: %s', (typed, is) => {
    expect(isMeant('New post', typed)).toBe(is);
  });
});
