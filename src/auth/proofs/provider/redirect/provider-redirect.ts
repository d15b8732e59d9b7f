import { Injectable, type ExecutionContext } from '@nestjs/common';
import { visitorOf } from '../../../../common/access/visitor.js';
import { DomainError } from '../../../../common/errors/domain-error.js';
import { withParameter } from '../../../exchange/redirect-targets.js';
import type { Returned } from '../flow/flow-query.js';
import type { FlowRequest, FlowStart } from '../flow/flow.js';
import { IdentityProviders } from '../passport/identity-providers.js';
import { providerOf } from '../flow/provider-route.js';

/** Sends browsers to identity providers. */
@Injectable()
export class ProviderRedirect {
  constructor(private readonly providers: IdentityProviders) {}

  /**
   * Redirects the browser to the provider; Passport ends the response.
   *
   * @throws {DomainError} `provider_not_configured`, `provider_unavailable`
   */
  async redirect(context: ExecutionContext, start: Omit<FlowStart, 'device'>): Promise<boolean> {
    const request = context.switchToHttp().getRequest<FlowRequest>();
    request.flowStart = { ...start, device: visitorOf(request).device ?? null };
    try {
      const provider = await this.providers.require(providerOf(request));
      setPassportQuery(request, {});
      return (await provider.guard.canActivate(context)) as boolean;
    } catch (error) {
      throw leadingBack(error, start.redirectTo);
    }
  }
}

/** Gives Passport, which reads a parsed query, one with the checked parameters only. */
export function setPassportQuery(request: FlowRequest, { code, state }: Partial<Returned>): void {
  Object.defineProperty(request, 'query', { value: { code, state }, configurable: true });
}

/** Has the page about a failure lead to where the sign-in was begun, if that is known. */
function leadingBack(error: unknown, redirectTo: string | null): unknown {
  if (redirectTo === null || !(error instanceof DomainError)) return error;
  const { host } = new URL(redirectTo);
  const label = host === '' ? 'Back to the app' : `Back to ${host}`;
  return error.withPage({ way: { href: withParameter(redirectTo, 'error', error.error), label } });
}
