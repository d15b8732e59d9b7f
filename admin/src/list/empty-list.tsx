import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Notice } from '../common/notice.js';
import { may, type ContentType } from '../model.js';
import { meQuery } from '../queries.js';
import { words } from '../words.js';
import type { ListSearch } from './list-search.js';
import { NewButton } from './new-button.js';
import { BeyondTheEnd } from './pages.js';

interface EmptyListProps {
  readonly type: ContentType;
  readonly search: ListSearch;
  /** Records on all pages. */
  readonly total: number;
  readonly onShow: (change: Partial<ListSearch>) => void;
}

/** A list without rows: why there are none, and the next step. */
export function EmptyList({ type, search, total, onShow }: EmptyListProps) {
  const me = useQuery(meQuery);
  const { q, status, term } = search;
  if (total > 0) return <BeyondTheEnd total={total} onTurn={(page) => onShow({ page })} />;
  if (status === 'trash') {
    return (
      <Notice icon="trash" title={words.list.noTrash}>
        {words.list.noTrashText}
      </Notice>
    );
  }
  if (q !== '' || status !== undefined || term !== undefined) return <NoHits search={search} onShow={onShow} />;
  const mayCreate = me.data !== undefined && may(me.data, 'records:create', type.name);
  return (
    <Notice icon="pen" title={words.list.empty(type.label_plural)} actions={mayCreate && <NewButton type={type} />}>
      {mayCreate ? words.list.emptyText : words.list.emptyReader}
    </Notice>
  );
}

/** Nothing fits what a list is limited to. */
function NoHits({ search: { q, status, term }, onShow }: Omit<EmptyListProps, 'type' | 'total'>) {
  const isOnlyStatus = q === '' && term === undefined && status !== undefined && status !== 'trash';
  return (
    <Notice
      icon="search"
      title={isOnlyStatus ? words.list.noneOf(words.status[status]) : words.list.noHits}
      actions={
        <Button variant="default" onClick={() => onShow({ q: '', status: undefined, term: undefined })}>
          {words.list.showAll}
        </Button>
      }
    >
      {q !== '' && words.list.noHitsText}
    </Notice>
  );
}
