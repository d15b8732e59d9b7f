import type { ComponentType } from 'react';
import { useLoaded } from '../../common/use-loaded.js';
import { ChoiceInput } from './kinds/choice-input.js';
import type { InputProps } from './kinds/input-props.js';
import { JsonInput } from './kinds/json-input.js';
import { LineInput } from './kinds/line-input.js';
import { ListInput } from './kinds/list-input.js';
import { LongInput } from './kinds/long-input.js';
import { MomentInput } from './kinds/moment-input.js';
import { ShownInput } from './kinds/shown-input.js';
import { entryOf, type InputName } from './registry.js';

const INPUTS: Readonly<Record<InputName, ComponentType<InputProps>>> = {
  line: LineInput,
  long: LongInput,
  moment: MomentInput,
  choice: ChoiceInput,
  json: JsonInput,
  list: ListInput,
  relation: LoadedRelationInput,
  shown: ShownInput,
};

/** The input of a field, by its kind. */
export function FieldInput(props: InputProps) {
  const Input = INPUTS[entryOf(props.field.type).input];
  return <Input {...props} />;
}

const loadRelationInput = () => import('./picking/relation-input.js');

/** Picks records. Its code is loaded for types that point to some; without it, they are shown. */
function LoadedRelationInput(props: InputProps) {
  const { code } = useLoaded(loadRelationInput);
  return code ? <code.RelationInput {...props} /> : <ShownInput {...props} />;
}
