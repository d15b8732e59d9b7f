import { ActionIcon } from '@mantine/core';
import { useEffect, useRef, type ReactNode } from 'react';
import { Icon, type IconName } from '../../../common/icons.js';
import { words } from '../../../words.js';
import classes from '../fields.module.css';

const t = words.editor.fields;

interface OrderedRowsProps {
  readonly label: string;
  readonly rows: readonly { readonly key: string; readonly name: string; readonly node: ReactNode }[];
  readonly isReadOnly: boolean;
  /** @param order places of the rows as they are to stand from now on */
  readonly onOrder: (order: readonly number[]) => void;
}

/** Rows that can be moved and removed, by the keyboard and by a thumb: the focus stays with what was moved. */
export function OrderedRows({ label, rows, isReadOnly, onOrder }: OrderedRowsProps) {
  const list = useRef<HTMLUListElement>(null);
  /** The button that is to have the focus once the rows are drawn. */
  const wanted = useRef<{ readonly row: number; readonly action: string } | null>(null);
  useEffect(() => {
    if (!wanted.current) return;
    const { row, action } = wanted.current;
    wanted.current = null;
    const buttons = [...(list.current?.children[row]?.querySelectorAll('button') ?? [])];
    const usable = buttons.filter((button) => !button.disabled);
    (usable.find(({ dataset }) => dataset.action === action) ?? usable[0])?.focus();
  });
  if (rows.length === 0) return null;
  const places = rows.map((_, at) => at);
  const move = (at: number, to: number, action: string) => {
    wanted.current = { row: to, action };
    const others = places.filter((place) => place !== at);
    onOrder([...others.slice(0, to), at, ...others.slice(to)]);
  };
  const remove = (at: number) => {
    wanted.current = { row: Math.min(at, rows.length - 2), action: 'remove' };
    onOrder(places.filter((place) => place !== at));
  };
  return (
    <ul ref={list} className={classes.rows} aria-label={label}>
      {rows.map(({ key, name, node }, at) => (
        <li key={key} className={classes.row}>
          <div className={classes.rowContent}>{node}</div>
          {!isReadOnly && (
            <div className={classes.rowActions}>
              {rows.length > 1 && (
                <>
                  <RowButton
                    action="up"
                    icon="up"
                    isDisabled={at === 0}
                    label={t.moveUp(name)}
                    onClick={() => move(at, at - 1, 'up')}
                  />
                  <RowButton
                    action="down"
                    icon="down"
                    isDisabled={at === rows.length - 1}
                    label={t.moveDown(name)}
                    onClick={() => move(at, at + 1, 'down')}
                  />
                </>
              )}
              <RowButton action="remove" icon="close" label={t.remove(name)} onClick={() => remove(at)} />
            </div>
          )}
        </li>
      ))}
    </ul>
  );
}

interface RowButtonProps {
  readonly action: string;
  readonly icon: IconName;
  readonly label: string;
  readonly isDisabled?: boolean;
  readonly onClick: () => void;
}

function RowButton({ action, icon, label, isDisabled = false, onClick }: RowButtonProps) {
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      className={classes.rowButton}
      data-action={action}
      disabled={isDisabled}
      aria-label={label}
      title={label}
      onClick={onClick}
    >
      <Icon name={icon} size={16} />
    </ActionIcon>
  );
}
