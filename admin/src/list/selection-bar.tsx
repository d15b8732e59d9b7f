import { Button, Progress } from '@mantine/core';
import { useState } from 'react';
import { Icon, type IconName } from '../common/icons.js';
import type { ContentType } from '../model.js';
import { useMay } from '../queries.js';
import { words } from '../words.js';
import { MOST_SELECTED, type BulkAction, type ChosenTerms } from './bulk/bulk-orders.js';
import classes from './bulk/bulk.module.css';
import { ConfirmBulk } from './bulk/confirm-bulk.js';
import { TermsDialogLoader } from './bulk/terms-dialog-loader.js';
import type { Bulk } from './bulk/use-bulk.js';

const t = words.list;
/** So many records are changed without a question. */
const FEW = 20;

type Action = Exclude<BulkAction, 'status'>;
const UPDATE = ['records:update', 'records:update_own'];
const PUBLISH = ['records:publish'];
const DELETE = ['records:delete'];
/** Each takes one of some scopes. */
const ACTIONS: readonly (readonly [Action, IconName, scopes: readonly string[]])[] = [
  ['publish', 'check', PUBLISH],
  ['unpublish', 'hide', PUBLISH],
  ['archive', 'archive', PUBLISH],
  ['add_terms', 'tag', UPDATE],
  ['remove_terms', 'tagOff', UPDATE],
  ['trash', 'trash', DELETE],
];
const OF_TRASH: typeof ACTIONS = [
  ['restore', 'back', DELETE],
  ['delete', 'trash', DELETE],
];

/** The chosen action: it may need terms first, then a confirmation of the number of records. */
interface Wanted {
  readonly action: Action;
  readonly terms?: ChosenTerms;
}

interface SelectionBarProps {
  readonly type: ContentType;
  readonly bulk: Bulk;
  /** True if the list shows what was deleted. */
  readonly isTrash: boolean;
  readonly selected: ReadonlyMap<number, string>;
  /** Records that the list has, on all its pages. */
  readonly total: number;
  /** Ends when they are selected: until then an action would be for others. */
  readonly onSelectRest: () => Promise<void>;
  readonly onSelect: (selected: ReadonlyMap<number, string>) => void;
}

/** Actions on the selected records. */
export function SelectionBar({ type, bulk, isTrash, selected, total, onSelectRest, onSelect }: SelectionBarProps) {
  const [wanted, setWanted] = useState<Wanted | null>(null);
  const [isSelecting, setSelecting] = useState(false);
  const rest = Math.min(total, MOST_SELECTED);
  const selectRest = async () => {
    setSelecting(true);
    await onSelectRest();
    setSelecting(false);
  };
  const run = async ({ action, terms }: Wanted) => {
    setWanted(null);
    const left = await bulk.run(action, selected, terms);
    // What did not work, and what was stopped before its turn, stays selected.
    onSelect(new Map([...selected].filter(([id]) => left.has(id))));
  };
  const ask = (next: Wanted) => (isAsked(next, selected.size) ? setWanted(next) : void run(next));
  if (bulk.progress) return <Under bulk={bulk} progress={bulk.progress} />;
  return (
    <div className={classes.bar}>
      <strong role="status">{t.selected(selected.size)}</strong>
      {selected.size < rest && (
        <Button size="xs" variant="subtle" loading={isSelecting} onClick={() => void selectRest()}>
          {t.selectRest(rest, rest === total)}
        </Button>
      )}
      <Button size="xs" variant="subtle" disabled={isSelecting} onClick={() => onSelect(new Map())}>
        {t.clearSelection}
      </Button>
      <Actions type={type} isTrash={isTrash} isDisabled={isSelecting} onChoose={(action) => ask({ action })} />
      {wanted && (
        <Questions
          type={type}
          wanted={wanted}
          count={selected.size}
          onTerms={ask}
          onConfirm={() => void run(wanted)}
          onCancel={() => setWanted(null)}
        />
      )}
    </div>
  );
}

function isAsked({ action, terms }: Wanted, count: number): boolean {
  return count > FEW || action === 'delete' || (isOfTerms(action) && !terms);
}

function isOfTerms(action: Action): action is 'add_terms' | 'remove_terms' {
  return action === 'add_terms' || action === 'remove_terms';
}

interface ActionsProps {
  readonly type: ContentType;
  readonly isTrash: boolean;
  readonly isDisabled: boolean;
  readonly onChoose: (action: Action) => void;
}

/** Actions on many records of a type that the person may take. */
export function useActions(type: ContentType, isTrash: boolean): typeof ACTIONS {
  const may = useMay(type.name);
  const hasTerms = type.taxonomies.length > 0;
  return (isTrash ? OF_TRASH : ACTIONS).filter(
    ([action, , scopes]) => scopes.some(may) && (hasTerms || !isOfTerms(action)),
  );
}

function Actions({ type, isTrash, isDisabled, onChoose }: ActionsProps) {
  return (
    <div className={classes.actions}>
      {useActions(type, isTrash).map(([action, icon]) => (
        <Button
          key={action}
          size="xs"
          variant="default"
          leftSection={<Icon name={icon} size={16} />}
          disabled={isDisabled}
          onClick={() => onChoose(action)}
        >
          {t.bulk[action]}
        </Button>
      ))}
    </div>
  );
}

interface QuestionsProps {
  readonly type: ContentType;
  readonly wanted: Wanted;
  readonly count: number;
  readonly onTerms: (wanted: Wanted) => void;
  readonly onConfirm: () => void;
  readonly onCancel: () => void;
}

/** Questions before an action: the terms, then the number of records if they are many. */
function Questions({ type, wanted: { action, terms }, count, onTerms, onConfirm, onCancel }: QuestionsProps) {
  if (isOfTerms(action) && !terms) {
    return (
      <TermsDialogLoader
        action={action}
        taxonomies={type.taxonomies}
        count={count}
        onChoose={(chosen) => onTerms({ action, terms: chosen })}
        onCancel={onCancel}
      />
    );
  }
  return (
    <ConfirmBulk
      action={t.bulk[action]}
      count={count}
      isFinal={action === 'delete'}
      onConfirm={onConfirm}
      onCancel={onCancel}
    />
  );
}

interface UnderProps {
  readonly bulk: Bulk;
  readonly progress: NonNullable<Bulk['progress']>;
}

/** The progress, and a way to stop it. */
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
