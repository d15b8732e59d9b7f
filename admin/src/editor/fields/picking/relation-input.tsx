import { Input, NativeSelect } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { StatusBadge } from '../../../common/status-badge.js';
import type { ContentType, Reference } from '../../../model.js';
import { typesQuery } from '../../../queries.js';
import { words } from '../../../words.js';
import { allFaultsOf, inputId } from '../faults.js';
import classes from '../fields.module.css';
import { isFull } from '../hints.js';
import { frameOf, type InputProps } from '../kinds/input-props.js';
import { OrderedRows } from '../kinds/ordered-rows.js';
import { Picker } from './picker.js';
import { targetsFor, type Picks, type Target } from './picking-queries.js';
import { keyOf, useTargets } from './use-targets.js';

const t = words.editor.fields;

/** Records, in their order. Those that one may not see stay, as their type and id. */
export function RelationInput(props: InputProps) {
  const { field, value, faults, isReadOnly, onChange } = props;
  const chosen = useMemo(() => referencesOf(value), [value]);
  const targets = useTargets(chosen);
  const titleOf = (one: Reference) => targets.get(keyOf(one))?.title ?? keyOf(one);
  const { id, label, description, required } = frameOf(props);
  const change = (next: readonly Reference[]) => onChange(field.many === true ? next : (next[0] ?? null));
  const showsPicker = !isReadOnly && (field.many === true || chosen.length === 0);
  return (
    <Input.Wrapper {...{ label, description, required }} error={allFaultsOf(label, faults)} labelElement="div">
      <div id={id} role="group" aria-label={label} className={classes.list}>
        <OrderedRows
          label={label}
          isReadOnly={isReadOnly}
          rows={chosen.map((one) => ({
            key: keyOf(one),
            name: titleOf(one),
            node: <Chosen reference={one} target={targets.get(keyOf(one))} showsType={(field.to?.length ?? 1) > 1} />,
          }))}
          onOrder={(order) => change(order.flatMap((at) => chosen[at] ?? []))}
        />
        {showsPicker && <TargetPicker {...props} chosen={chosen} onPick={(one) => change([...chosen, one])} />}
      </div>
    </Input.Wrapper>
  );
}

interface ChosenProps {
  readonly reference: Reference;
  /** `undefined`: it may not be seen, or is asked for. */
  readonly target: Target | undefined;
  readonly showsType: boolean;
}

function Chosen({ reference: { type, id }, target, showsType }: ChosenProps) {
  return (
    <span className={classes.target}>
      <Link to="/content/$type/$id" params={{ type, id: String(id) }} className={classes.targetTitle}>
        {target?.title ?? `${type} ${id}`}
      </Link>
      {showsType && target && <span className={classes.targetType}>{type}</span>}
      {target && target.status !== 'published' && <StatusBadge status={target.status} isEdited={false} />}
    </span>
  );
}

interface TargetPickerProps extends InputProps {
  readonly chosen: readonly Reference[];
  readonly onPick: (reference: Reference) => void;
}

function TargetPicker({ field, chosen, onPick }: TargetPickerProps) {
  const { to = [], name, label } = field;
  const types = useQuery(typesQuery).data ?? [];
  const [type, setType] = useState(to[0] ?? '');
  const keys = new Set(chosen.map(keyOf));
  return (
    <div className={classes.picker}>
      {to.length > 1 && (
        <NativeSelect
          aria-label={t.pickType(label)}
          value={type}
          data={to.map((one) => ({ value: one, label: pluralOf(types, one) }))}
          onChange={({ currentTarget }) => setType(currentTarget.value)}
        />
      )}
      <Picker<Target, Picks<Target>>
        id={`${inputId(name)}-picker`}
        label={label}
        placeholder={isFull(field, chosen.length) ? t.full : t.pick(pluralOf(types, type))}
        isDisabled={isFull(field, chosen.length)}
        sourceOf={(sought) => targetsFor(type, sought)}
        keyOf={keyOf}
        isChosen={(target) => keys.has(keyOf(target))}
        draw={(target) => (
          <span className={classes.target}>
            <span className={classes.targetTitle}>{target.title}</span>
            {target.status !== 'published' && <StatusBadge status={target.status} isEdited={false} />}
          </span>
        )}
        onPick={({ type: own, id }) => {
          if (!keys.has(keyOf({ type: own, id }))) onPick({ id, type: own });
        }}
      />
    </div>
  );
}

function pluralOf(types: readonly ContentType[], name: string): string {
  return types.find((one) => one.name === name)?.label_plural ?? name;
}

function referencesOf(value: unknown): readonly Reference[] {
  const all: readonly unknown[] = Array.isArray(value) ? value : [value];
  return all.filter(isReference);
}

function isReference(value: unknown): value is Reference {
  return typeof value === 'object' && value !== null && 'id' in value && 'type' in value;
}
