import { Input } from '@mantine/core';
import { memo } from 'react';
import { useLoaded } from '../../common/use-loaded.js';
import type { ContentType, Fault, Field, Term } from '../../model.js';
import { words } from '../../words.js';
import type { Rivals } from '../rivals.js';
import type { EditingView } from '../saving/editing-view.js';
import type { Editing } from '../saving/editing.js';
import { partOf } from '../saving/parts.js';
import { labelOf } from './faults.js';
import { FieldRow } from './field-row.js';
import classes from './fields.module.css';
import { entryOf } from './registry.js';
import { isSameRow } from './same-row.js';

export interface FormProps {
  readonly type: ContentType;
  readonly editing: Editing;
  readonly view: EditingView;
  readonly isReadOnly: boolean;
  readonly faults: readonly Fault[];
  readonly below: Rivals['below'];
}

/** Fields that stand below the text, since they want its width, and those that stand beside it. */
export function columnsOf({ fields, body }: ContentType): { wide: readonly Field[]; narrow: readonly Field[] } {
  if (body === 'none') return { wide: fields, narrow: [] };
  const isWide = ({ type }: Field) => entryOf(type).isWide;
  return { wide: fields.filter(isWide), narrow: fields.filter((field) => !isWide(field)) };
}

/** Inputs of some fields. */
export function Fields({
  fields,
  editing,
  view,
  isReadOnly,
  faults,
  below,
}: FormProps & { readonly fields: readonly Field[] }) {
  return fields.map((field) => (
    <FieldRow
      key={field.name}
      editing={editing}
      field={field}
      value={editing.valueOf(field.name)}
      held={view.held[field.name]?.input}
      drawn={view.replaced[field.name] ?? 0}
      faults={faultsIn(faults, field.name)}
      isReadOnly={isReadOnly}
      isWide={entryOf(field.type).isWide}
      below={below(field.name)}
    />
  ));
}

/** Inputs of the terms of a record. */
export function Terms({ type, editing, view, isReadOnly, faults, below }: FormProps) {
  return type.taxonomies.map((taxonomy) => {
    const part = `terms.${taxonomy}`;
    return (
      <TermsRow
        key={taxonomy}
        editing={editing}
        taxonomy={taxonomy}
        label={labelOf(type, part)}
        value={editing.valueOf(part)}
        known={view.opened?.current.terms?.[taxonomy] ?? []}
        faults={faultsIn(faults, part)}
        isReadOnly={isReadOnly}
        below={below(part)}
      />
    );
  });
}

interface TermsRowProps {
  readonly editing: Editing;
  readonly taxonomy: string;
  readonly label: string;
  readonly value: unknown;
  readonly known: readonly Term[];
  readonly faults: readonly Fault[];
  readonly isReadOnly: boolean;
  readonly below: ReturnType<FormProps['below']>;
}

const loadTermsInput = () => import('./picking/terms-input.js');

/** Picks terms. Its code is loaded behind the text; until then, the names are shown. */
const TermsRow = memo(function TermsRow({ editing, below, ...props }: TermsRowProps) {
  const { code } = useLoaded(loadTermsInput);
  const { taxonomy, label, known } = props;
  return (
    <div className={classes.field}>
      {code ? (
        <code.TermsInput {...props} onChange={(value) => editing.change(`terms.${taxonomy}`, value)} />
      ) : (
        <Input.Wrapper label={label} labelElement="div">
          <p className={classes.nothing}>{known.map(({ name }) => name).join(', ') || words.editor.nothing}</p>
        </Input.Wrapper>
      )}
      {below}
    </div>
  );
}, isSameRow);

/** The faults of a part. */
export function faultsIn(faults: readonly Fault[], part: string): Fault[] {
  return faults.filter(({ field }) => partOf(field) === part);
}

/**
 * The faults that are said: that something is missing not before one has tried to publish, or has been at the field.
 *
 * @param isAsked whether it was tried
 */
export function shownFaults(editing: Editing, { typed, opened }: EditingView, isAsked: boolean): readonly Fault[] {
  const changed = new Set([...Object.keys(typed), ...(opened?.draft?.changed ?? [])]);
  return editing.faults().filter(({ field, rule }) => isAsked || rule !== 'required' || changed.has(partOf(field)));
}
