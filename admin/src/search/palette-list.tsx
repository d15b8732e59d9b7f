import { useEffect, useRef } from 'react';
import { Icon } from '../common/icons.js';
import { Excerpt } from '../list/excerpt.js';
import { words } from '../words.js';
import classes from './search.module.css';
import type { Item } from './use-palette-items.js';

interface PaletteListProps {
  readonly id: string;
  readonly items: readonly Item[];
  readonly active: number;
  readonly onPoint: (at: number) => void;
  readonly onChoose: (item: Item) => void;
}

/** The choices in their groups. The focus stays in the box above. */
export function PaletteList({ id, items, active, onPoint, onChoose }: PaletteListProps) {
  const list = useRef<HTMLDivElement>(null);
  const shown = items[active]?.key;
  useEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' });
  }, [shown]);
  const groups = [...new Set(items.map(({ group }) => group))];
  return (
    <div ref={list} id={id} role="listbox" aria-label={words.search.palette} className={classes.list}>
      {groups.map((group) => (
        <div key={group} role="group" aria-label={group}>
          <div className={classes.group} aria-hidden>
            {group}
          </div>
          {items.map((item, at) =>
            item.group === group ? (
              <div
                key={item.key}
                id={`${id}-${at}`}
                role="option"
                aria-selected={at === active}
                className={classes.option}
                onMouseMove={() => at !== active && onPoint(at)}
                // The focus stays in the box.
                onMouseDown={(event) => event.preventDefault()}
                onClick={() => onChoose(item)}
              >
                <Icon name={item.icon} size={16} />
                <span className={classes.text}>
                  <span className={classes.name}>
                    {item.html === undefined ? item.label : <Excerpt html={item.html} />}
                  </span>
                  {item.hint !== undefined && (
                    <span className={classes.detail}>
                      {item.hint}
                      {item.excerpt !== undefined && <Excerpt html={item.excerpt} />}
                    </span>
                  )}
                </span>
              </div>
            ) : null,
          )}
        </div>
      ))}
    </div>
  );
}
