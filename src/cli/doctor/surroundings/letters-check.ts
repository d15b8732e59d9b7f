import { Reads } from '../../../database/statements/reads.js';
import { mailBacklog } from '../../../mail/backlog.js';
import type { Check, OpenDatabase } from '../check.js';

/** Whether mails leave the queue. */
export const lettersCheck: Check<OpenDatabase> = {
  name: 'letters',
  async look({ source }) {
    const { waiting, late, abandoned, lastError } = await mailBacklog(new Reads(source), Date.now());
    const faults = [];
    if (late > 0) {
      const reason =
        lastError === null ? 'None was tried: is an instance running?' : `The oldest failed with: ${lastError}`;
      faults.push(`Mails that have waited for more than five minutes: ${late}. ${reason}`);
    }
    if (abandoned > 0) {
      faults.push(`Mails in hand of a process that has died, and taken by no other: ${abandoned}. Start an instance.`);
    }
    if (faults.length > 0) return faults.map((message) => ({ ok: false, message }));
    return [{ ok: true, message: waiting === 0 ? 'no mail waits' : `mails that wait: ${waiting}, none for long` }];
  },
};
