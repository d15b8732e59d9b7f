import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { FailedNotice } from '../common/failed-notice.js';
import { tellFailure } from '../common/telling.js';
import type { ContentType } from '../model.js';
import { editedQuery, firstOf, listQuery, typesQuery, useMay, type RecordList } from '../queries.js';
import { Lost } from '../shell/lost.js';
import { words } from '../words.js';
import { BulkReport } from './bulk/bulk-report.js';
import { useBulk, type Bulk } from './bulk/use-bulk.js';
import { EmptyList } from './empty-list.js';
import { FilterBox } from './filter-box.js';
import type { ListSearch } from './list-search.js';
import classes from './list.module.css';
import { NewButton } from './new-button.js';
import { Pages } from './pages.js';
import { RecordTable } from './record-table.js';
import { SelectionBar, useActions } from './selection-bar.js';
import { TermFilter } from './term-filter.js';
import { StatusTabs } from './status-tabs.js';

const NONE: ReadonlySet<number> = new Set();
const NOTHING: ReadonlyMap<number, string> = new Map();

/** The records of one type. */
export function ListPage() {
  const { type: name } = useParams({ from: '/inside/content/$type' });
  const types = useQuery(typesQuery);
  const type = types.data?.find((one) => one.name === name);
  if (types.isLoadingError) {
    return <FailedNotice title={words.list.failed} error={types.error} onRetry={() => void types.refetch()} />;
  }
  if (types.data && !type) return <Lost />;
  return type && <RecordsOf key={name} type={type} />;
}

function RecordsOf({ type }: { readonly type: ContentType }) {
  const search = useSearch({ from: '/inside/content/$type' });
  const navigate = useNavigate({ from: '/content/$type' });
  const list = useQuery(listQuery(type.name, search));
  const [selected, setSelected] = useState(NOTHING);
  const bulk = useBulk(type.name);
  const total = list.data?.meta.total;
  const show = (change: Partial<ListSearch>) =>
    void navigate({ search: (before) => ({ ...before, page: 1, ...change }) });
  const { q, status, term } = search;
  useEffect(() => setSelected(NOTHING), [q, status, term]);
  useEffect(() => {
    document.title = `${type.label_plural} · ${words.product}`;
  }, [type]);

  return (
    <div className={classes.page}>
      <ListHead type={type} search={search} total={total} isFailed={list.isError} />
      <div className={classes.tools}>
        <StatusTabs
          type={type}
          search={search}
          onChoose={(next) => show({ status: next, ...(next === 'trash' && { q: '', term: undefined }) })}
        />
        {status !== 'trash' && (
          <FilterBox key={type.name} type={type} value={q} onChange={(next) => show({ q: next, term: undefined })} />
        )}
      </div>
      {term !== undefined && <TermFilter term={term} onClear={() => show({ term: undefined })} />}
      {(selected.size > 0 || bulk.progress) && (
        <SelectionBar
          type={type}
          bulk={bulk}
          isTrash={status === 'trash'}
          selected={selected}
          total={total ?? 0}
          onSelect={setSelected}
          onSelectRest={() => firstOf(type.name, search).then(setSelected, tellFailure)}
        />
      )}
      <Reports type={type} bulk={bulk} />
      {list.isError ? (
        <FailedNotice title={words.list.failed} error={list.error} onRetry={() => void list.refetch()} />
      ) : (
        <Rows
          type={type}
          search={search}
          list={list.data}
          isStale={list.isPlaceholderData}
          {...{ selected, setSelected, show }}
        />
      )}
    </div>
  );
}

interface ReportsProps {
  readonly type: ContentType;
  readonly bulk: Bulk;
}

/** Reports on some records after an action on many. */
function Reports({ type, bulk }: ReportsProps) {
  const { failed, otherwise, titles, dismiss } = bulk;
  const t = words.list.bulk;
  const report = { type: type.name, titles, onDismiss: dismiss };
  return (
    <>
      {failed.length > 0 && <BulkReport {...report} title={t.failed(failed.length)} notes={failed} />}
      {otherwise.length > 0 && <BulkReport {...report} title={t.otherwise(otherwise.length)} notes={otherwise} />}
    </>
  );
}

interface RowsProps {
  readonly type: ContentType;
  readonly search: ListSearch;
  readonly list: RecordList | undefined;
  /** True if the rows are those before a change, until the others are there. */
  readonly isStale: boolean;
  readonly selected: ReadonlyMap<number, string>;
  readonly setSelected: (selected: ReadonlyMap<number, string>) => void;
  readonly show: (change: Partial<ListSearch>) => void;
}

function Rows({ type, search, list, isStale, selected, setSelected, show }: RowsProps) {
  const seesDrafts = useMay(type.name)('drafts:read');
  const ids = list?.data.map(({ id }) => id) ?? [];
  const isSelectable = useActions(type, search.status === 'trash').length > 0;
  const edited = useQuery(editedQuery(type.name, ids, seesDrafts && search.status !== 'trash'));
  if (list?.data.length === 0) return <EmptyList type={type} search={search} total={list.meta.total} onShow={show} />;
  return (
    <>
      <RecordTable
        type={type}
        search={search}
        rows={list?.data}
        edited={edited.data ?? NONE}
        isStale={isStale}
        {...{ isSelectable, selected }}
        onSelect={setSelected}
        onSort={(sort) => show({ sort })}
      />
      {list && <Pages total={list.meta.total} page={search.page} onTurn={(page) => show({ page })} />}
    </>
  );
}

interface ListHeadProps {
  readonly type: ContentType;
  readonly search: ListSearch;
  readonly total: number | undefined;
  readonly isFailed: boolean;
}

function ListHead({ type, search, total, isFailed }: ListHeadProps) {
  const mayCreate = useMay(type.name)('records:create');
  const text = search.q === '' ? words.list.total : words.list.found;
  return (
    <div className={classes.head}>
      <div>
        <h1 className={classes.title}>{type.label_plural}</h1>
        <p className={classes.total} role="status">
          {total === undefined ? !isFailed && words.loading : text(total)}
        </p>
      </div>
      {mayCreate && <NewButton type={type} />}
    </div>
  );
}
