import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { FailedNotice } from '../common/failed-notice.js';
import type { Opened } from '../editor/saving/working-copy.js';
import { USUAL } from '../list/list-search.js';
import { may, mayWrite, type ContentType, type Me } from '../model.js';
import { meQuery, typesQuery } from '../queries.js';
import { Lost } from '../shell/lost.js';
import { words } from '../words.js';
import { ChangeList } from './change-list.js';
import { Compared } from './compared.js';
import {
  openedQuery,
  revisionsQuery,
  unpublishedOf,
  type Revision,
  type RevisionList as Revisions,
  type Subject,
} from './history-queries.js';
import type { HistorySearch } from './history-search.js';
import classes from './history.module.css';
import { RevisionList } from './revision-list.js';
import { useSteps } from './steps.js';

const t = words.history;
/** Revisions that are listed at first, and with each further look. */
const PORTION = 25;
/** As many as the service lists at once. */
const MOST = 100;

/** The history of a record, and what differs between two states of it. */
export function HistoryPage() {
  const of = useParams({ from: '/inside/content/$type/$id/history' });
  const types = useQuery(typesQuery);
  const me = useQuery(meQuery).data;
  const type = types.data?.find(({ name }) => name === of.type);
  if (types.data && !type) return <Lost />;
  return type && me && <HistoryOf key={`${of.type} ${of.id}`} of={of} type={type} me={me} />;
}

interface HistoryProps {
  readonly of: Subject;
  readonly type: ContentType;
  readonly me: Me;
}

function HistoryOf({ of, type, me }: HistoryProps) {
  const [size, setSize] = useState(PORTION);
  const list = useQuery(revisionsQuery(of, size));
  const opened = useQuery(openedQuery(of, may(me, 'drafts:read', type.name))).data;
  const title = opened?.current.title ?? words.editor.untitled;
  useEffect(() => {
    document.title = `${t.title} · ${title} · ${words.product}`;
  }, [title]);
  if (list.isError) {
    return <FailedNotice title={t.failed} error={list.error} onRetry={() => void list.refetch()} />;
  }
  return (
    <div className={classes.page}>
      <nav className={classes.crumbs} aria-label={words.nav.content}>
        <Link to="/content/$type" params={{ type: type.name }} search={USUAL}>
          {type.label_plural}
        </Link>
        <span aria-hidden>/</span>
        <Link to="/content/$type/$id" params={of}>
          {title}
        </Link>
      </nav>
      <h1 className={classes.title}>{t.title}</h1>
      {list.data ? (
        <Listed
          {...{ of, type, opened }}
          list={list.data}
          mayWrite={opened !== undefined && mayWrite(me, type.name, opened.record)}
          seesDrafts={may(me, 'drafts:read', type.name)}
          onMore={size < MOST ? () => setSize((n) => n + PORTION) : undefined}
        />
      ) : (
        <Skeleton height={240} role="status" aria-label={words.loading} />
      )}
    </div>
  );
}

interface ListedProps extends Omit<HistoryProps, 'me'> {
  readonly list: Revisions;
  readonly opened: Opened | undefined;
  readonly mayWrite: boolean;
  readonly seesDrafts: boolean;
  readonly onMore: (() => void) | undefined;
}

function Listed({ of, type, list, opened, onMore, ...rights }: ListedProps) {
  const { at, against = 'previous' } = useSearch({ from: '/inside/content/$type/$id/history' });
  const navigate = useNavigate({ from: '/content/$type/$id/history' });
  const place = useRef<HTMLDivElement>(null);
  const { data: revisions, meta } = list;
  const written = opened?.draft ? opened : null;
  const shown = shownOf(revisions, at);
  const isDraft = at === 'draft' && written !== null;
  const show = (change: HistorySearch) =>
    void navigate({ search: (before) => ({ ...before, ...change }), replace: true });
  useSteps(place, (by) => {
    const next = revisions[revisions.findIndex(({ ts }) => ts === shown?.ts) + by];
    if (next) show({ at: next.ts });
  });
  const compare = { of, type, revisions, against, ...rights, hasDraft: written !== null };

  return (
    <div className={classes.columns}>
      <RevisionList
        revisions={revisions}
        shown={isDraft ? 'draft' : shown?.ts}
        hasDraft={written !== null}
        onShow={(next) => show({ at: next })}
        onMore={revisions.length < meta.total ? onMore : undefined}
      />
      <div className={classes.changes} ref={place}>
        {isDraft ? (
          <ChangeList type={type} changes={unpublishedOf(written)} before={t.live} after={t.written} />
        ) : (
          shown && <Compared {...compare} shown={shown} onCompare={(next) => show({ against: next })} />
        )}
        <p className={classes.keys}>{t.keys}</p>
      </div>
    </div>
  );
}

/** The one that an address names, or the newest. */
function shownOf(revisions: readonly Revision[], at: HistorySearch['at']): Revision | undefined {
  return revisions.find(({ ts }) => ts === at) ?? revisions[0];
}
