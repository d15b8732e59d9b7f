import { isSharedSecret, SecretMismatchError } from '../../../database/shared-secret.js';
import type { Check, OpenDatabase } from '../check.js';

/** Whether `APP_SECRET` is the one that the database is used with. */
export const secretCheck: Check<OpenDatabase> = {
  name: 'secret',
  async look({ source, settings }) {
    if (!(await isSharedSecret(source, settings))) {
      return [{ ok: false, message: `npm start would refuse: ${new SecretMismatchError().message}` }];
    }
    const rest = settings.formerSecret === null ? '' : '; APP_SECRET_OLD is read as well';
    return [{ ok: true, message: `APP_SECRET is that of the database${rest}` }];
  },
};
