import { Inject, Injectable } from '@nestjs/common';
import { createHash } from 'node:crypto';
import type { Logger } from 'pino';
import { fetchText, type FetchedText } from '../../common/http/fetch-text.js';
import { LOG } from '../../common/logging/logging.module.js';
import { Settings } from '../../config/settings.js';

/** A padded range has up to a thousand rows of some 40 bytes. */
const LIMITS = { milliseconds: 2_000, bytes: 262_144 };
const HEADERS = { 'Add-Padding': 'true', 'User-Agent': 'content-service', Accept: 'text/plain' };
const PREFIX_DIGITS = 5;
const ROW = /^([0-9A-F]{35}):(\d{1,12})$/i;

/**
 * Knows passwords that became public in leaks of other services. It asks a service for all whose SHA-1 begins with the
 * same five digits, so that it does not learn which of them is meant. Where that does not answer as it should within two
 * seconds, the password passes, and the log has a line.
 *
 * @see https://haveibeenpwned.com/API/v3#PwnedPasswords
 */
@Injectable()
export class PwnedPasswords {
  /** Where ranges are found: the five digits are put behind it; `null`: no service is asked. */
  private readonly url: string | null;

  constructor(
    { pwnedUrl }: Settings,
    @Inject(LOG) private readonly log: Logger,
  ) {
    this.url = pwnedUrl;
  }

  /**
   * Whether a password is one of them; `false` where that cannot be found out. It may take seconds, so it is asked
   * outside of units of work.
   *
   * @param password in the form that is hashed, see `hashedForm`
   */
  async has(password: string): Promise<boolean> {
    if (this.url === null) return false;
    const digest = createHash('sha1').update(password).digest('hex').toUpperCase();
    const [prefix, suffix] = [digest.slice(0, PREFIX_DIGITS), digest.slice(PREFIX_DIGITS)];
    try {
      const answer = await fetchText(`${this.url}${prefix}`, { headers: HEADERS }, LIMITS);
      return countIn(answer, suffix) > 0;
    } catch (err) {
      // Neither the address nor the password: five digits of its digest would be in the log for ever.
      this.log.warn({ err }, 'The range of leaked passwords was not answered: a new password was taken without it.');
      return false;
    }
  }
}

/** How often the password was leaked. Rows that only make answers equally long have the count 0. */
function countIn({ status, text }: FetchedText, suffix: string): number {
  if (status !== 200) throw new Error(`the answer has the status ${status}`);
  const rows = text
    .trim()
    .split(/\r?\n/)
    .map((row) => ROW.exec(row));
  if (rows.includes(null)) throw new Error('the answer is no range of passwords');
  const found = rows.find((row) => row?.[1]?.toUpperCase() === suffix);
  return Number(found?.[2] ?? 0);
}
