import type { Answer } from './errors.js';
import { aPerson, signedIn } from './sign-in.js';
import type { TestApp } from './test-app.js';

/** One token more than a user may have. In several sessions: one alone would go beyond its requests of the minute. */
export async function manyTokens(service: TestApp): Promise<Answer> {
  const person = await aPerson(service);
  const order = { name: 'laptop', scopes: ['records:read'] };
  const make = (token: string) => service.http(token).post('/api/auth/tokens').send(order);
  for (let session = 0; session < 2; session += 1) {
    const { token } = await signedIn(service, person);
    for (let made = 0; made < 50; made += 1) await make(token).expect(201);
  }
  return make((await signedIn(service, person)).token);
}
