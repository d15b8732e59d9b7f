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
import type { Define, Outcome } from '../command.js';
import type { Invocation } from '../invocation.js';
import { OPERATOR } from '../operator-events.js';
import { table } from '../table.js';

const PAGE = 100;
const BY_OPERATOR = { actor: OPERATOR, scope: null, visitor: null };

interface ListedToken {
  readonly token: ApiTokenDto;
  readonly owner: string;
}

type CreateOptions = Record<'name' | 'scopes', string> & { expires?: string };

export const tokenCommands: Define = (program, act) => {
  const token = program.command('token').description('Make, list, end and replace API tokens.');
  token
    .command('create')
    .description('Make an API token. It is shown once.')
    .requiredOption('--name <name>', 'Who uses the token.')
    .requiredOption('--scopes "<scope> …"', 'Its scopes: "records:read drafts:read", or "*".')
    .option('--expires <instant|never>', 'When it ends: 2030-01-31T00:00:00Z. In 365 days when left out.')
    .action(act(create));
  token.command('list').description('List the API tokens, the newest first.').action(act(list));
  token
    .command('revoke <id>')
    .description('End an API token for good. Running services notice within 5 seconds.')
    .action(act(revoke));
  token
    .command('rotate <id>')
    .description('Replace an API token by a new one. The old one works for 24 hours more.')
    .action(act(rotate));
};

async function create(invocation: Invocation, { name, scopes, expires }: CreateOptions): Promise<Outcome> {
  const body = await invocation.checked(CreateTokenDto, {
    name,
    scopes: scopes.split(/[\s,]+/).filter((scope) => scope !== ''),
    ...(expires === undefined ? {} : { expires_at: expires }),
  });
  const tokens = await invocation.get(ApiTokensService);
  return shownOnce(await tokens.create(tokenRequest(body), BY_OPERATOR), await invocation.get(ConfiguredTokens));
}

async function list(invocation: Invocation): Promise<Outcome> {
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
}

async function revoke(invocation: Invocation, word: string): Promise<Outcome> {
  const id = tokenId(word);
  await (await invocation.get(ApiTokensService)).revoke(id, BY_OPERATOR);
  return { json: { id, revoked: true }, text: `API token ${id} is revoked.` };
}

async function rotate(invocation: Invocation, word: string): Promise<Outcome> {
  const issued = await (await invocation.get(ApiTokensService)).rotate(tokenId(word), BY_OPERATOR);
  return shownOnce(issued, await invocation.get(ConfiguredTokens));
}

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
