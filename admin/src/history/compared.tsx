import { Button, NativeSelect, Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { FailedNotice } from '../common/failed-notice.js';
import { exactTime } from '../common/time.js';
import type { ContentType } from '../model.js';
import { words } from '../words.js';
import { ChangeList, labelOf } from './change-list.js';
import { copiedPart } from './copied-part.js';
import { CopyClashDialog } from './copy-clash-dialog.js';
import { diffQuery, type Change, type Revision, type Subject } from './history-queries.js';
import classes from './history.module.css';
import { RollBackDialog } from './roll-back-dialog.js';
import { useCopyLeft } from './use-copy-left.js';

const t = words.history;

interface ComparedProps {
  readonly of: Subject;
  readonly type: ContentType;
  readonly revisions: readonly Revision[];
  readonly shown: Revision;
  /** `ts` of a revision, `previous` or `current`. */
  readonly against: string;
  readonly mayWrite: boolean;
  readonly seesDrafts: boolean;
  readonly hasDraft: boolean;
  readonly onCompare: (against: string) => void;
}

/** A revision, compared with another one. */
export function Compared({ of, type, revisions, shown, against, onCompare, seesDrafts, ...rest }: ComparedProps) {
  const diff = useQuery(diffQuery(of, shown.ts, against));
  const { from, to, changes = [] } = diff.data ?? {};
  return (
    <>
      <div className={classes.tools}>
        <NativeSelect
          size="xs"
          label={t.comparedWith}
          value={against}
          data={[
            { value: 'previous', label: t.previous },
            { value: 'current', label: t.current },
            ...revisions.filter(({ ts }) => ts !== shown.ts).map(optionOf),
          ]}
          onChange={({ currentTarget }) => onCompare(currentTarget.value)}
        />
        <RollBackButton of={of} type={type} revisions={revisions} shown={shown} {...rest} />
      </div>
      {diff.isPending && <Skeleton height={120} role="status" aria-label={words.loading} />}
      {diff.isError && <FailedNotice title={t.failed} error={diff.error} onRetry={() => void diff.refetch()} />}
      {to && (
        <CopyableChanges
          {...{ of, type, changes, seesDrafts }}
          mayCopy={rest.mayWrite && from !== null}
          before={from ? t.version(from.version) : t.before}
          after={t.version(to.version)}
        />
      )}
    </>
  );
}

interface CopyableChangesProps {
  readonly of: Subject;
  readonly type: ContentType;
  readonly changes: readonly Change[];
  readonly before: string;
  readonly after: string;
  readonly mayCopy: boolean;
  readonly seesDrafts: boolean;
}

/** Changes, each with a way to take its older value into the working copy. */
function CopyableChanges({ of, type, changes, before, after, mayCopy, seesDrafts }: CopyableChangesProps) {
  const { isBusy, clash, copy, replace, keep } = useCopyLeft(of, seesDrafts);
  const actionOf = (change: Change) => {
    const part = mayCopy ? copiedPart(type, change) : null;
    const label = labelOf(type, change.field);
    return (
      part && (
        <Button
          size="compact-xs"
          variant="default"
          disabled={isBusy}
          title={t.copy.hint(label, before)}
          onClick={() => copy({ part, change, label })}
        >
          {t.copy.do}
        </Button>
      )
    );
  };
  return (
    <>
      <ChangeList {...{ type, changes, before, after, actionOf }} />
      {clash && <CopyClashDialog clash={clash} from={before} onReplace={() => replace(clash)} onKeep={keep} />}
    </>
  );
}

type RollBackButtonProps = Omit<ComparedProps, 'against' | 'onCompare' | 'seesDrafts'>;

/** Asks for a rollback to a revision that is not the present one. */
function RollBackButton({ of, type, revisions, shown, mayWrite, hasDraft }: RollBackButtonProps) {
  const [isAsked, setAsked] = useState(false);
  const present = revisions.find(({ current }) => current);
  if (!mayWrite || shown.current || !present) return null;
  return (
    <>
      <Button size="xs" variant="default" onClick={() => setAsked(true)}>
        {t.rollBackAsk}
      </Button>
      {isAsked && (
        <RollBackDialog
          of={of}
          type={type}
          revision={shown}
          present={present}
          hasDraft={hasDraft}
          onClose={() => setAsked(false)}
        />
      )}
    </>
  );
}

function optionOf({ ts, version, created_at: at }: Revision) {
  return { value: String(ts), label: `${t.version(version)}, ${exactTime(at)}` };
}
