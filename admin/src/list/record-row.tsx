import { Checkbox } from '@mantine/core';
import { Link, useParams } from '@tanstack/react-router';
import { Moment } from '../common/moment.js';
import { StatusBadge } from '../common/status-badge.js';
import type { ContentRecord } from '../model.js';
import { words } from '../words.js';
import { Excerpt } from './excerpt.js';
import classes from './list.module.css';

/** So many terms of a record are named. */
const SHOWN_TERMS = 2;

interface RecordRowProps {
  /** True if it is a hit of a search, which has no terms and no author. */
  readonly isHit: boolean;
  /** True if it is in the trash, where it cannot be opened. */
  readonly isTrashed: boolean;
  readonly record: ContentRecord;
  readonly isEdited: boolean;
  readonly isSelected: boolean;
  /** `undefined`: it cannot be selected. */
  readonly onToggle: (() => void) | undefined;
}

/** A record in a list. The whole row leads to it. */
export function RecordRow({ isHit, isTrashed, record, isEdited, isSelected, onToggle }: RecordRowProps) {
  const { type } = useParams({ from: '/inside/content/$type' });
  const title = record.title || words.editor.untitled;
  const status = <StatusBadge status={record.status} isEdited={isEdited} />;
  return (
    <tr className={classes.row} data-selected={isSelected}>
      <td className={classes.check}>
        {onToggle && (
          <Checkbox size="xs" aria-label={words.list.select(title)} checked={isSelected} onChange={onToggle} />
        )}
      </td>
      <td className={classes.name}>
        {isTrashed ? (
          <span className={classes.trashed}>{title}</span>
        ) : (
          <Link to="/content/$type/$id" params={{ type, id: String(record.id) }} className={classes.link}>
            {title}
          </Link>
        )}
        <span className={classes.slug}>{isHit ? <Excerpt html={record.excerpt} /> : `/${record.slug}`}</span>
        <span className={classes.small}>
          {status}
          <Moment at={record.updated_at} />
        </span>
      </td>
      <td className={classes.status}>{status}</td>
      {!isHit && (
        <>
          <td className={classes.terms}>
            <Terms record={record} />
          </td>
          <td className={classes.by}>{record.updated_by?.name}</td>
        </>
      )}
      <td className={classes.time}>
        <Moment at={record.updated_at} />
      </td>
    </tr>
  );
}

function Terms({ record }: Pick<RecordRowProps, 'record'>) {
  const names = Object.values(record.terms ?? {})
    .flat()
    .map(({ name }) => name);
  const more = names.length - SHOWN_TERMS;
  return (
    <span className={classes.chips} title={names.join(', ')}>
      {names.slice(0, SHOWN_TERMS).map((name) => (
        <span key={name} className={classes.chip}>
          {name}
        </span>
      ))}
      {more > 0 && <span className={`${classes.chip} ${classes.more}`}>+{more}</span>}
    </span>
  );
}
