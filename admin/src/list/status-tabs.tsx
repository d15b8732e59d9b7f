import { useQuery } from '@tanstack/react-query';
import { may, STATUSES, type ContentType } from '../model.js';
import { meQuery } from '../queries.js';
import { words } from '../words.js';
import type { ListSearch, Shown } from './list-search.js';
import classes from './list.module.css';

interface StatusTabsProps {
  readonly type: ContentType;
  readonly search: ListSearch;
  readonly onChoose: (status: Shown | undefined) => void;
}

/** Chooses the records of one status. Who sees published ones only has nothing to choose. */
export function StatusTabs({ type, search, onChoose }: StatusTabsProps) {
  const me = useQuery(meQuery);
  if (!me.data || !may(me.data, 'drafts:read', type.name)) return <span />;
  const counts = search.q === '' ? type.counts : undefined;
  const all = counts && Object.values(counts).reduce((sum, n) => sum + n, 0);
  const tabs = [
    { status: undefined, label: words.list.all, count: all },
    ...STATUSES.map((status) => ({ status, label: words.list.tabs[status], count: counts?.[status] })),
    ...(may(me.data, 'records:delete', type.name)
      ? [{ status: 'trash' as const, label: words.list.tabs.trash, count: undefined }]
      : []),
  ];
  return (
    <div className={classes.tabs} role="group" aria-label={words.list.columns.status}>
      {tabs.map(({ status, label, count }) => (
        <button
          key={label}
          type="button"
          className={classes.tab}
          aria-pressed={search.status === status}
          onClick={() => onChoose(status)}
        >
          {label} {count !== undefined && <span className={classes.tabCount}>{count.toLocaleString('en')}</span>}
        </button>
      ))}
    </div>
  );
}
