import type { ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { Public, RequireScope } from '../../common/access/access.decorators.js';
import type { Caller } from '../../common/access/caller.js';
import { Clock } from '../../common/clock.js';
import type { KeyedLimits } from '../../common/rate-limits/keyed-limits.js';
import type { RequestLimits } from '../../common/rate-limits/request-limits.js';
import { readSettings } from '../../config/settings.js';
import { type CallerResolver, BearerGuard } from './bearer.guard.js';
import { SignInFreshness } from '../sessions/lifecycle/sign-in-freshness.js';

class Records {
  anything(): void {
    // A route without a rule of its own.
  }

  @RequireScope('records:update', 'records:update_own')
  update(): void {
    // One of two scopes is enough.
  }

  @Public()
  open(): void {
    // For everybody.
  }
}

class OpenRecords extends Records {}
Public()(OpenRecords);

type Method = 'anything' | 'update' | 'open';

function guardFor(...scopes: string[]): BearerGuard {
  const limits = { canActivate: () => Promise.resolve(true) } as unknown as RequestLimits;
  const caller: Caller = { kind: 'token', id: 1, name: 'ci', scopes: new Set(scopes) };
  return new BearerGuard(
    new Reflector(),
    { callerOf: () => Promise.resolve(caller), namedBy: () => Promise.resolve(null) } as unknown as CallerResolver,
    limits,
    new SignInFreshness(new Clock(), readSettings('test', {})),
    {} as KeyedLimits,
  );
}

function contextOf(method: Method, request: object, controller: typeof Records = Records): ExecutionContext {
  return {
    getHandler: (): unknown => Reflect.get(controller.prototype, method),
    getClass: () => controller,
    switchToHttp: () => ({ getRequest: () => request }),
  } as unknown as ExecutionContext;
}

const withToken = (type?: unknown) => ({ headers: { authorization: 'Bearer t' }, params: { type } });

describe('BearerGuard', () => {
  it('asks for any credential where a route says nothing', async () => {
    const request = withToken();

    await expect(guardFor().canActivate(contextOf('anything', request))).resolves.toBe(true);
    expect(request).toMatchObject({ caller: { name: 'ci' } });
    await expect(guardFor().canActivate(contextOf('anything', { headers: {} }))).rejects.toMatchObject({
      error: 'unauthorized',
    });
  });

  it('lets everybody through a public route', async () => {
    await expect(guardFor().canActivate(contextOf('open', { headers: {} }))).resolves.toBe(true);
  });

  it('keeps a handler closed in one class though another one that inherits it is public', async () => {
    const guard = guardFor();

    await expect(guard.canActivate(contextOf('anything', { headers: {} }, OpenRecords))).resolves.toBe(true);
    await expect(guard.canActivate(contextOf('anything', { headers: {} }))).rejects.toMatchObject({
      error: 'unauthorized',
    });
  });

  it.each(['*', 'records:update', 'records:update_own', 'records:update:post'])('takes the scope %s', async (scope) => {
    await expect(guardFor(scope).canActivate(contextOf('update', withToken('post')))).resolves.toBe(true);
  });

  it.each(['page', 'post ', '', '%70ost', '%ff', '__proto__', 'constructor', undefined, ['post'], { post: true }])(
    'takes a scope narrowed to the type post for nothing else: %j',
    async (type) => {
      await expect(
        guardFor('records:update:post').canActivate(contextOf('update', withToken(type))),
      ).rejects.toMatchObject({
        error: 'insufficient_scope',
        details: [{ scope: 'records:update' }, { scope: 'records:update_own' }],
      });
    },
  );
});
