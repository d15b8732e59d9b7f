import { Button } from '@mantine/core';
import { useRef, useState, type KeyboardEvent } from 'react';
import type { ContentType } from '../model.js';
import { words } from '../words.js';
import type { Taxonomy, TaxonomyTerm } from './term-queries.js';
import { TermLine } from './term-line.js';
import { idsAbove, parentInwards, type TermAction, type TermRow } from './term-tree.js';
import classes from './taxonomy.module.css';

const t = words.taxonomy;
/** Rows that are drawn at first, and with each further look. */
const PORTION = 200;

export interface TermTableProps {
  readonly name: string;
  readonly taxonomy: Taxonomy;
  readonly rows: readonly TermRow[];
  /** Content types that use the taxonomy. */
  readonly types: readonly ContentType[];
  /** True if the rows are those of a search, from all places of the tree. */
  readonly isFound: boolean;
  readonly onToggle: (id: number) => void;
  /** @param parent absent: to the top */
  readonly move: (term: TaxonomyTerm, parent: TaxonomyTerm | undefined) => void;
  /** `null`: one may only read. */
  readonly onAsk: ((action: TermAction, term: TaxonomyTerm) => void) | null;
}

/** Terms below each other, walked by arrows. */
export function TermTable(props: TermTableProps) {
  const { name, taxonomy, rows, types, isFound, onToggle, move, onAsk } = props;
  const [size, setSize] = useState(PORTION);
  const [active, setActive] = useState<number | null>(null);
  const [dragged, setDragged] = useState<TaxonomyTerm | null>(null);
  const table = useRef<HTMLTableElement>(null);
  const present = rows.some(({ term }) => term.id === active) ? active : rows[0]?.term.id;
  const focus = (at: number) => {
    const row = rows[Math.min(Math.max(at, 0), Math.min(rows.length, size) - 1)];
    if (row) table.current?.querySelector<HTMLElement>(`[data-term="${row.term.id}"]`)?.focus();
  };
  const canMove = onAsk !== null && taxonomy.isTree;
  const drop = (parent: TaxonomyTerm | undefined) => {
    if (dragged) move(dragged, parent);
    setDragged(null);
  };
  return (
    <>
      <div className={classes.frame}>
        {typeof dragged?.parent_id === 'number' && <TopLevel onDrop={() => drop(undefined)} />}
        <table
          ref={table}
          className={classes.table}
          role="treegrid"
          aria-label={t.total(taxonomy.total)}
          onKeyDown={(event) => onKey(event, { ...props, canMove, focus })}
        >
          <Columns hasActions={onAsk !== null} />
          <tbody>
            {rows.slice(0, size).map((row) => (
              <TermLine
                key={row.term.id}
                {...{ name, row, types, isFound, onToggle, onAsk }}
                isTree={taxonomy.isTree}
                isActive={row.term.id === present}
                onFocus={setActive}
                drag={canMove ? { onStart: setDragged, onEnd: () => setDragged(null), onDrop: drop } : null}
              />
            ))}
          </tbody>
        </table>
      </div>
      {rows.length > size && (
        <Button variant="default" mt={12} onClick={() => setSize((n) => n + PORTION)}>
          {t.more(Math.min(PORTION, rows.length - size))}
        </Button>
      )}
      {onAsk && <p className={classes.keys}>{t.keys}</p>}
    </>
  );
}

function Columns({ hasActions }: { readonly hasActions: boolean }) {
  return (
    <thead>
      <tr>
        <th scope="col">{t.columns.name}</th>
        <th scope="col" className={classes.slug}>
          {t.columns.slug}
        </th>
        <th scope="col" className={classes.uses}>
          {t.columns.records}
        </th>
        {hasActions && (
          <th scope="col" className={classes.actions}>
            <span className={classes.unseen}>{t.columns.actions}</span>
          </th>
        )}
      </tr>
    </thead>
  );
}

/** The place to drop a term that is to stand below none. */
function TopLevel({ onDrop }: { readonly onDrop: () => void }) {
  return (
    <div
      className={classes.top}
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault();
        onDrop();
      }}
    >
      {t.toTop}
    </div>
  );
}

interface Keys extends TermTableProps {
  readonly canMove: boolean;
  /** Puts the focus on a row, as far as there is one. */
  readonly focus: (at: number) => void;
}

/** Keys of a row: those in its buttons are theirs. */
function onKey(event: KeyboardEvent, keys: Keys): void {
  const { target } = event;
  const id = target instanceof HTMLElement ? Number(target.dataset.term) : NaN;
  const at = keys.rows.findIndex(({ term }) => term.id === id);
  const row = keys.rows[at];
  const work = row && (event.altKey || event.shiftKey ? movesOf(event, row, keys) : stepsOf(row, at, keys)[event.key]);
  if (!work || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  work();
}

type Steps = Readonly<Record<string, (() => void) | undefined>>;

function stepsOf({ term, hasChildren, isOpen }: TermRow, at: number, keys: Keys): Steps {
  const { rows, onToggle, onAsk, canMove, focus } = keys;
  const ask = (action: TermAction) => (onAsk ? () => onAsk(action, term) : undefined);
  const above = rows.findIndex((row) => row.term.id === term.parent_id);
  return {
    ArrowDown: () => focus(at + 1),
    ArrowUp: () => focus(at - 1),
    Home: () => focus(0),
    End: () => focus(rows.length - 1),
    ArrowRight: hasChildren ? () => (isOpen ? focus(at + 1) : onToggle(term.id)) : undefined,
    ArrowLeft: isOpen ? () => onToggle(term.id) : above === -1 ? undefined : () => focus(above),
    Enter: ask('rename'),
    F2: ask('rename'),
    Delete: ask('remove'),
    m: canMove ? ask('move') : undefined,
  };
}

/** Alt and Shift with an arrow move a term a level down or up. */
function movesOf({ key, altKey, shiftKey }: KeyboardEvent, { term }: TermRow, keys: Keys): (() => void) | undefined {
  const { taxonomy, canMove, isFound, move } = keys;
  if (!altKey || !shiftKey || !canMove || isFound) return undefined;
  if (key === 'ArrowRight') {
    const parent = parentInwards(taxonomy.terms, term);
    return parent && (() => move(term, parent));
  }
  const [parentId, next] = idsAbove(taxonomy.terms, term);
  if (key !== 'ArrowLeft' || parentId === undefined) return undefined;
  return () =>
    move(
      term,
      taxonomy.terms.find(({ id }) => id === next),
    );
}
