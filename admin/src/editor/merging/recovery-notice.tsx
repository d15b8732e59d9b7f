import { Button, Group } from '@mantine/core';
import { clockTime, exactTime } from '../../common/time.js';
import { words } from '../../words.js';
import classes from './merging.module.css';
import { Panel } from './panel.js';
import { ValueDiff } from './value-diff.js';

const t = words.editor.merging.recovery;

interface RecoveryNoticeProps {
  /** The time when the text was typed, as ISO 8601. */
  readonly when: string;
  /** Fields whose value on this device is another than the one at the service. */
  readonly fields: readonly { readonly label: string; readonly saved: unknown; readonly kept: unknown }[];
  readonly onKeep: () => void;
  readonly onDiscard: () => void;
  readonly isBusy?: boolean;
}

/** Offers text that was typed and never arrived, with what it differs by from what is saved. */
export function RecoveryNotice({ when, fields, onKeep, onDiscard, isBusy = false }: RecoveryNoticeProps) {
  return (
    <Panel
      look="recovery"
      title={
        <time dateTime={when} title={exactTime(when)}>
          {t.title(clockTime(when, Date.now()))}
        </time>
      }
    >
      <p className={classes.said}>{t.text}</p>
      {fields.map(({ label, saved, kept }) => (
        <section key={label} className={classes.recovered} aria-label={label}>
          <h3>{label}</h3>
          <ValueDiff before={{ label: t.saved, value: saved }} after={{ label: t.kept, value: kept }} />
        </section>
      ))}
      <Group gap={8}>
        <Button size="xs" disabled={isBusy} onClick={onKeep}>
          {t.keep}
        </Button>
        <Button size="xs" variant="default" disabled={isBusy} onClick={onDiscard}>
          {t.discard}
        </Button>
      </Group>
    </Panel>
  );
}
