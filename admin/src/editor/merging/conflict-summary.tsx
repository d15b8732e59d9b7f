import { Button, Group } from '@mantine/core';
import type { MouseEvent } from 'react';
import { Moment } from '../../common/moment.js';
import { words } from '../../words.js';
import { clashId, type Clash, type Other } from './clash.js';
import classes from './merging.module.css';
import { Panel } from './panel.js';

const t = words.editor.merging;

interface ConflictSummaryProps {
  readonly clashes: readonly Clash[];
  readonly who: Other;
  /** The time of the other change, as ISO 8601. */
  readonly when: string;
  readonly onMine: () => void;
  readonly onTheirs: () => void;
  readonly isBusy?: boolean;
}

/** Says above a record who has changed it too, and leads to the fields in which both have. */
export function ConflictSummary({ clashes, who, when, onMine, onTheirs, isBusy = false }: ConflictSummaryProps) {
  return (
    <Panel
      look="summary"
      title={
        <>
          {t.changedFields(who?.name ?? t.someone)} <Moment at={when} />
        </>
      }
    >
      <p className={classes.said}>
        {t.notSaved(clashes.length)}{' '}
        {clashes.map(({ field, label }, at) => (
          <span key={field}>
            {at > 0 && ', '}
            <a
              href={`${window.location.pathname}${window.location.search}#${clashId(field)}`}
              onClick={(event) => lead(event, field)}
            >
              {label}
            </a>
          </span>
        ))}
      </p>
      <Group gap={8}>
        <Button size="xs" variant="default" disabled={isBusy} onClick={onMine}>
          {t.keepAll}
        </Button>
        <Button size="xs" variant="default" disabled={isBusy} onClick={onTheirs}>
          {t.takeAll}
        </Button>
      </Group>
    </Panel>
  );
}

/** Goes to the notice of a field without a change of the address, of which the editor is made anew. */
function lead(event: MouseEvent, field: string): void {
  const notice = document.getElementById(clashId(field));
  if (!notice) return;
  event.preventDefault();
  notice.scrollIntoView({ block: 'center' });
  notice.focus({ preventScroll: true });
}
