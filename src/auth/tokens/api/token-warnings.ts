import { Inject, Injectable } from '@nestjs/common';
import type { Logger } from 'pino';
import { Clock } from '../../../common/clock.js';
import { Job } from '../../../common/jobs/job.decorator.js';
import { LOG } from '../../../common/logging/logging.module.js';
import { Reads, type Reader } from '../../../database/statements/reads.js';
import { USER, USER_CANNOT_ACT, usersBy } from '../../../users/rows/user-rows.js';
import { ApiToken } from './rows/api-token.entity.js';
import { ConfiguredTokens } from './rows/configured-tokens.js';
import { livingAt } from './rows/token-rows.js';

/** Tokens that are named; the others are counted. */
const MOST_NAMED = 50;

interface Row extends Pick<ApiToken, 'name' | 'hint'> {
  readonly id: number | string;
  readonly owner_id: number | string;
  readonly disabled_at: number | string | null;
}

const UNATTENDED =
  `FROM api_tokens t LEFT JOIN ${usersBy('t.owner_id')} WHERE t.kind = 'service' AND t.owner_id IS NOT NULL ` +
  'AND t.revoked_at IS NULL AND (t.expires_at IS NULL OR t.expires_at > ?) ' +
  `AND ${USER_CANNOT_ACT}`;

/** Living service tokens whose responsible user is gone or disabled: how many, and the first ones. Not for requests. */
export async function unattendedTokens(reader: Reader, now: number) {
  const [row] = await reader.select<{ n: number | string }>(`SELECT COUNT(*) AS n ${UNATTENDED}`, [now]);
  const count = Number(row?.n ?? 0);
  const columns = `t.id, t.name, t.hint, t.owner_id, ${USER.disabledAt}`;
  const first = `SELECT ${columns} ${UNATTENDED} ORDER BY t.id LIMIT ${MOST_NAMED}`;
  const rows = count === 0 ? [] : await reader.select<Row>(first, [now]);
  const examples = rows.map(({ id, name, hint, owner_id: ownerId, disabled_at: disabledAt }) => {
    return { id: Number(id), name, hint, ownerId: Number(ownerId), isDisabled: disabledAt !== null };
  });
  return { count, examples };
}

const MOST_FORMER_NAMED = 10;

/** A sentence about tokens that end with a former secret of `API_TOKENS`; `null`: there are none. Not for requests. */
export async function tokensOfFormerSecrets(
  reader: Reader,
  configured: ConfiguredTokens,
  now: number,
): Promise<string | null> {
  const tokens = reader.of(ApiToken);
  const ended = { ...livingAt(now), ...configured.ended() };
  const count = await tokens.countBy(ended);
  if (count === 0) return null;
  const rows = await tokens.find({ where: ended, order: { id: 'ASC' }, take: MOST_FORMER_NAMED });
  const names = rows.map(({ id, name }) => `${name} (${id})`).join(', ');
  return (
    `${count === 1 ? '1 token ends' : `${count} tokens end`} with secrets that are not in API_TOKENS any more: ` +
    `${names}${count > rows.length ? ', …' : ''}. Put the secrets back, or make new tokens and revoke these: token revoke <id>.`
  );
}

/** Warns operators at a start of API tokens that need them. */
@Injectable()
export class TokenWarnings {
  constructor(
    private readonly reads: Reads,
    private readonly clock: Clock,
    private readonly configured: ConfiguredTokens,
    @Inject(LOG) private readonly log: Logger,
  ) {}

  /** One job: a stop waits for one that has begun, and begins no other. */
  @Job({
    name: 'api-tokens.warn',
    once: 'started',
    failure: 'API tokens that need an operator could not be looked for',
  })
  async warn(): Promise<void> {
    await this.warnOfUnattended();
    await this.warnOfFormerSecrets();
  }

  private async warnOfUnattended(): Promise<void> {
    const { count } = await unattendedTokens(this.reads, this.clock.now());
    if (count === 0) return;
    this.log.warn(
      { tokens: count },
      'service tokens live on whose responsible users are gone or disabled: npm run cli -- doctor names them',
    );
  }

  private async warnOfFormerSecrets(): Promise<void> {
    const sentence = await tokensOfFormerSecrets(this.reads, this.configured, this.clock.now());
    if (sentence !== null) this.log.warn(sentence);
  }
}
