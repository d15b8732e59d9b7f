import { mayWrite } from './caller.js';

const token = (...scopes: string[]) => ({ kind: 'token' as const, scopes: new Set(scopes) });

describe('A caller who may write', () => {
  it.each([
    [['records:read']],
    [['records:read:post', 'drafts:read:post', 'revisions:read', 'users:read', 'audit:read']],
    [[]],
  ])('is no token with %j', (scopes) => {
    expect(mayWrite(token(...scopes))).toBe(false);
  });

  it.each([
    ['*'],
    ['records:update_own'],
    ['records:create:post'],
    ['taxonomy:write'],
    ['tokens:write'],
    ['later:scope'],
  ])('is a token that reads and has %s', (scope) => {
    expect(mayWrite(token('records:read', scope))).toBe(true);
  });

  it('is every user', () => {
    expect(mayWrite({ kind: 'user', scopes: new Set(['records:read']) })).toBe(true);
  });
});
