import { Button, Progress } from '@mantine/core';
import { useState } from 'react';
import { Icon, type IconName } from '../common/icons.js';
import type { ContentType } from '../model.js';
import { useMay } from '../queries.js';
import { words } from '../words.js';
import { MOST_SELECTED, type BulkAction } from './bulk/bulk-run.js';
import classes from './bulk/bulk.module.css';
import { ConfirmBulk } from './bulk/confirm-bulk.js';
import type { Bulk } from './bulk/use-bulk.js';

const t = words.list;
/** So many records are changed without a question. */
const FEW = 20;

type Action = Exclude<BulkAction, 'status'>;
const ACTIONS: readonly (readonly [Action, IconName, scope: string])[] = [
  ['publish', 'check', 'records:publish'],
  ['unpublish', 'hide', 'records:publish'],
  ['archive', 'archive', 'records:publish'],
  ['trash', 'trash', 'records:delete'],
];
const OF_TRASH: typeof ACTIONS = [
  ['restore', 'back', 'records:delete'],
  ['delete', 'trash', 'records:delete'],
];

interface SelectionBarProps {
  readonly type: ContentType;
  readonly bulk: Bulk;
  /** Whether the list shows what was deleted. */
  readonly isTrash: boolean;
  readonly selected: ReadonlyMap<number, string>;
  /** Records that the list has, on all its pages. */
  readonly total: number;
  readonly onSelectRest: () => void;
  readonly onSelect: (selected: ReadonlyMap<number, string>) => void;
}

/** What can be done with the selected records. */
export function SelectionBar({ type, bulk, isTrash, selected, total, onSelectRest, onSelect }: SelectionBarProps) {
  const may = useMay(type.name);
  const [asked, setAsked] = useState<Action | null>(null);
  const actions = (isTrash ? OF_TRASH : ACTIONS).filter(([, , scope]) => may(scope));
  const rest = Math.min(total, MOST_SELECTED);
  const run = async (action: Action) => {
    setAsked(null);
    const { failed, done } = await bulk.run(action, selected);
    const through = new Set(done.map(({ id }) => id));
    // What did not work, and what was stopped before its turn, stays selected.
    onSelect(failed.length === 0 ? new Map([...selected].filter(([id]) => !through.has(id))) : selectedOf(failed));
  };
  const selectedOf = (some: readonly { readonly id: number }[]) =>
    new Map(some.map(({ id }) => [id, selected.get(id) ?? '']));
  if (bulk.progress) return <Under bulk={bulk} progress={bulk.progress} />;
  return (
    <div className={classes.bar}>
      <strong role="status">{t.selected(selected.size)}</strong>
      {selected.size < rest && (
        <Button size="xs" variant="subtle" onClick={onSelectRest}>
          {t.selectRest(rest, rest === total)}
        </Button>
      )}
      {actions.map(([action, icon]) => (
        <Button
          key={action}
          size="xs"
          variant="default"
          leftSection={<Icon name={icon} size={16} />}
          onClick={() => (selected.size > FEW || action === 'delete' ? setAsked(action) : void run(action))}
        >
          {t.bulk[action]}
        </Button>
      ))}
      <Button size="xs" variant="subtle" onClick={() => onSelect(new Map())}>
        {t.clearSelection}
      </Button>
      {asked && (
        <ConfirmBulk
          action={t.bulk[asked]}
          count={selected.size}
          isFinal={asked === 'delete'}
          onConfirm={() => void run(asked)}
          onCancel={() => setAsked(null)}
        />
      )}
    </div>
  );
}

interface UnderProps {
  readonly bulk: Bulk;
  readonly progress: NonNullable<Bulk['progress']>;
}

/** How far it is, and a way to stop it. */
function Under({ bulk, progress: { through, of } }: UnderProps) {
  return (
    <div className={classes.bar}>
      <span role="status">{t.bulk.through(through, of)}</span>
      <Progress className={classes.progress} value={(through / of) * 100} aria-label={t.bulk.through(through, of)} />
      <Button size="xs" variant="default" onClick={bulk.stop}>
        {t.bulk.stop}
      </Button>
    </div>
  );
}
