import { Button } from '@mantine/core';
import { Moment } from '../common/moment.js';
import { StatusBadge } from '../common/status-badge.js';
import { words } from '../words.js';
import type { Revision } from './history-queries.js';
import classes from './history.module.css';

const t = words.history;

interface RevisionListProps {
  readonly revisions: readonly Revision[];
  /** `ts` of the one that is shown, or what is not public yet. */
  readonly shown: number | 'draft' | undefined;
  /** True if something is written and not public yet. */
  readonly hasDraft: boolean;
  readonly onShow: (at: number | 'draft') => void;
  /** Absent: there are no older ones. */
  readonly onMore: (() => void) | undefined;
}

/** The revisions of a record, the newest first, and before them what is not public yet. */
export function RevisionList({ revisions, shown, hasDraft, onShow, onMore }: RevisionListProps) {
  return (
    <nav className={classes.list} aria-label={t.revisions}>
      <ol>
        {hasDraft && (
          <li>
            <button type="button" aria-current={shown === 'draft'} onClick={() => onShow('draft')}>
              <strong>{t.notPublic}</strong>
              <span>{t.notPublicText}</span>
            </button>
          </li>
        )}
        {revisions.map(({ ts, action, created_at: at, author, version, status }) => (
          <li key={ts}>
            <button type="button" aria-current={shown === ts} onClick={() => onShow(ts)}>
              <strong>
                {t.actions[action]} <Moment at={at} />
              </strong>
              <span>
                {author.name} · {t.version(version)}
              </span>
              <StatusBadge status={status} />
            </button>
          </li>
        ))}
      </ol>
      {onMore && (
        <Button variant="subtle" size="xs" onClick={onMore}>
          {t.more}
        </Button>
      )}
    </nav>
  );
}
