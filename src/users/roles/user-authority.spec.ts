import type { Caller } from '../../common/access/caller.js';
import { ROLES, scopesOf } from './roles.js';
import { UserAuthority } from './user-authority.js';

const callerWith = (...scopes: string[]): Caller => ({ kind: 'token', id: 1, name: 'ci', scopes: new Set(scopes) });

describe('UserAuthority over users', () => {
  it.each(ROLES)('reaches every role up to the own one: %s', (own) => {
    const authority = new UserAuthority(callerWith(...scopesOf(own), 'users:write'));
    const reached = ROLES.filter((role) => {
      try {
        authority.requireOver({ role, issuerRole: null });
        return true;
      } catch {
        return false;
      }
    });

    expect(reached).toEqual(ROLES.slice(0, ROLES.indexOf(own) + 1));
  });

  it.each(ROLES)('reaches a viewer whose issuer names a role only up to the own one: %s', (issuerRole) => {
    const authority = new UserAuthority(callerWith(...scopesOf('author'), 'users:write'));
    const reach = () => {
      authority.requireOver({ role: 'viewer', issuerRole });
    };

    if (['viewer', 'author'].includes(issuerRole)) expect(reach).not.toThrow();
    else expect(reach).toThrow(expect.objectContaining({ error: 'insufficient_scope' }));
  });

  it('names the scopes that are missing', () => {
    const authority = new UserAuthority(callerWith('users:write', 'records:read', 'records:create', 'drafts:read'));

    expect(() => {
      authority.requireRole('author');
    }).toThrow(
      expect.objectContaining({
        error: 'insufficient_scope',
        details: [{ scope: 'records:update_own' }, { scope: 'revisions:read' }],
      }),
    );
  });

  it('is not given by a scope that is narrowed to one content type', () => {
    const authority = new UserAuthority(callerWith('users:write', 'records:read:post'));

    expect(() => {
      authority.requireRole('viewer');
    }).toThrow(expect.objectContaining({ error: 'insufficient_scope' }));
  });
});
