import type { Status } from '../model.js';
import { words } from '../words.js';
import classes from './status-badge.module.css';

interface StatusBadgeProps {
  readonly status: Status;
  /** True if there are changes that are not public yet. */
  readonly isEdited?: boolean;
}

/** The public status of a record, with a mark if there is more than the public sees. */
export function StatusBadge({ status, isEdited = false }: StatusBadgeProps) {
  return (
    <span className={classes.pair}>
      <span className={classes.badge} data-status={status}>
        {words.status[status]}
      </span>
      {isEdited && status !== 'draft' && <span className={classes.edited}>{words.status.edited}</span>}
    </span>
  );
}
