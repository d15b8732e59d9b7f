import type { Reader } from '../../../database/statements/reads.js';
import type { ConfiguredTokens } from './rows/configured-tokens.js';

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
  const { sql, values } = configured.living();
  const ended =
    'FROM api_tokens WHERE revoked_at IS NULL AND (expires_at IS NULL OR expires_at > ?) ' + `AND NOT (${sql})`;
  const [row] = await reader.select<{ n: number | string }>(`SELECT COUNT(*) AS n ${ended}`, [now, ...values]);
  const count = Number(row?.n ?? 0);
  if (count === 0) return null;
  const rows = await reader.select<{ id: number | string; name: string }>(
    `SELECT id, name ${ended} ORDER BY id LIMIT ${MOST_NAMED}`,
    [now, ...values],
  );
  const names = rows.map(({ id, name }) => `${name} (${id})`).join(', ');
  return (
    `${count === 1 ? '1 token ends' : `${count} tokens end`} with secrets that are not in API_TOKENS any more: ` +
    `${names}${count > rows.length ? ', …' : ''}. Put the secrets back, or make the tokens anew and revoke these: token revoke <id>.`
  );
}
