import { CmsError } from '@content-service/client';
import { signInFailure } from './sign-in-failure.js';

const failure = (code: string, retryAfter: number | null = null): CmsError =>
  new CmsError({ status: 400, code, message: 'What the service says.', retryAfter });

describe('signInFailure', () => {
  it.each([
    ['a wrong password', failure('invalid_credentials'), 'E-mail and password do not match.'],
    ['a code that is wrong or spent', failure('invalid_code'), 'send another'],
    ['a disabled account', failure('account_disabled'), 'An administrator can switch it on'],
    ['too many tries', failure('too_many_requests', 90), 'Wait 2 minutes'],
    ['an account that only a mail opens', failure('too_many_requests'), 'What the service says.'],
    ['a service that is away', failure('unreachable'), 'does not answer'],
    ['anything else', failure('last_admin'), 'What the service says.'],
  ])('says what to do about %s', (_, error, words) => {
    expect(signInFailure(error)).toContain(words);
  });
});
