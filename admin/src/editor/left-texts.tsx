import { Button } from '@mantine/core';
import { useEffect, useState } from 'react';
import { words } from '../words.js';
import classes from './editor.module.css';
import { echoStore, offerEchoes, type KeptEcho } from './saving/echo.js';

const t = words.editor.left;

interface LeftTextsProps {
  readonly type: string;
  readonly id: number;
  readonly user: number;
}

/** Texts that were typed on this device into a record that cannot be opened any more. */
export function LeftTexts({ type, id, user }: LeftTextsProps) {
  const [found, setFound] = useState<readonly KeptEcho[]>([]);
  useEffect(() => {
    let isOver = false;
    const add = (echo: KeptEcho) => isOver || setFound((all) => [...all, echo]);
    // A window that keeps nothing has nothing to show.
    void offerEchoes({ user, type, id }, add).catch(() => undefined);
    return () => {
      isOver = true;
    };
  }, [type, id, user]);
  const forget = async ({ key }: KeptEcho): Promise<void> => {
    await echoStore.forget([key]);
    setFound((all) => all.filter((one) => one.key !== key));
  };
  return found.map((echo) => (
    <section key={echo.key} className={classes.left} aria-label={t.title}>
      <p>{t.title}</p>
      {Object.entries(echo.values).map(([name, value]) => (
        <div key={name}>
          <h2>{name}</h2>
          <pre tabIndex={0}>{typeof value === 'string' ? value : JSON.stringify(value, null, 1)}</pre>
        </div>
      ))}
      <Button variant="default" size="xs" onClick={() => void forget(echo)}>
        {t.forget}
      </Button>
    </section>
  ));
}
