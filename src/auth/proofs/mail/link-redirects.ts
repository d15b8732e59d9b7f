import { Injectable } from '@nestjs/common';
import { ValidationError } from '../../../common/errors/domain-error.js';
import { Settings } from '../../../config/settings.js';
import { RedirectTargets } from '../../exchange/redirect-targets.js';
import type { SendLinkDto } from './send-link.dto.js';
import type { Destination } from './sign-in-challenges.js';

/** Where sign-ins by link redirect to: fixed when the mail is requested, never a part of the link itself. */
@Injectable()
export class LinkRedirects {
  constructor(
    private readonly targets: RedirectTargets,
    private readonly settings: Settings,
  ) {}

  /**
   * `null`: nowhere.
   *
   * @throws {ValidationError}
   */
  of({ redirect_to: redirectTo, code_challenge: codeChallenge }: Omit<SendLinkDto, 'email'>): Destination | null {
    if (redirectTo === undefined) {
      if (codeChallenge !== undefined) throw fault('redirect_to', 'required', 'code_challenge needs redirect_to.');
      return null;
    }
    if (!this.targets.isAllowed(redirectTo)) {
      throw fault('redirect_to', 'allowed', 'redirect_to is none of the addresses that this service leads back to.');
    }
    return { redirectTo, codeChallenge: codeChallenge ?? null };
  }

  /** What a form of ours may lead to in the end, as a content security policy says it. */
  get sources(): readonly string[] {
    return [...new Set(this.settings.providers.redirectAllowList.map(sourceOf))];
  }
}

/** An origin, or the scheme of an app, which has none. */
function sourceOf(address: string): string {
  const { origin, protocol } = new URL(address);
  return origin === 'null' ? protocol : origin;
}

function fault(field: string, rule: string, message: string): ValidationError {
  return new ValidationError([{ field, rule, message }]);
}
