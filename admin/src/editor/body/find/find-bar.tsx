import { ActionIcon, Button, TextInput } from '@mantine/core';
import { findNext, findPrevious, replaceAll, replaceNext } from '@codemirror/search';
import type { EditorView } from '@codemirror/view';
import { useEffect, useState, type KeyboardEvent } from 'react';
import { Icon } from '../../../common/icons.js';
import { words } from '../../../words.js';
import classes from './find.module.css';
import { foundIn, MOST, startFinding, stopFinding, want, type Found } from './finding.js';

const t = words.writing.find;

export interface FindBarProps {
  readonly view: EditorView;
  readonly isReadOnly: boolean;
  readonly onClose: () => void;
}

/** Finds words of the body, and puts others in their place. */
export function FindBar({ view, isReadOnly, onClose }: FindBarProps) {
  const { wanted, found, change } = useFinding(view);
  const close = () => {
    onClose();
    view.focus();
  };
  const onKeyDown = ({ key, shiftKey, nativeEvent }: KeyboardEvent) => {
    if (key === 'Escape') close();
    if (key !== 'Enter' || nativeEvent.isComposing || !(nativeEvent.target instanceof HTMLInputElement)) return;
    (shiftKey ? findPrevious : findNext)(view);
  };
  return (
    <div className={classes.bar} role="search" aria-label={t.label} onKeyDown={onKeyDown}>
      <div className={classes.row}>
        <TextInput
          className={classes.input}
          aria-label={t.text}
          placeholder={t.text}
          autoFocus
          value={wanted.text}
          onFocus={({ currentTarget }) => currentTarget.select()}
          onChange={({ currentTarget }) => change({ text: currentTarget.value })}
        />
        <span className={classes.count} role="status">
          {wanted.text === '' ? '' : said(found)}
        </span>
        <Button
          variant={wanted.isCaseSensitive ? 'filled' : 'default'}
          px={8}
          aria-pressed={wanted.isCaseSensitive}
          aria-label={t.caseSensitive}
          title={t.caseSensitive}
          onClick={() => change({ isCaseSensitive: !wanted.isCaseSensitive })}
        >
          Aa
        </Button>
        <IconButton icon="up" label={t.previous} onClick={() => findPrevious(view)} />
        <IconButton icon="down" label={t.next} onClick={() => findNext(view)} />
        <IconButton icon="close" label={t.close} onClick={close} />
      </div>
      {!isReadOnly && (
        <div className={classes.row}>
          <TextInput
            className={classes.input}
            aria-label={t.replacement}
            placeholder={t.replacement}
            value={wanted.replacement}
            onChange={({ currentTarget }) => change({ replacement: currentTarget.value })}
          />
          <Button variant="default" onClick={() => replaceNext(view)}>
            {t.replace}
          </Button>
          <Button variant="default" onClick={() => replaceAll(view)}>
            {t.replaceAll}
          </Button>
        </div>
      )}
    </div>
  );
}

interface IconButtonProps {
  readonly icon: 'up' | 'down' | 'close';
  readonly label: string;
  readonly onClick: () => void;
}

function IconButton({ icon, label, onClick }: IconButtonProps) {
  return (
    <ActionIcon variant="subtle" color="gray" size={36} aria-label={label} title={label} onClick={onClick}>
      <Icon name={icon} />
    </ActionIcon>
  );
}

/** State of a search in an editor, and its matches so far. */
function useFinding(view: EditorView) {
  const [wanted, setWanted] = useState({ text: '', replacement: '', isCaseSensitive: false });
  const [found, setFound] = useState<Found>({ at: 0, total: 0 });
  useEffect(() => {
    const text = startFinding(view, () => setFound(foundIn(view.state)));
    setWanted((before) => ({ ...before, text }));
    return () => stopFinding(view);
  }, [view]);
  const change = (part: Partial<typeof wanted>) => setWanted((before) => ({ ...before, ...part }));
  useEffect(() => {
    want(view, wanted);
    setFound(foundIn(view.state));
  }, [view, wanted]);
  return { wanted, found, change };
}

function said({ at, total }: Found): string {
  if (total === 0) return t.none;
  const all = total === MOST ? t.many(MOST) : String(total);
  return at === 0 ? t.total(all) : t.at(at, all);
}
