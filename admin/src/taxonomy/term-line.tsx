import { ActionIcon, Menu } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { Icon } from '../common/icons.js';
import { pathAbove } from '../editor/fields/picking/terms.js';
import { USUAL } from '../list/list-search.js';
import type { ContentType } from '../model.js';
import { words } from '../words.js';
import type { TaxonomyTerm } from './term-queries.js';
import type { TermAction, TermRow } from './term-tree.js';
import classes from './taxonomy.module.css';

const t = words.taxonomy;

interface TermLineProps {
  readonly name: string;
  readonly row: TermRow;
  readonly types: readonly ContentType[];
  readonly isTree: boolean;
  readonly isFound: boolean;
  /** True if the key Tab leads to this row, and not to another one. */
  readonly isActive: boolean;
  readonly onFocus: (id: number) => void;
  readonly onToggle: (id: number) => void;
  readonly onAsk: ((action: TermAction, term: TaxonomyTerm) => void) | null;
  /** `null`: it stays where it is. */
  readonly drag: Drag | null;
}

interface Drag {
  readonly onStart: (term: TaxonomyTerm) => void;
  readonly onEnd: () => void;
  readonly onDrop: (parent: TaxonomyTerm) => void;
}

/** A term with its records, and what can be done with it. */
export function TermLine(props: TermLineProps) {
  const { name, row, types, isTree, isFound, isActive, onFocus, onToggle, onAsk, drag } = props;
  const { term, hasChildren, isOpen } = row;
  const level = isFound ? 1 : term.depth;
  const dragging = useDragging(term, drag);
  return (
    <tr
      className={classes.row}
      data-term={term.id}
      tabIndex={isActive ? 0 : -1}
      aria-level={level}
      aria-expanded={hasChildren ? isOpen : undefined}
      onFocus={() => onFocus(term.id)}
      {...dragging}
    >
      <td>
        <Name {...{ row, level, isFound, onToggle }} canOpen={isTree && !isFound} />
      </td>
      <td className={classes.slug}>{term.slug}</td>
      <td className={classes.uses}>
        <Uses {...{ name, term, types, isActive }} />
      </td>
      {onAsk && (
        <td className={classes.actions}>
          <Actions {...{ term, isTree, isActive }} onAsk={(action) => onAsk(action, term)} />
        </td>
      )}
    </tr>
  );
}

interface NameProps extends Pick<TermLineProps, 'row' | 'isFound' | 'onToggle'> {
  readonly level: number;
  readonly canOpen: boolean;
}

function Name({ row: { term, hasChildren, isOpen }, level, canOpen, isFound, onToggle }: NameProps) {
  const path = isFound ? pathAbove(term) : '';
  return (
    <div className={classes.name} style={{ paddingLeft: `calc(${level - 1} * var(--step))` }}>
      {canOpen && (
        <button
          type="button"
          className={classes.toggle}
          tabIndex={-1}
          hidden={!hasChildren}
          aria-label={isOpen ? t.close(term.name) : t.open(term.name)}
          onClick={() => onToggle(term.id)}
        >
          <Icon name={isOpen ? 'down' : 'right'} size={16} />
        </button>
      )}
      <span className={classes.text}>
        {term.name}
        {path !== '' && <span className={classes.path}>{path}</span>}
      </span>
    </div>
  );
}

/** Lets a row be dragged onto another one. */
function useDragging(term: TaxonomyTerm, drag: Drag | null) {
  const [isOver, setOver] = useState(false);
  if (!drag) return {};
  return {
    draggable: true,
    'data-over': isOver || undefined,
    onDragStart: (event: React.DragEvent) => {
      event.dataTransfer.effectAllowed = 'move';
      event.dataTransfer.setData('text/plain', term.name);
      drag.onStart(term);
    },
    onDragEnd: drag.onEnd,
    onDragOver: (event: React.DragEvent) => {
      event.preventDefault();
      setOver(true);
    },
    onDragLeave: () => setOver(false),
    onDrop: (event: React.DragEvent) => {
      event.preventDefault();
      setOver(false);
      drag.onDrop(term);
    },
  };
}

interface UsesProps {
  readonly name: string;
  readonly term: TaxonomyTerm;
  readonly types: readonly ContentType[];
  readonly isActive: boolean;
}

/** The number of records with a term, and the way to them: several types have a list each. */
function Uses({ name, term, types, isActive }: UsesProps) {
  const [type] = types;
  const tabIndex = isActive ? 0 : -1;
  const search = { ...USUAL, term: `${name}:${term.id}` };
  const label = t.usesOf(term.name, term.count);
  if (term.count === 0 || !type) return <span className={classes.none}>{term.count}</span>;
  if (types.length === 1) {
    return (
      <Link to="/content/$type" params={{ type: type.name }} search={search} aria-label={label} tabIndex={tabIndex}>
        {term.count.toLocaleString('en')}
      </Link>
    );
  }
  return (
    <Menu shadow="md">
      <Menu.Target>
        <button type="button" className={classes.count} aria-label={label} tabIndex={tabIndex}>
          {term.count.toLocaleString('en')}
        </button>
      </Menu.Target>
      <Menu.Dropdown>
        {types.map((one) => (
          <Menu.Item
            key={one.name}
            renderRoot={(props) => <Link to="/content/$type" params={{ type: one.name }} search={search} {...props} />}
          >
            {one.label_plural}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

interface ActionsProps {
  readonly term: TaxonomyTerm;
  readonly isTree: boolean;
  readonly isActive: boolean;
  readonly onAsk: (action: TermAction) => void;
}

function Actions({ term, isTree, isActive, onAsk }: ActionsProps) {
  const actions: readonly TermAction[] = isTree
    ? ['create', 'rename', 'move', 'merge', 'remove']
    : ['rename', 'merge', 'remove'];
  return (
    <Menu position="bottom-end" shadow="md">
      <Menu.Target>
        <ActionIcon
          variant="subtle"
          color="gray"
          size={36}
          tabIndex={isActive ? 0 : -1}
          aria-label={t.actions(term.name)}
        >
          <Icon name="more" />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {actions.map((action) => (
          <Menu.Item key={action} color={action === 'remove' ? 'red' : undefined} onClick={() => onAsk(action)}>
            {t.menu[action]}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
