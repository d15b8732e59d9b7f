import type { Reader } from '../../../database/statements/reads.js';
import { ApiToken } from './rows/api-token.entity.js';
import type { ConfiguredTokens } from './rows/configured-tokens.js';
import { livingAt } from './rows/owned-tokens.js';

/** Tokens that are named; the others are counted. */
const MOST_NAMED = 10;

/**
 * A sentence about tokens that have ended with a secret of `API_TOKENS`, and would live otherwise; `null`: there are none.
 * Reads every living token: not for requests.
 *
 * @param now milliseconds since 1970, UTC
 */
export async function tokensOfFormerSecrets(
  reader: Reader,
  configured: ConfiguredTokens,
  now: number,
): Promise<string | null> {
  const tokens = reader.of(ApiToken);
  const ended = { ...livingAt(now), ...configured.ended() };
  const count = await tokens.countBy(ended);
  if (count === 0) return null;
  const rows = await tokens.find({ where: ended, order: { id: 'ASC' }, take: MOST_NAMED });
  const names = rows.map(({ id, name }) => `${name} (${id})`).join(', ');
  return (
    `${count === 1 ? '1 token ends' : `${count} tokens end`} with secrets that are not in API_TOKENS any more: ` +
    `${names}${count > rows.length ? ', …' : ''}. Put the secrets back, or make new tokens and revoke these: token revoke <id>.`
  );
}
