import { isScope } from '../../common/access/caller.js';
import { ROLES, scopesOf } from './roles.js';

describe('Roles', () => {
  it.each(ROLES)('%s consists of scopes that exist', (role) => {
    expect(scopesOf(role).filter((scope) => !isScope(scope))).toEqual([]);
  });

  it('lets a viewer read published records and nothing else', () => {
    expect(scopesOf('viewer')).toEqual(['records:read']);
  });

  it('lets an author change own records but not those of others', () => {
    expect(scopesOf('author')).toContain('records:update_own');
    expect(scopesOf('author')).not.toContain('records:update');
    expect(scopesOf('author')).not.toContain('records:publish');
  });

  it('gives an editor all that an author has, and more', () => {
    expect(scopesOf('editor')).toEqual(expect.arrayContaining([...scopesOf('author')]));
    expect(scopesOf('editor')).toEqual(expect.arrayContaining(['records:publish', 'records:delete', 'taxonomy:write']));
  });

  it('gives no role below admin a hold on users, tokens or types', () => {
    const management = ['users:write', 'users:read', 'tokens:write', 'types:write', '*'];

    expect(scopesOf('editor').filter((scope) => management.includes(scope))).toEqual([]);
    expect(scopesOf('admin')).toEqual(['*']);
  });
});
