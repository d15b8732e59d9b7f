import { Reads } from '../../../database/statements/reads.js';
import { overdueJobs } from '../../../records/checks/overdue-jobs.js';
import type { Check, OpenDatabase } from '../check.js';

/**
 * Whether background jobs have done what they should have, by what they leave in the database. When each last ended well is
 * known to its process alone, and measured there (`cms_chore_last_success`).
 */
export const jobsCheck: Check<OpenDatabase> = {
  name: 'jobs',
  async look({ source }) {
    const { deltas, trash } = await overdueJobs(new Reads(source), Date.now());
    const faults = [
      ...(deltas > 0 ? [`records.fold-counts is late: more than ${deltas - 1} changes of counts wait`] : []),
      ...(trash > 0
        ? [`records.purge-trash is late: ${trash} records have been in the trash for more than 31 days`]
        : []),
    ];
    if (faults.length === 0) return [{ ok: true, message: 'nothing that jobs do is overdue' }];
    return faults.map((fault) => ({
      ok: false,
      message: `${fault}. Is an instance running? If so, its log says why, and the alert ContentServiceJobIsLate which.`,
    }));
  },
};
