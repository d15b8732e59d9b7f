import { idOf } from '../../common/text/names.js';
import { ApiTokensService } from '../../auth/tokens/api/api-tokens.service.js';
import { type IssuedToken, tokenNotFound } from '../../auth/tokens/api/rows/token-rows.js';
import { ConfiguredTokens } from '../../auth/tokens/api/rows/configured-tokens.js';
import {
  apiTokenDto,
  CreateTokenDto,
  issuedDto,
  tokenRequest,
  type ApiTokenDto,
} from '../../auth/tokens/api/api-token.dto.js';
import type { TokenGrant } from '../../auth/tokens/api/rows/token-grant.js';
import type { Account } from '../../users/rows/account.js';
import { UsersService } from '../../users/users.service.js';
import type { Command, Outcome } from '../command.js';
import { OPERATOR } from '../operator-events.js';
import { table } from '../table.js';

const PAGE = 100;
const BY_OPERATOR = { actor: OPERATOR, scope: null, visitor: null };

interface ListedToken {
  readonly token: ApiTokenDto;
  readonly owner: string;
}

const create: Command = {
  name: 'token create',
  summary: 'Make an API token. It is shown once.',
  options: {
    name: { value: '<name>', help: 'Who uses the token.', isRequired: true },
    scopes: { value: '"<scope> …"', help: 'Its scopes: "records:read drafts:read", or "*".', isRequired: true },
    expires: { value: '<instant|never>', help: 'When it ends: 2030-01-31T00:00:00Z. In 365 days when left out.' },
  },
  async run({ values: { name, scopes = '', expires } }, invocation) {
    const body = await invocation.checked(CreateTokenDto, {
      name,
      scopes: scopes.split(/[\s,]+/).filter((scope) => scope !== ''),
      ...(expires === undefined ? {} : { expires_at: expires }),
    });
    const tokens = await invocation.get(ApiTokensService);
    return shownOnce(await tokens.create(tokenRequest(body), BY_OPERATOR), await invocation.get(ConfiguredTokens));
  },
};

const list: Command = {
  name: 'token list',
  summary: 'List the API tokens, the newest first.',
  async run(_, invocation) {
    const [tokens, users] = [await invocation.get(ApiTokensService), await invocation.get(UsersService)];
    const listed = await allTokens(tokens, users, await invocation.get(ConfiguredTokens));
    const rows = listed.map(({ token, owner }) => [
      String(token.id),
      token.hint,
      token.name,
      token.kind,
      owner,
      stateOf(token),
      token.last_used_at ?? 'never',
      token.scopes.join(' '),
    ]);
    return {
      json: listed.map(({ token }) => token),
      text: table(['ID', 'TOKEN', 'NAME', 'KIND', 'OWNER', 'STATE', 'LAST USED', 'SCOPES'], rows),
    };
  },
};

const revoke: Command = {
  name: 'token revoke',
  summary: 'End an API token for good. Running services notice within 5 seconds.',
  positionals: ['<id>'],
  async run({ positionals: [word = ''] }, invocation) {
    const id = tokenId(word);
    await (await invocation.get(ApiTokensService)).revoke(id, BY_OPERATOR);
    return { json: { id, revoked: true }, text: `API token ${id} is revoked.` };
  },
};

const rotate: Command = {
  name: 'token rotate',
  summary: 'Replace an API token by a new one. The old one works for 24 hours more.',
  positionals: ['<id>'],
  async run({ positionals: [word = ''] }, invocation) {
    const issued = await (await invocation.get(ApiTokensService)).rotate(tokenId(word), BY_OPERATOR);
    return shownOnce(issued, await invocation.get(ConfiguredTokens));
  },
};

export const tokenCommands: readonly Command[] = [create, list, revoke, rotate];

async function allTokens(
  tokens: ApiTokensService,
  users: UsersService,
  configured: ConfiguredTokens,
): Promise<ListedToken[]> {
  const all: ListedToken[] = [];
  for (let page = 1; ; page += 1) {
    const [rows, total] = await tokens.list({ page, perPage: PAGE });
    const owners = await users.byIds([...new Set(rows.flatMap(({ ownerId }) => ownerId ?? []))]);
    all.push(...rows.map((row) => ({ token: apiTokenDto(row, configured), owner: ownerOf(row, owners) })));
    if (rows.length === 0 || all.length >= total) return all;
  }
}

function shownOnce(issued: IssuedToken, configured: ConfiguredTokens): Outcome {
  const { data } = issuedDto(issued, configured);
  const { id, name, scopes, expires_at: end } = data;
  const about = `API token ${id} "${name}" with ${scopes.join(' ')}, valid ${end === null ? 'without an end' : `until ${end}`}.`;
  return { json: data, text: `${data.token}\n${about} Keep it: it is not shown again.` };
}

function ownerOf({ ownerId }: Pick<TokenGrant, 'ownerId'>, owners: ReadonlyMap<number, Account>): string {
  if (ownerId === null) return '-';
  return owners.get(ownerId)?.email ?? `user ${ownerId}, gone`;
}

function stateOf({
  revoked_at: revoked,
  configured_parent: parent,
  replaced_by: successor,
  expires_at: end,
}: ApiTokenDto): string {
  if (revoked !== null) return `revoked ${revoked}`;
  if (parent === 'removed') return 'ended, its maker is not in API_TOKENS';
  const until = end === null ? 'without an end' : `until ${end}`;
  return successor === null ? until : `replaced by ${successor}, ${until}`;
}

function tokenId(word: string): number {
  const id = idOf(word);
  if (id === null) throw tokenNotFound(word);
  return id;
}
