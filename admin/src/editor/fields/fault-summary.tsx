import { Alert } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { Icon } from '../../common/icons.js';
import type { ContentType, Fault } from '../../model.js';
import { words } from '../../words.js';
import { partOf } from '../saving/parts.js';
import { faultText, focusField, inOrder, inputId, labelOf } from './faults.js';
import classes from './fields.module.css';

interface FaultSummaryProps {
  readonly type: ContentType;
  readonly faults: readonly Fault[];
}

/** Says above a record what keeps it from being public, and leads into each field. */
export function FaultSummary({ type, faults }: FaultSummaryProps) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    box.current?.focus({ preventScroll: true });
    box.current?.scrollIntoView({ block: 'nearest' });
  }, []);
  return (
    <div ref={box} tabIndex={-1} className={classes.summary}>
      <Alert
        role="alert"
        color="red"
        variant="light"
        icon={<Icon name="alert" />}
        title={words.editor.fields.faults(faults.length)}
        classNames={{ root: classes.summaryRoot, title: classes.summaryTitle, icon: classes.summaryIcon }}
      >
        <ul className={classes.summaryList}>
          {inOrder(type, faults).map((fault) => (
            <li key={`${fault.field} ${fault.message}`}>
              <a
                href={`${window.location.pathname}${window.location.search}#${inputId(fault.field)}`}
                onClick={(event) => {
                  event.preventDefault();
                  focusField(fault.field);
                }}
              >
                {sentenceOf(fault, labelOf(type, partOf(fault.field)))}
              </a>
            </li>
          ))}
        </ul>
      </Alert>
    </div>
  );
}

/** Says what is wrong, beginning with the place. */
function sentenceOf(fault: Fault, label: string): string {
  const text = faultText(fault, label);
  return text.startsWith(label) ? text : `${label}: ${text}`;
}
