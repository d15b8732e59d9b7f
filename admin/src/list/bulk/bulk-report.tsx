import { ActionIcon, Alert } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { Icon } from '../../common/icons.js';
import { words } from '../../words.js';
import classes from './bulk.module.css';
import type { BulkNote } from './bulk-orders.js';

const t = words.list.bulk;

interface BulkReportProps {
  readonly type: string;
  readonly title: string;
  readonly notes: readonly BulkNote[];
  /** Titles of records. */
  readonly titles: ReadonlyMap<number, string>;
  readonly onDismiss: () => void;
}

/** Says what people have to know about some records after something was done with many. */
export function BulkReport({ type, title, notes, titles, onDismiss }: BulkReportProps) {
  return (
    <Alert role="alert" variant="light" color="red" className={classes.report} title={title}>
      <ul className={classes.failures}>
        {notes.map(({ id, reason }) => (
          <li key={`${id} ${reason}`}>
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
