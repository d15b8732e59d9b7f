import { Button, Checkbox, Group, Loader, Modal } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { isOvertaken, sentenceOf } from '../common/failure.js';
import { showUndo } from '../common/undo.js';
import { tellDone, tellFailure } from '../common/telling.js';
import type { ContentType } from '../model.js';
import { words } from '../words.js';
import { ChangedValue, labelOf } from './change-list.js';
import {
  rollBack,
  type Change,
  type Revision,
  type Rollback,
  type RollbackOrder,
  type Subject,
} from './history-queries.js';
import classes from './history.module.css';

const t = words.history;

interface RollBackDialogProps {
  readonly of: Subject;
  readonly type: ContentType;
  readonly revision: Revision;
  /** The newest one, which an undo brings back. */
  readonly present: Revision;
  /** True if something is written and not public yet: it stays as it is. */
  readonly hasDraft: boolean;
  readonly onClose: () => void;
}

/** Shows what would change if a revision were brought back, and brings back what is chosen of it. */
export function RollBackDialog({ of, type, revision, present, hasDraft, onClose }: RollBackDialogProps) {
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const { ts } = revision;
  const trial = useQuery({
    queryKey: ['rollback', of.type, of.id, ts, present.version],
    queryFn: async () => {
      const order = { ts, fields: null, version: present.version, isDryRun: true };
      return (await seen(() => rollBack(of, order))).meta.rollback;
    },
    gcTime: 0,
  });
  const seen = useSeen(of);
  const changes = trial.data?.changes ?? [];
  const chosen = changes.map(({ field }) => field).filter((field) => !left.has(field));
  const { isBusy, bringBack } = useBringBack(of, revision, present);
  const toggle = (field: string) => setLeft((before) => toggled(before, field));

  return (
    <Modal
      opened
      size={720}
      title={t.rollBackTitle(revision.version)}
      onClose={onClose}
      closeButtonProps={{ 'aria-label': words.close }}
      // It would add a style that the policy of the page refuses.
      lockScroll={false}
    >
      {trial.isPending && <Loader size="sm" aria-label={words.loading} />}
      {trial.isError && <p role="alert">{sentenceOf(trial.error)}</p>}
      {trial.data && (
        <>
          <p className={classes.said}>{changes.length === 0 ? t.nothingToDo : t.rollBackText}</p>
          {hasDraft && <p className={classes.said}>{t.draftStays}</p>}
          {changes.map((change) => (
            <Choice
              key={change.field}
              label={labelOf(type, change.field)}
              change={change}
              isChosen={!left.has(change.field)}
              onToggle={() => toggle(change.field)}
            />
          ))}
          <Notes type={type} rollback={trial.data} />
        </>
      )}
      <Group justify="flex-end" gap={8} mt="md">
        <Button variant="default" onClick={onClose}>
          {words.cancel}
        </Button>
        <Button
          loading={isBusy}
          disabled={chosen.length === 0}
          onClick={() => void bringBack(chosen, left.size === 0).then((isDone) => isDone && onClose())}
        >
          {left.size === 0 ? t.rollBack : t.rollBackSome(chosen.length)}
        </Button>
      </Group>
    </Modal>
  );
}

/** Runs what is for the version that people see. If there is a newer one, it is shown. */
function useSeen({ type, id }: Subject) {
  const queries = useQueryClient();
  return async <Result,>(work: () => Promise<Result>): Promise<Result> => {
    try {
      return await work();
    } catch (error) {
      if (isOvertaken(error)) {
        for (const key of ['revisions', 'diff', 'opened'])
          void queries.invalidateQueries({ queryKey: [key, type, id] });
      }
      throw error;
    }
  };
}

/** Brings parts of a revision back, and offers to take that back. */
function useBringBack(of: Subject, { ts }: Revision, present: Revision) {
  const queries = useQueryClient();
  const seen = useSeen(of);
  const [isBusy, setBusy] = useState(false);
  /** @returns the version that the record has then */
  const carryOut = async (order: Omit<RollbackOrder, 'isDryRun'>): Promise<number> => {
    const { data } = await seen(() => rollBack(of, { ...order, isDryRun: false }));
    // A trial of the version before would be refused by now.
    await queries.invalidateQueries({ predicate: ({ queryKey: [key] }) => key !== 'rollback' });
    return data.version;
  };
  /** @returns whether it worked */
  const bringBack = async (fields: readonly string[], isAll: boolean): Promise<boolean> => {
    setBusy(true);
    try {
      const version = await carryOut({ ts, fields: isAll ? null : fields, version: present.version });
      showUndo(t.done, () => {
        const undone = carryOut({ ts: present.ts, fields, version });
        undone.then(() => tellDone({ message: t.undone }), tellFailure);
      });
      return true;
    } catch (error) {
      tellFailure(error);
      return false;
    } finally {
      setBusy(false);
    }
  };
  return { isBusy, bringBack };
}

function toggled(fields: ReadonlySet<string>, field: string): ReadonlySet<string> {
  return new Set(fields.has(field) ? [...fields].filter((one) => one !== field) : [...fields, field]);
}

interface ChoiceProps {
  readonly label: string;
  readonly change: Change;
  readonly isChosen: boolean;
  readonly onToggle: () => void;
}

function Choice({ label, change, isChosen, onToggle }: ChoiceProps) {
  return (
    <div className={classes.choice}>
      <Checkbox label={label} checked={isChosen} onChange={onToggle} />
      <ChangedValue change={change} before={t.now} after={t.then} />
    </div>
  );
}

interface NotesProps {
  readonly type: ContentType;
  readonly rollback: Rollback;
}

/** Parts that cannot come back, and the reasons. */
function Notes({ type, rollback: { kept, skipped } }: NotesProps) {
  const notes = [...kept, ...skipped];
  if (notes.length === 0) return null;
  const reasons: Readonly<Record<string, string>> = t.reasons;
  return (
    <>
      <p className={classes.said}>{t.cannot}</p>
      <ul className={classes.notes}>
        {notes.map(({ field, reason }) => (
          <li key={`${field} ${reason}`}>
            <strong>{labelOf(type, field)}</strong>: {reasons[reason] ?? reason}
          </li>
        ))}
      </ul>
    </>
  );
}
