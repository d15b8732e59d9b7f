import { Alert } from '@mantine/core';
import type { ReactNode } from 'react';
import { Icon } from '../../common/icons.js';
import classes from './merging.module.css';

interface PanelProps {
  readonly look: 'summary' | 'recovery';
  readonly title: ReactNode;
  readonly children: ReactNode;
}

/** Stands above a record, and is read out at once. */
export function Panel({ look, title, children }: PanelProps) {
  return (
    <Alert
      role="alert"
      variant="light"
      icon={<Icon name="alert" />}
      title={title}
      classNames={{
        root: classes[look],
        title: classes.panelTitle,
        icon: classes.panelIcon,
        message: classes.panelText,
      }}
    >
      {children}
    </Alert>
  );
}
