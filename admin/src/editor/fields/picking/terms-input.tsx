import { Input } from '@mantine/core';
import { showNotification } from '@mantine/notifications';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef, type ReactNode } from 'react';
import { Icon } from '../../../common/icons.js';
import { tellFailure } from '../../../common/use-trash.js';
import type { Fault, ListedTerm, Term } from '../../../model.js';
import { dataOf, meQuery } from '../../../queries.js';
import { client } from '../../../service.js';
import { words } from '../../../words.js';
import { inputId } from '../faults.js';
import classes from '../fields.module.css';
import { allFaultsOf } from '../kinds/input-props.js';
import { Picker } from './picker.js';
import { termQuery, termsFor, type TermPicks } from './picking-queries.js';
import { isSameName, mayCreate, nameFault, pathAbove, termsOf } from './terms.js';

const t = words.editor.fields;
/** Terms of one taxonomy that a record may have. */
const MOST = 100;

interface TermsInputProps {
  readonly taxonomy: string;
  readonly label: string;
  /** Ids, and names of terms that are not made yet. */
  readonly value: unknown;
  /** Terms whose names are known without asking. */
  readonly known: readonly Term[];
  readonly faults: readonly Fault[];
  readonly isReadOnly: boolean;
  /** Whether only terms can be picked that are there. */
  readonly isOfExisting?: boolean;
  readonly isInDialog?: boolean;
  readonly onChange: (value: readonly (number | string)[]) => void;
}

/** Terms of one taxonomy. */
export function TermsInput(props: TermsInputProps) {
  const { taxonomy, label, value, known, faults, isReadOnly, isOfExisting = false, isInDialog, onChange } = props;
  const queries = useQueryClient();
  const me = useQuery(meQuery).data;
  const box = useRef<HTMLDivElement>(null);
  const chosen = termsOf(value);
  const id = inputId(`terms.${taxonomy}`);
  const add = (term: number | string) => {
    if (!chosen.includes(term)) onChange([...chosen, term]);
  };
  const remember = ({ id: own, name }: Term) => {
    queries.setQueryData(termQuery(taxonomy, own).queryKey, { id: own, name });
    add(own);
  };
  const mayMake = me?.scopes.some((scope) => scope === '*' || scope === 'taxonomy:write') === true;
  const make = async (name: string, isTree: boolean) => {
    // A tag is made with the record that has it: one that is given up leaves none behind.
    if (!isTree) return add(name);
    try {
      const body = { type: taxonomy, name };
      remember(await client.request('POST', '/api/cms/taxonomy', { body }).then(dataOf<Term>));
      showNotification({ color: 'teal', message: t.created(name) });
      await queries.invalidateQueries({ queryKey: ['terms', taxonomy] });
    } catch (error) {
      tellFailure(error);
    }
  };
  const isTree = useRef(false);
  const remove = (term: number | string) => {
    onChange(chosen.filter((one) => one !== term));
    box.current?.querySelector<HTMLElement>('input')?.focus();
  };
  return (
    <Input.Wrapper label={label} labelElement="div" error={allFaultsOf(label, faults)}>
      <div ref={box} id={id} role="group" aria-label={label} className={classes.list}>
        {chosen.length > 0 && (
          <ul className={classes.chips} aria-label={label}>
            {chosen.map((term) => (
              <Chip key={term} taxonomy={taxonomy} term={term} known={known} onRemove={isReadOnly ? null : remove} />
            ))}
          </ul>
        )}
        {isReadOnly && chosen.length === 0 && <span className={classes.nothing}>{words.editor.nothing}</span>}
        {!isReadOnly && (
          <Picker<ListedTerm, TermPicks>
            id={`${id}-picker`}
            isInDialog={isInDialog}
            label={label}
            placeholder={chosen.length >= MOST ? t.full : t.pickTerm(label.toLowerCase())}
            isDisabled={chosen.length >= MOST}
            sourceOf={(sought) => termsFor(taxonomy, sought)}
            keyOf={(term) => String(term.id)}
            isChosen={(term) => chosen.includes(term.id)}
            draw={(term, sought) => <TermOption term={term} isIndented={sought === ''} />}
            onPick={remember}
            create={{
              faultOf: nameFault,
              may: (name, pages) => {
                isTree.current = pages[0]?.meta.hierarchical ?? true;
                const isThere = chosen.some((one) => typeof one === 'string' && isSameName(one, name));
                return !isOfExisting && !isThere && mayCreate(name, pages, mayMake);
              },
              make: (name) => void make(name, isTree.current),
            }}
          />
        )}
      </div>
    </Input.Wrapper>
  );
}

interface ChipProps {
  readonly taxonomy: string;
  readonly term: number | string;
  readonly known: readonly Term[];
  /** `null`: one may not. */
  readonly onRemove: ((term: number | string) => void) | null;
}

function Chip({ taxonomy, term, known, onRemove }: ChipProps) {
  const own = known.find(({ id }) => id === term);
  const id = typeof term === 'number' ? term : 0;
  const found = useQuery({ ...termQuery(taxonomy, id), enabled: id > 0 && !own });
  const name = typeof term === 'string' ? term : (own?.name ?? found.data?.name ?? `${taxonomy} ${term}`);
  return (
    <li className={classes.chip}>
      <span className={classes.chipName}>{name}</span>
      {typeof term === 'string' && <span className={classes.chipNew}>{t.isNew}</span>}
      {onRemove && (
        <button type="button" className={classes.chipButton} aria-label={t.remove(name)} onClick={() => onRemove(term)}>
          <Icon name="close" size={12} />
        </button>
      )}
    </li>
  );
}

/** A term among those below and above it, or where it is found by its name with the path to it. */
export function TermOption({
  term,
  isIndented,
}: {
  readonly term: ListedTerm;
  readonly isIndented: boolean;
}): ReactNode {
  const path = pathAbove(term);
  return (
    <span className={classes.term} style={isIndented ? { paddingLeft: (term.depth - 1) * 14 } : undefined}>
      <span className={classes.targetTitle}>{term.name}</span>
      {!isIndented && path !== '' && <span className={classes.termPath}>{path}</span>}
    </span>
  );
}
