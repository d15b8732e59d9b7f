import { MockIdentityProvider } from './identity-provider.js';
import { startTestApp, type TestApp } from './test-app.js';

/** A service that trusts an identity provider. */
export interface ProviderApp extends TestApp {
  readonly provider: MockIdentityProvider;
}

/** Every visitor may have an account there, and its requests are not counted. */
export async function startProviderApp(environment: Record<string, string> = {}): Promise<ProviderApp> {
  const provider = await MockIdentityProvider.start();
  const service = await startTestApp({ ...provider.environment, SIGNUP: 'open', RATE_LIMITS: 'off', ...environment });
  const close = async () => {
    await service.close();
    await provider.stop();
  };
  return { ...service, provider, close };
}
