import { Injectable, Inject } from '@nestjs/common';
import { hash, verify } from '@node-rs/argon2';
import { createHash } from 'node:crypto';
import type { Logger } from 'pino';
import { DomainError, ValidationError } from '../../common/errors/domain-error.js';
import { fetchText, type FetchedText } from '../../common/http/fetch-text.js';
import { LOG } from '../../common/logging/logging.module.js';
import { Settings } from '../../config/settings.js';
import { pwnedPassword } from '../user.errors.js';
import { FILTER, HASHES } from './common-passwords.data.js';

/** Characters (code points) that a new password may have in the form that is hashed. */
export const PASSWORD_LENGTH = { min: 12, max: 256 };
/** Length of the texts that are looked at, UTF-16 code units: NFKC makes one character of four at most. */
const MAX_UNITS = 2 * 4 * PASSWORD_LENGTH.max;

/** The form in which passwords are compared, counted and hashed. @see NIST SP 800-63B 5.1.1.2 */
function hashedForm(password: string): string {
  return password.normalize('NFKC');
}

/** Reason why the length of a new password does not fit, as the end of a sentence; `null`: it fits. */
export function lengthFault(password: string): string | null {
  const length = lengthOf(password);
  const { min, max } = PASSWORD_LENGTH;
  if (length >= min && length <= max) return null;
  const rule = `must have ${min} to ${max} characters`;
  // Otherwise the user would count enough of them.
  const isCountedOtherwise = length !== Infinity && length !== codePoints(password);
  return isCountedOtherwise ? `${rule}, and has ${length} in the form that counts (Unicode NFKC).` : `${rule}.`;
}

/** True if a text may be a password that is stored: the length of former ones was counted as they were typed. */
export function mayBeStored(password: string): boolean {
  const { max } = PASSWORD_LENGTH;
  return password !== '' && (password.length <= max || lengthOf(password) <= max);
}

/** `Infinity`: too long to be looked at. */
function lengthOf(password: string): number {
  return password.length > MAX_UNITS ? Infinity : codePoints(hashedForm(password));
}

function codePoints(text: string): number {
  return Array.from(text).length;
}

/** `1234`, `11`, a year; what many append where a password has to be longer. */
const ENDING = /^(?:(?:19|20)\d\d|0?1(?:2(?:3(?:4(?:5(?:6(?:7(?:8(?:90?)?)?)?)?)?)?)?)?|(\d)\1*)?[!.?@#$*]{0,3}$/;
const MAX_ENDING = 13;
const MIN_WORD = 3;

/** Decoded with the first password: most processes never see one. */
let filter: Buffer | undefined;

/**
 * True if a password is one of the most frequent ones, or one of them repeated, or with digits, a year or `!` behind it:
 * `Summer2026!!`, `letmeinletmein`. One in 100,000 others is taken for one of them.
 */
export function isCommonPassword(password: string): boolean {
  const folded = foldedPassword(password);
  return new Set(folded).size === 1 || wordsOf(folded).some(isFrequent);
}

/** A password as those compare that are alike to a person who guesses. */
function foldedPassword(password: string): string {
  return hashedForm(password).toLowerCase();
}

/** The words that a password may have been made of: itself, without a usual ending, and what it repeats. */
function wordsOf(folded: string): string[] {
  const words = [folded];
  for (let end = folded.length - 1; end >= Math.max(MIN_WORD, folded.length - MAX_ENDING); end -= 1) {
    if (ENDING.test(folded.slice(end))) words.push(folded.slice(0, end));
  }
  return words.flatMap((word) => [word, ...repeated(word)]);
}

function repeated(word: string): string[] {
  const lengths = [2, 3, 4].map((times) => word.length / times);
  return lengths
    .filter((length) => Number.isInteger(length) && length >= MIN_WORD)
    .map((length) => word.slice(0, length))
    .filter((part) => part.repeat(word.length / part.length) === word);
}

function isFrequent(word: string): boolean {
  filter ??= Buffer.from(FILTER, 'base64');
  const digest = createHash('sha256').update(word).digest();
  const [start, step] = [digest.readUInt32LE(0), digest.readUInt32LE(4)];
  for (let n = 0; n < HASHES; n += 1) {
    const bit = (start + n * step) % (filter.length * 8);
    if (((filter[bit >> 3] ?? 0) & (1 << (bit & 7))) === 0) return false;
  }
  return true;
}

/** Facts that all know who guess; the host of the service is one: `cms.example.com`. */
type KnownOfAccount = Readonly<Record<'name' | 'email' | 'host', string>>;

/** True if a password is the address, the name or the host, or one of them in the usual ways made longer. */
export function isPersonalPassword(password: string, { name, email, host }: KnownOfAccount): boolean {
  const local = email.slice(0, email.lastIndexOf('@'));
  const known = new Set([name, email, local, host].map(bare));
  return wordsOf(foldedPassword(password)).some((word) => known.has(bare(word)));
}

function bare(text: string): string {
  return foldedPassword(text).replace(/[\s._-]+/gu, '');
}

/** Hashes at once: more would only take threads away from everything else. */
const MAX_RUNNING = 2;
/** In each of the two lines. */
const MAX_WAITING = 50;
/** Salt and hash of no known password: an account without one takes as long as any. */
const NO_PASSWORD = '1SecBiorsUh8BSNip/i4lw$XmUfIj+dDbW/pVWjyEOjmURFEQe8YA1ccFUlwL9OOfs';

/**
 * Knows passwords that became public in leaks of other services. It asks a service for all whose SHA-1 begins with the same
 * five digits. If that does not answer within two seconds, the password passes, and the log has a line.
 *
 * @see https://haveibeenpwned.com/API/v3#PwnedPasswords
 */
@Injectable()
export class PwnedPasswords {
  constructor(
    private readonly settings: Settings,
    @Inject(LOG) private readonly log: Logger,
  ) {}

  /** False also if that cannot be found out. To be asked outside of units of work. @param password see `hashedForm` */
  async has(password: string): Promise<boolean> {
    // The address of the ranges: the five digits are put behind it.
    const { pwnedUrl: url } = this.settings;
    if (url === null) return false;
    const digest = createHash('sha1').update(password).digest('hex').toUpperCase();
    const [prefix, suffix] = [digest.slice(0, PREFIX_DIGITS), digest.slice(PREFIX_DIGITS)];
    try {
      const answer = await fetchText(`${url}${prefix}`, { headers: HEADERS }, LIMITS);
      return countIn(answer, suffix) > 0;
    } catch (err) {
      // Neither the address nor the password: five digits of its digest would be in the log for ever.
      this.log.warn({ err }, 'The range of leaked passwords was not answered: a new password was taken without it.');
      return false;
    }
  }
}

/** Hashes and checks passwords, a few at a time, off the event loop. */
@Injectable()
export class Passwords {
  private running = 0;
  /** Requests that have shown something good already are served before those that may come from anywhere. */
  private readonly waiting: Readonly<Record<'known' | 'unknown', (() => void)[]>> = { known: [], unknown: [] };
  private readonly host: string;
  private readonly cost: Settings['passwordCost'];
  /** Beginning of every hash of that cost. */
  private readonly prefix: string;

  constructor(
    { publicUrl, passwordCost }: Settings,
    private readonly pwned: PwnedPasswords,
  ) {
    this.host = new URL(publicUrl).hostname;
    this.cost = passwordCost;
    const { memoryCost, timeCost, parallelism } = passwordCost;
    this.prefix = `$argon2id$v=19$m=${memoryCost},t=${timeCost},p=${parallelism}$`;
  }

  /** @throws {ValidationError} it is the address, the name or the host */
  requireImpersonal(password: string, { name, email }: Omit<KnownOfAccount, 'host'>): void {
    if (!isPersonalPassword(password, { name, email, host: this.host })) return;
    const message = 'password must not be the e-mail address, the name or the host of the service. Choose another one.';
    throw new ValidationError([{ field: 'password', rule: 'personal', message }]);
  }

  /**
   * The hash of a new password. To be made outside of units of work, and for callers who have shown a good credential.
   *
   * @throws {ValidationError} it is known from leaks of other services
   * @throws {DomainError} `overloaded`: too many passwords are waiting already
   */
  async hash(password: string): Promise<string> {
    if (await this.pwned.has(hashedForm(password))) throw pwnedPassword();
    return this.hashed(password);
  }

  /**
   * True if it is the password of that hash; takes as long without a hash. A hash may be older than {@link hashedForm}.
   *
   * @param options `isKnown`: the request has shown a device or a session of that user: it is served first
   * @throws {DomainError} `overloaded`: too many passwords are waiting already
   */
  async verify(password: string, passwordHash: string | null, { isKnown = false } = {}): Promise<boolean> {
    const line = isKnown ? 'known' : 'unknown';
    const forms = new Set([hashedForm(password), password]);
    for (const form of forms) {
      const isRight = await this.inTurn(line, () => verify(passwordHash ?? this.prefix + NO_PASSWORD, form));
      if (isRight && passwordHash !== null) return true;
    }
    return false;
  }

  /** The same password hashed at today's cost; `null`: it is so already, or others wait for theirs. */
  async renewed(password: string, passwordHash: string | null): Promise<string | null> {
    const isOfToday = passwordHash?.startsWith(this.prefix) === true;
    const { known, unknown } = this.waiting;
    return isOfToday || known.length + unknown.length > 0 ? null : this.hashed(password);
  }

  private hashed(password: string): Promise<string> {
    return this.inTurn('known', () => hash(hashedForm(password), this.cost));
  }

  private async inTurn<Result>(line: 'known' | 'unknown', work: () => Promise<Result>): Promise<Result> {
    if (this.running >= MAX_RUNNING) await this.turn(this.waiting[line]);
    else this.running += 1;
    try {
      return await work();
    } finally {
      this.handOn();
    }
  }

  private turn(line: (() => void)[]): Promise<void> {
    if (line.length >= MAX_WAITING) {
      throw new DomainError('overloaded', 'Too many passwords are being checked. Try again in a moment.', {
        headers: { 'Retry-After': '1' },
      });
    }
    return new Promise((resolve) => line.push(resolve));
  }

  /** Gives the place to the next one in line, or frees it. */
  private handOn(): void {
    const next = this.waiting.known.shift() ?? this.waiting.unknown.shift();
    if (next) next();
    else this.running -= 1;
  }
}

/** A padded range has up to a thousand rows of some 40 bytes. */
const LIMITS = { milliseconds: 2_000, bytes: 262_144 };
const HEADERS = { 'Add-Padding': 'true', 'User-Agent': 'content-service', Accept: 'text/plain' };
const PREFIX_DIGITS = 5;
const ROW = /^([0-9A-F]{35}):(\d{1,12})$/i;

/** Number of leaks of the password. Rows that only make answers equally long have the count 0. */
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
