import { Button, Group } from '@mantine/core';
import { Moment } from '../../common/moment.js';
import { words } from '../../words.js';
import { clashId, isLong, textsOf, type Clash, type Other } from './clash.js';
import classes from './merging.module.css';
import { ValueDiff } from './value-diff.js';

const t = words.editor.merging;

interface ClashNoticeProps {
  readonly clash: Clash;
  readonly who: Other;
  /** The time of the other change, as ISO 8601. */
  readonly when: string;
  readonly onMine: () => void;
  readonly onTheirs: () => void;
  /** Opens the dialog that merges; offered for long texts only. */
  readonly onMerge?: () => void;
  readonly isBusy?: boolean;
}

/** Stands below a field that someone else has changed too, with both values and what can be done. */
export function ClashNotice({ clash, who, when, onMine, onTheirs, onMerge, isBusy = false }: ClashNoticeProps) {
  const { label, mine, theirs } = clash;
  return (
    <div id={clashId(clash.field)} className={classes.clash} role="group" aria-label={t.both(label)} tabIndex={-1}>
      <p className={classes.said}>
        <strong>{t.changedBy(who?.name ?? t.someone)}</strong> <Moment at={when} />
      </p>
      {textsOf(clash) && <p className={classes.legend}>{t.legend}</p>}
      <ValueDiff before={{ label: t.mine, value: mine }} after={{ label: t.theirs, value: theirs }} />
      <Group gap={8}>
        <Button size="xs" variant="default" disabled={isBusy} onClick={onMine}>
          {t.keepMine}
        </Button>
        <Button size="xs" variant="default" disabled={isBusy} onClick={onTheirs}>
          {t.takeTheirs}
        </Button>
        {onMerge && isLong(clash) && (
          <Button size="xs" disabled={isBusy} onClick={onMerge}>
            {t.merge}
          </Button>
        )}
      </Group>
    </div>
  );
}
