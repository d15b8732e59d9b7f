import { Checkbox, Skeleton, UnstyledButton } from '@mantine/core';
import { useRef } from 'react';
import { Icon } from '../common/icons.js';
import type { ContentRecord, ContentType } from '../model.js';
import { PAGE_SIZE } from '../queries.js';
import { words } from '../words.js';
import { MOST_SELECTED } from './bulk/bulk-orders.js';
import { nextSort, type ListSearch, type Sort, type SortKey } from './list-search.js';
import classes from './list.module.css';
import { RecordRow } from './record-row.js';
import { useRowKeys } from './use-row-keys.js';

const t = words.list;

interface RecordTableProps {
  readonly type: ContentType;
  readonly search: ListSearch;
  /** `undefined`: they are on their way. */
  readonly rows: readonly ContentRecord[] | undefined;
  readonly edited: ReadonlySet<number>;
  readonly isStale: boolean;
  /** True if the person may do something with many of them. */
  readonly isSelectable: boolean;
  /** Titles of the selected records, of all pages. */
  readonly selected: ReadonlyMap<number, string>;
  readonly onSelect: (selected: ReadonlyMap<number, string>) => void;
  readonly onSort: (sort: Sort) => void;
}

/** One page of records. */
export function RecordTable({ type, search, rows, edited, isStale, ...props }: RecordTableProps) {
  const { isSelectable, selected, onSelect, onSort } = props;
  const isHits = search.q !== '';
  const shown = rows ?? [];
  const isAll = shown.length > 0 && shown.every(({ id }) => selected.has(id));
  const isSome = shown.some(({ id }) => selected.has(id));
  const select = (some: readonly ContentRecord[], isSelected: boolean) =>
    onSelect(isSelected ? withMore(selected, some) : without(selected, some));
  const frame = useRef<HTMLDivElement>(null);
  const toggle = (record: ContentRecord) => select([record], !selected.has(record.id));
  useRowKeys(frame, {
    ids: shown.map(({ id }) => id),
    onToggle: (id) => isSelectable && shown.filter((one) => one.id === id).forEach(toggle),
    onClear: () => onSelect(new Map()),
  });
  return (
    <div ref={frame} className={classes.frame} data-stale={isStale}>
      <table className={classes.table}>
        <caption className={classes.caption}>{type.label_plural}</caption>
        <thead>
          <tr>
            <th className={classes.check}>
              {isSelectable && (
                <Checkbox
                  size="xs"
                  aria-label={t.selectAll}
                  checked={isAll}
                  indeterminate={!isAll && isSome}
                  onChange={() => select(shown, !isAll)}
                />
              )}
            </th>
            <SortHead column="title" label={t.columns.title} search={search} onSort={onSort} />
            <th className={classes.status}>{t.columns.status}</th>
            {!isHits && (
              <>
                <th className={classes.terms}>{t.columns.terms}</th>
                <th className={classes.by}>{t.columns.by}</th>
              </>
            )}
            <SortHead
              column="updated_at"
              label={t.columns.updated}
              search={search}
              onSort={onSort}
              className={classes.time}
            />
          </tr>
        </thead>
        <tbody>
          {rows?.map((record) => (
            <RecordRow
              key={record.id}
              isHit={isHits}
              isTrashed={search.status === 'trash'}
              record={record}
              isEdited={edited.has(record.id)}
              isSelected={selected.has(record.id)}
              onToggle={isSelectable ? () => toggle(record) : undefined}
            />
          )) ?? <Waiting />}
        </tbody>
      </table>
    </div>
  );
}

function withMore(selected: ReadonlyMap<number, string>, some: readonly ContentRecord[]): ReadonlyMap<number, string> {
  const added = some.map(({ id, title }) => [id, title || words.editor.untitled] as const);
  return new Map([...selected, ...added].slice(0, MOST_SELECTED));
}

function without(selected: ReadonlyMap<number, string>, some: readonly ContentRecord[]): ReadonlyMap<number, string> {
  const ids = new Set(some.map(({ id }) => id));
  return new Map([...selected].filter(([id]) => !ids.has(id)));
}

interface SortHeadProps {
  readonly column: SortKey;
  readonly label: string;
  readonly search: ListSearch;
  readonly onSort: (sort: Sort) => void;
  readonly className?: string | undefined;
}

/** The head of a column that sorts. Hits of a search are in the order of the search. */
function SortHead({ column, label, search, onSort, className }: SortHeadProps) {
  const { q, sort } = search;
  const isSorted = q === '' && sort.replace(/^-/, '') === column;
  const isDown = sort.startsWith('-');
  if (q !== '') return <th className={className}>{label}</th>;
  return (
    <th className={className} aria-sort={isSorted ? (isDown ? 'descending' : 'ascending') : 'none'}>
      <UnstyledButton className={classes.sort} title={t.sortBy(label)} onClick={() => onSort(nextSort(sort, column))}>
        {label}
        <Icon name={isDown ? 'down' : 'up'} size={14} data-hidden={!isSorted} />
      </UnstyledButton>
    </th>
  );
}

function Waiting() {
  return Array.from({ length: PAGE_SIZE }, (_, row) => (
    <tr key={row}>
      <td colSpan={6}>
        <Skeleton height={14} my={4} width={`${38 + ((row * 17) % 30)}%`} />
        <Skeleton height={10} my={4} width={`${18 + ((row * 11) % 20)}%`} />
      </td>
    </tr>
  ));
}
