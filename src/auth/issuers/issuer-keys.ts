import type { CryptoKey, FlattenedJWSInput, JWSHeaderParameters } from 'jose';
import { readFile } from 'node:fs/promises';
import { DomainError } from '../../common/errors/domain-error.js';
import { fetchText } from '../../common/http/fetch-text.js';
import type { TrustedIssuer } from '../../config/issuer-settings.js';
import { soundKeys, type WeakKeys } from '../secrets/sound-keys.js';

const LIMITS = { milliseconds: 3_000, bytes: 262_144 };
/** A key set in use is fetched again after this time, beside the requests that use it. */
const RENEW_MS = 300_000;
/** An older one is used only where the issuer is out of reach. */
const FRESH_MS = 600_000;
/** The least time between two requests to an issuer, also after a failure: tokens that name unknown keys cause no more. */
const PAUSE_MS = 30_000;
/** Keys stay in use for so long while the issuer is out of reach. */
const LAST_GOOD_MS = 86_400_000;

/** The public keys of an issuer as they were at one time. */
export interface KeySet {
  readonly text: string;
  readonly keyFor: (header?: JWSHeaderParameters, token?: FlattenedJWSInput) => Promise<CryptoKey>;
}

/** Reads the JSON of a key set. */
export type ReadKeys = (keys: TrustedIssuer['keys']) => Promise<string>;

/** Follows what is wrong with the answers of an issuer. */
interface KeyReport {
  /** The keys cannot be read. */
  failed(error: unknown): void;
  /** These are left out. */
  weak(keys: WeakKeys): void;
}

/** Caches the keys of one issuer. A key that the issuer withdrew is accepted for up to ten minutes, and while it is out of reach up to a day. */
export class IssuerKeys {
  private kept: { readonly set: KeySet; readonly since: number } | null = null;
  private askedAt = -Infinity;
  private asking: Promise<void> | null = null;
  /** Whether the last request to the issuer has failed. */
  private isOutOfReach = false;

  /**
   * @param now milliseconds of a clock that only goes forwards
   */
  constructor(
    private readonly keys: TrustedIssuer['keys'],
    private readonly report: KeyReport,
    private readonly read: ReadKeys = readKeys,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /**
   * A request waits for the issuer only where the keys are older than ten minutes, and not while its failures go on.
   *
   * @throws {DomainError} `provider_unavailable`: there are none, and have been none for a day
   */
  async current(): Promise<KeySet> {
    if (this.age() >= RENEW_MS) {
      // Never rejects: a failure is reported.
      const renewing = this.renew();
      if (this.age() >= (this.isOutOfReach ? LAST_GOOD_MS : FRESH_MS)) await renewing;
    }
    if (this.kept !== null && this.age() < LAST_GOOD_MS) return this.kept.set;
    throw new DomainError('provider_unavailable', 'The keys of the issuer of this token cannot be read. Try again.');
  }

  /** The set, fetched again if the last request is long enough ago: for a token that names a key which is not in it. */
  async renewed(): Promise<KeySet> {
    await this.renew();
    return this.current();
  }

  private age(): number {
    return this.kept === null ? Infinity : this.now() - this.kept.since;
  }

  /** One request at a time, and none within {@link PAUSE_MS} of the last one. */
  private async renew(): Promise<void> {
    if (this.asking === null && this.now() - this.askedAt < PAUSE_MS) return;
    this.askedAt = this.asking === null ? this.now() : this.askedAt;
    this.asking ??= this.ask().finally(() => {
      this.asking = null;
    });
    await this.asking;
  }

  private async ask(): Promise<void> {
    try {
      const text = await this.read(this.keys);
      // The same set stays the same object, so that what it has verified stays so.
      const set = this.kept?.set.text === text ? this.kept.set : await keySet(text, this.report);
      this.kept = { set, since: this.now() };
      this.isOutOfReach = false;
    } catch (error) {
      this.isOutOfReach = true;
      this.report.failed(error);
    }
  }
}

async function keySet(text: string, report: KeyReport): Promise<KeySet> {
  const { createLocalJWKSet } = await import('jose');
  const { set, refused } = soundKeys(JSON.parse(text));
  // Checked by the library: anything but a list of keys throws.
  const keyFor = createLocalJWKSet(set as Parameters<typeof createLocalJWKSet>[0]);
  if (refused.length > 0) report.weak(refused);
  return { text, keyFor };
}

async function readKeys(keys: TrustedIssuer['keys']): Promise<string> {
  if ('file' in keys) return readFile(keys.file, 'utf8');
  const { status, text } = await fetchText(keys.url, { headers: { accept: 'application/json' } }, LIMITS);
  if (status !== 200) throw new Error(`the keys were answered with ${status}`);
  return text;
}
