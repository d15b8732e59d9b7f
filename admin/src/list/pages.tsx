import { Button, Pagination } from '@mantine/core';
import { Notice } from '../common/notice.js';
import { PAGE_SIZE } from '../queries.js';
import { words } from '../words.js';
import classes from './list.module.css';

const LABELS: Readonly<Record<string, string>> = { previous: words.list.previous, next: words.list.next };

interface PagesProps {
  readonly total: number;
  readonly page: number;
  readonly onTurn: (page: number) => void;
}

/** The place of a page in its list, and the way to the others. */
export function Pages({ total, page, onTurn }: PagesProps) {
  const last = lastOf(total);
  const from = Math.min((page - 1) * PAGE_SIZE + 1, total);
  return (
    <div className={classes.pages}>
      <span>{words.list.range(from, Math.min(page * PAGE_SIZE, total), total)}</span>
      {last > 1 && (
        <nav aria-label={words.list.pages}>
          <Pagination
            size="sm"
            gap={4}
            total={last}
            value={page}
            siblings={1}
            boundaries={1}
            onChange={onTurn}
            getItemProps={(n) => ({ 'aria-label': words.list.page(n) })}
            getControlProps={(control) => ({ 'aria-label': LABELS[control] })}
          />
        </nav>
      )}
    </div>
  );
}

/** A page of a list that has fewer of them. */
export function BeyondTheEnd({ total, onTurn }: Omit<PagesProps, 'page'>) {
  const last = lastOf(total);
  return (
    <Notice
      icon="list"
      title={words.list.beyond}
      actions={
        <Button variant="default" onClick={() => onTurn(last)}>
          {words.list.page(last)}
        </Button>
      }
    />
  );
}

function lastOf(total: number): number {
  return Math.max(1, Math.ceil(total / PAGE_SIZE));
}
