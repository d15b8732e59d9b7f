import { join } from 'node:path';
import type { Settings } from '../../../config/settings.js';
import type { Check } from '../check.js';

/** A service without a mail server is whole, so this is never a failure; but it should surprise no operator. */
export const mailCheck: Check<Settings> = {
  name: 'mail',
  look({ mail, dataDir }) {
    if (mail.smtp) return [{ ok: true, message: `${mail.smtp.label}, from ${mail.from.address}` }];
    const where = mail.transport === 'log' ? 'to the log' : `into ${join(dataDir, 'outbox')}`;
    const message = `goes ${where} and reaches nobody. To send it, set SMTP_URL=smtp://user:password@mail.example.com:587.`;
    return [{ ok: true, message }];
  },
};
