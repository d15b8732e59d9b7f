import { createParamDecorator, Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { FlowRequest } from '../flow/flow.js';
import { LinkingUsers } from '../linking/linking-users.js';
import type { PresentedSession } from '../identity/presented-session.js';

/** Finds the session of an app that links an identity. */
@Injectable()
export class LinkGuard implements CanActivate {
  constructor(private readonly links: LinkingUsers) {}

  /** @throws {DomainError} `invalid_token` */
  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<FlowRequest>();
    request.session = await this.links.ofToken(request.headers);
    return true;
  }
}

/** The session that an identity is to be linked to, as a handler's argument. */
export const LinkingSession = createParamDecorator(
  (_: unknown, context: ExecutionContext): PresentedSession | null =>
    context.switchToHttp().getRequest<FlowRequest>().session ?? null,
);
