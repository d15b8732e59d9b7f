import type { ReactNode } from 'react';
import { Icon, type IconName } from './icons.js';
import classes from './notice.module.css';

interface NoticeProps {
  readonly icon: IconName;
  readonly title: string;
  readonly children?: ReactNode;
  /** Buttons for what can be done. */
  readonly actions?: ReactNode;
  readonly role?: 'alert' | 'status';
}

/** A notice in place of content that is not there. */
export function Notice({ icon, title, children, actions, role }: NoticeProps) {
  return (
    <div className={classes.notice} role={role}>
      <span className={classes.icon}>
        <Icon name={icon} size={26} />
      </span>
      <h2 className={classes.title}>{title}</h2>
      <div className={classes.text}>{children}</div>
      {actions !== undefined && <div className={classes.actions}>{actions}</div>}
    </div>
  );
}
