import { MockIdentityProvider } from '../../../../../test/support/identity-provider.js';
import { Clock } from '../../../../common/clock.js';
import { SIGNATURES } from '../../../../config/issuer-settings.js';
import { IdTokens } from './id-tokens.js';

describe('The id_tokens of a provider', () => {
  let provider: MockIdentityProvider;

  beforeAll(async () => {
    provider = await MockIdentityProvider.start();
  });

  afterAll(() => provider.stop());

  const verified = async (weak: jest.Mock = jest.fn()) => {
    const idTokens = new IdTokens({ jwksUrl: `${provider.url}/jwks`, issuers: [provider.url] }, new Clock(), weak);
    return idTokens.verify(await provider.idToken({ aud: 'app', nonce: 'n' }), { audience: ['app'], nonces: ['n'] });
  };

  it.each(SIGNATURES)('may be signed with %s, as tokens of trusted issuers', async (alg) => {
    await provider.rotateKeys(alg);

    expect(await verified()).toMatchObject({ sub: 'ann' });
  });

  it('are checked without weak keys, which are named', async () => {
    const weak = jest.fn();
    const n = Buffer.alloc(256, 255).toString('base64url');
    provider.behaviour = { moreKeys: [{ kty: 'RSA', kid: 'anybody', e: 'AQ', n }] };

    expect(await verified(weak)).toMatchObject({ sub: 'ann' });
    expect(weak.mock.calls).toEqual([[['anybody']]]);
  });
});
