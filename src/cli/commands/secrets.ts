import { Audit } from '../../audit/audit.js';
import { KEYS_MAX_AGE_SECONDS, SigningKeys } from '../../auth/tokens/keys/signing-keys.js';
import { Clock } from '../../common/clock.js';
import { DomainError } from '../../common/errors/domain-error.js';
import { replaceSecret } from '../../database/shared-secret.js';
import type { Define, Outcome } from '../command.js';
import type { Invocation } from '../invocation.js';
import { addEvent, OPERATOR, withKnownSchema } from '../operator-events.js';

export const secretCommands: Define = (program, act) => {
  const key = program.command('key').description('Change the key that signs access tokens.');
  key
    .command('rotate')
    .description('Sign access tokens with the next key from now on. Tokens of the old key work until they expire.')
    .option('--leaked', 'The old key has leaked: refuse at once what it signed.')
    .option('--force', 'Rotate although gateways may not know the next key yet.')
    .action(act(rotate));
  const secret = program.command('secret').description('Go on after APP_SECRET was lost.');
  secret
    .command('replace')
    .description(
      'The former APP_SECRET is lost: go on with the present one. People sign in again, and mails that wait are dropped.',
    )
    .action(act(replace));
};

async function rotate(invocation: Invocation, options: Partial<Record<'leaked' | 'force', true>>): Promise<Outcome> {
  const keys = await invocation.get(SigningKeys);
  const isLeaked = options.leaked === true;
  if (!options.force) await requirePublished(keys, invocation);
  const rotation = await keys.rotate({ isLeaked });
  const details = { active: rotation.active, leaked: isLeaked };
  (await invocation.get(Audit)).note({ event: 'key.rotated', outcome: 'success', actor: OPERATOR, details });
  return { json: rotation, text: `Access tokens are signed with ${rotation.active} from now on.` };
}

async function replace(invocation: Invocation): Promise<Outcome> {
  const settings = invocation.settings();
  await withKnownSchema(invocation.dialect(), (writer) =>
    replaceSecret(writer, settings, (manager) => addEvent(manager, { event: 'secret.replaced' })),
  );
  const text = 'The database is used with the present APP_SECRET from now on. Restart all processes with it.';
  return { json: { replaced: true }, text };
}

/** @throws {DomainError} `not_ready`: the next key is too young */
async function requirePublished(keys: SigningKeys, invocation: Invocation): Promise<void> {
  const { stored } = await keys.ready();
  const next = stored.find(({ slot }) => slot === 'next');
  const age = (await invocation.get(Clock)).now() - (next?.createdAt ?? 0);
  const seconds = Math.ceil(KEYS_MAX_AGE_SECONDS - age / 1_000);
  // A key of the future was made by a clock that was ahead.
  if (seconds <= 0 || age < 0) return;
  throw new DomainError(
    'not_ready',
    `The next key was published less than 5 minutes ago, and gateways may not know it. Wait ${seconds} s, or add --force.`,
  );
}
