import type { DirectoryRoles } from '../../../../config/json-entry.js';
import { directoryRole } from './directory-roles.js';

const GUID = '0f6b6ad7-9a2e-4c1c-8f4b-2f3e0a7d1c55';

const ROLES: DirectoryRoles = {
  claim: 'groups',
  ofGroup: new Map([
    ['admins', 'admin'],
    ['/web/editors of: all', 'editor'],
    [GUID, 'author'],
  ]),
  otherwise: null,
};
const EVERYBODY: DirectoryRoles = { ...ROLES, otherwise: 'viewer' };

const roleOf = (claims: object, roles: Partial<DirectoryRoles> = {}) => {
  const word = directoryRole({ ...claims }, { ...ROLES, ...roles });
  return word.kind === 'role' ? word.role : word.kind;
};

describe('The role that a directory gives', () => {
  it.each([
    [['admins'], 'admin'],
    [['/web/editors of: all'], 'editor'],
    [[GUID], 'author'],
    [['x', GUID, '/web/editors of: all'], 'editor'],
    [['/web/editors of: all', 'admins', GUID], 'admin'],
    ['admins', 'admin'],
    [['Admins'], 'outsider'],
    [['admins '], 'outsider'],
    [['*'], 'outsider'],
    [[], 'outsider'],
    ['admins,editors', 'outsider'],
  ])('is for the groups %j: %s', (groups, role) => {
    expect(roleOf({ groups })).toBe(role);
    expect(roleOf({ groups }, EVERYBODY)).toBe(role === 'outsider' ? 'viewer' : role);
  });

  it('is the one of all others at most where the claim is missing', () => {
    expect(directoryRole({}, ROLES)).toEqual({ kind: 'silent', message: expect.stringContaining('(groups)') });
    expect(directoryRole({}, EVERYBODY)).toEqual({ kind: 'role', role: 'viewer', isAtMost: true });
    expect(directoryRole({ groups: [] }, EVERYBODY)).toEqual({ kind: 'role', role: 'viewer', isAtMost: false });
  });

  it('is found among 10,000 groups', () => {
    const groups = Array.from({ length: 10_000 }, (_, index) => `group ${index}`);

    expect(roleOf({ groups: [...groups, 'admins'] })).toBe('admin');
    expect(roleOf({ groups })).toBe('outsider');
  });

  it.each([
    [{ groups: { admins: true } }],
    [{ groups: ['admins', 7] }],
    [{ groups: [['admins']] }],
    [{ groups: [null] }],
    [{ groups: null }],
    [{ groups: 7 }],
    [{ groups: true }],
  ])('is none where the claim is broken: %j', (claims) => {
    expect(directoryRole(claims, EVERYBODY)).toEqual({
      kind: 'unknown',
      message: 'The claim groups of the provider is no list of texts.',
    });
  });

  it.each([
    [{ _claim_names: { groups: 'src1' }, _claim_sources: { src1: { endpoint: 'https://graph.example/x' } } }],
    [{ _claim_names: { groups: 'src1' }, groups: [] }],
    [{ hasgroups: true }],
    [{ hasgroups: 'true' }],
  ])('is none where the groups were too many for the token: %j', (claims) => {
    const word = directoryRole(claims, EVERYBODY);

    expect(word).toEqual({ kind: 'unknown', message: expect.stringContaining('"claim":"roles"') });
  });

  it('is not withheld for groups that are too many where another claim counts', () => {
    const claims = { hasgroups: true, _claim_names: { groups: 'src1' }, roles: ['admins'] };

    expect(roleOf(claims, { claim: 'roles' })).toBe('admin');
  });

  it.each([
    ['realm_access.roles', { realm_access: { roles: ['admins'] } }],
    ['resource_access.cms.roles', { resource_access: { cms: { roles: ['admins'] } } }],
    ['https://corp.example/roles', { 'https://corp.example/roles': ['admins'] }],
    ['a.b', { 'a.b': ['admins'], a: { b: ['x'] } }],
  ])('is read from %s', (claim, claims) => {
    expect(roleOf(claims, { claim })).toBe('admin');
  });

  it.each([
    ['realm_access.roles', { realm_access: 'admins' }],
    ['realm_access.roles', { realm_access: null }],
    ['constructor.name', {}],
    ['groups.length', { groups: ['admins'] }],
    ['groups.0', { groups: [['admins']] }],
  ])('is not found at %s in %j', (claim, claims) => {
    expect(roleOf(claims, { claim, otherwise: null })).not.toBe('role');
  });
});
