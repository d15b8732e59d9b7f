import type { Contract } from '../support/contract.js';
import { startTestApp, TOKENS } from '../support/test-app.js';
import { TokenIssuer } from '../support/token-issuer.js';
import { Conversation } from './conversation.js';

/** Every answer to what gateways ask, and to a user who is signed in elsewhere, by a service of their own. */
export async function goThroughGateway(contract: Contract): Promise<void> {
  const issuer = await TokenIssuer.start();
  const service = await startTestApp(issuer.environment());
  try {
    const talk = new Conversation(service, contract);
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']) {
      await talk.expectStatus(204, `${method} /api/auth/check`);
      await talk.expectStatus(400, `${method} /api/auth/check?scope=nonsense`);
      await talk.expectStatus(403, `${method} /api/auth/check?scope=users:write`, { token: TOKENS.reader });
      await talk.expectStatus(204, `${method} /api/auth/check/anything`);
    }
    const token = await issuer.sign();
    await talk.expectStatus(200, 'GET /api/auth/me', { token });
    for (const route of NEED_A_SESSION) await talk.expectStatus(403, route, { token });
  } finally {
    await service.close();
    await issuer.stop();
  }
}

const NEED_A_SESSION = [
  'GET /api/auth/sessions',
  `DELETE /api/auth/sessions/${'0'.repeat(32)}`,
  'GET /api/auth/security',
  'POST /api/auth/security/lock-down',
  'GET /api/auth/identities',
];
