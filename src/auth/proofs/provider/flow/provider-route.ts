import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { DomainError } from '../../../../common/errors/domain-error.js';
import type { Page } from '../../../../common/http/page.js';
import { pathOf } from '../../../../common/http/request-context.js';
import { PROVIDER_NAMES, type ProviderName } from '../../../../config/provider-settings.js';
import type { FlowOutcome, FlowRequest } from './flow.js';

/** `callback` -> `['google/callback', 'apple/callback', 'oidc/callback']` */
export function ofEveryProvider(step: string): string[] {
  return PROVIDER_NAMES.map((name) => `${name}/${step}`);
}

/** `/api/auth/google/callback` -> `google` */
export function providerOf({ originalUrl }: FlowRequest): ProviderName {
  const segments = pathOf(originalUrl).split('/');
  const name = PROVIDER_NAMES.find((one) => segments[3] === one);
  if (!name) throw new DomainError('not_found', 'There is nothing at this address.');
  return name;
}

/** The provider in the path, as a handler's argument. */
export const CurrentProvider = createParamDecorator((_: unknown, context: ExecutionContext): ProviderName =>
  providerOf(context.switchToHttp().getRequest<FlowRequest>()),
);

/** How the browser came back, as a handler's argument. */
export const CurrentOutcome = createParamDecorator((_: unknown, context: ExecutionContext): FlowOutcome => {
  const { outcome } = context.switchToHttp().getRequest<FlowRequest>();
  if (!outcome) throw new Error('CallbackGuard has to stand before a handler that asks for an outcome.');
  return outcome;
});

/** The page that asks whether to link, as a handler's argument. */
export const LinkQuestion = createParamDecorator((_: unknown, context: ExecutionContext): Page => {
  const { linkPage } = context.switchToHttp().getRequest<FlowRequest>();
  if (!linkPage) throw new Error('RedirectGuard has to stand before a handler that asks for its page.');
  return linkPage;
});
