import { requireKnownSchema } from '../../database/schema/newer-schema-error.js';
import { replaceSecret } from '../../database/shared-secret.js';
import { requireRestored } from '../../database/schema/unfinished-restore.js';
import { Writer } from '../../database/statements/writer.js';
import type { Command } from '../command.js';
import { addEvent } from '../operator-events.js';

const replace: Command = {
  name: 'secret replace',
  summary:
    'The former APP_SECRET is lost: go on with the present one. People sign in again, and mails that wait are dropped.',
  async run(_, invocation) {
    const settings = invocation.settings();
    const writer = await Writer.open(invocation.dialect());
    try {
      await requireRestored(writer.source);
      await requireKnownSchema(writer.source);
      await replaceSecret(writer, settings, (manager) => addEvent(manager, { event: 'secret.replaced' }));
    } finally {
      await writer.onApplicationShutdown();
    }
    const text = 'The database is used with the present APP_SECRET from now on. Restart all processes with it.';
    return { json: { replaced: true }, text };
  },
};

export const secretCommands: readonly Command[] = [replace];
