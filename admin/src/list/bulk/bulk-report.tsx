import { ActionIcon, Alert } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { Icon } from '../../common/icons.js';
import { words } from '../../words.js';
import classes from './bulk.module.css';
import type { BulkFailed } from './bulk-run.js';

const t = words.list.bulk;

interface BulkReportProps {
  readonly type: string;
  readonly failed: readonly BulkFailed[];
  /** What records are called. */
  readonly titles: ReadonlyMap<number, string>;
  readonly onDismiss: () => void;
}

/** Says with which records something did not work, and why. */
export function BulkReport({ type, failed, titles, onDismiss }: BulkReportProps) {
  return (
    <Alert role="alert" variant="light" color="red" className={classes.report} title={t.failed(failed.length)}>
      <ul className={classes.failures}>
        {failed.map(({ id, reason }) => (
          <li key={id}>
            <Link to="/content/$type/$id" params={{ type, id: String(id) }}>
              {titles.get(id) ?? `${type} ${id}`}
            </Link>
            <span>{reason}</span>
          </li>
        ))}
      </ul>
      <ActionIcon
        className={classes.dismiss}
        variant="subtle"
        color="gray"
        aria-label={t.dismiss}
        title={t.dismiss}
        onClick={onDismiss}
      >
        <Icon name="close" size={16} />
      </ActionIcon>
    </Alert>
  );
}
