import type { Settings } from '../../../config/settings.js';
import type { Check } from '../check.js';

/** Variables that look like settings and have no effect. */
export const settingsCheck: Check<Settings> = {
  name: 'settings',
  look: ({ warnings }) =>
    warnings.length === 0
      ? [{ ok: true, message: 'every variable that looks like a setting is one' }]
      : warnings.map((message) => ({ ok: false, message })),
};
