import { Modal } from '@mantine/core';
import { useEffect, useEffectEvent, useState, type KeyboardEvent } from 'react';
import { Icon } from '../common/icons.js';
import { sentenceOf } from '../common/failure.js';
import { words } from '../words.js';
import { PaletteList } from './palette-list.js';
import classes from './search.module.css';
import { usePaletteItems, type Item, type Offer } from './use-palette-items.js';

const t = words.search;
const LIST = 'palette-list';

export interface PaletteProps {
  readonly onClose: () => void;
  /** Shows the sheet of keys. */
  readonly onKeys: () => void;
}

/** One box for everything: records of all types, places, and what can be done. */
export function Palette({ onClose, onKeys }: PaletteProps) {
  const [typed, setTyped] = useState('');
  const offer = usePaletteItems(typed.trim(), onKeys);
  const { items, error, isWaiting, isNothing } = offer;
  const { active, choose, point, restart, onKey } = useChoice(offer, onClose);
  return (
    <Modal
      opened
      size={600}
      padding={0}
      withCloseButton={false}
      aria-label={t.palette}
      onClose={onClose}
      // It would add a style that the policy of the page refuses.
      lockScroll={false}
      classNames={{ inner: classes.inner, content: classes.palette, body: classes.body }}
    >
      <div className={classes.line}>
        <Icon name="search" />
        <input
          // At once, and not with the next frame: what is typed in between would go into the text below.
          autoFocus
          data-autofocus
          className={classes.box}
          role="combobox"
          aria-label={t.box}
          aria-expanded
          aria-controls={LIST}
          aria-autocomplete="list"
          aria-activedescendant={active < 0 ? undefined : `${LIST}-${active}`}
          placeholder={t.box}
          autoComplete="off"
          spellCheck={false}
          maxLength={256}
          value={typed}
          onKeyDown={onKey}
          onChange={({ currentTarget }) => {
            setTyped(currentTarget.value);
            restart();
          }}
        />
        <button type="button" className={classes.esc} aria-label={`Esc: ${words.close}`} onClick={onClose}>
          <kbd>Esc</kbd>
        </button>
      </div>
      <PaletteList id={LIST} items={items} active={active} onPoint={point} onChoose={choose} />
      {error !== null && (
        <p className={classes.hint} role="alert">
          {sentenceOf(error)}
        </p>
      )}
      {isNothing && <p className={classes.hint}>{t.noRecord}</p>}
      <p className={classes.count} role="status">
        {isWaiting ? words.loading : t.choices(items.length)}
      </p>
    </Modal>
  );
}

/** The choice that is marked, and how it is reached and taken. */
function useChoice({ items, isWaiting }: Offer, onClose: () => void) {
  const [at, point] = useState(0);
  // Enter came before the records: it takes what is marked when they are there.
  const [isEntered, setEntered] = useState(false);
  const active = Math.min(at, items.length - 1);
  const choose = (item: Item | undefined) => {
    if (!item) return;
    onClose();
    item.run();
  };
  const chooseLate = useEffectEvent(() => choose(items[active]));
  useEffect(() => {
    if (isEntered && !isWaiting) chooseLate();
  }, [isEntered, isWaiting]);

  const onKey = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    const next = nextAt(event.key, active, items.length);
    if (next === null && event.key !== 'Enter') return;
    event.preventDefault();
    setEntered(next === null && isWaiting);
    if (next !== null) point(next);
    else if (!isWaiting) choose(items[active]);
  };
  const restart = () => {
    point(0);
    setEntered(false);
  };
  return { active, choose, point, restart, onKey };
}

/** The choice to which a key leads; `null`: to none. */
function nextAt(key: string, at: number, count: number): number | null {
  if (key === 'ArrowDown') return count === 0 ? 0 : (at + 1) % count;
  if (key === 'ArrowUp') return at <= 0 ? Math.max(count - 1, 0) : at - 1;
  if (key === 'PageDown') return Math.max(count - 1, 0);
  return key === 'PageUp' ? 0 : null;
}
