import { CmsError } from '@content-service/client';
import { Input } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef, type ReactNode } from 'react';
import { Icon } from '../../../common/icons.js';
import { tellDone, tellFailure } from '../../../common/telling.js';
import type { Fault, ListedTerm, Term } from '../../../model.js';
import { dataOf, meQuery } from '../../../queries.js';
import { client } from '../../../service.js';
import { words } from '../../../words.js';
import { allFaultsOf, inputId } from '../faults.js';
import classes from '../fields.module.css';
import { slugOf } from '../slug.js';
import { Picker } from './picker.js';
import { termQuery, termsFor, type TermPicks } from './picking-queries.js';
import { isFlat, isReadAlike, isSameName, mayCreate, nameFault, pathAbove, termOfText, termsOf } from './terms.js';

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
  /** True if only terms can be picked that are there. */
  readonly isOfExisting?: boolean;
  readonly isInDialog?: boolean;
  readonly onChange: (value: readonly (number | string)[]) => void;
}

/** Terms of one taxonomy. */
export function TermsInput(props: TermsInputProps) {
  const { taxonomy, label, value, known, faults, isReadOnly, onChange } = props;
  const box = useRef<HTMLDivElement>(null);
  const chosen = termsOf(value);
  const id = inputId(`terms.${taxonomy}`);
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
        {!isReadOnly && <TermPicker {...props} id={`${id}-picker`} chosen={chosen} />}
      </div>
    </Input.Wrapper>
  );
}

interface TermPickerProps extends TermsInputProps {
  readonly id: string;
  readonly chosen: readonly (number | string)[];
}

/** Adds terms: those that are picked, and those that are typed and named for sure. */
function TermPicker(props: TermPickerProps) {
  const { id, taxonomy, label, chosen, isOfExisting = false, isInDialog } = props;
  const me = useQuery(meQuery).data;
  const mayMake = me?.scopes.some((scope) => scope === '*' || scope === 'taxonomy:write') === true;
  const { add, make } = useAdding(props);
  const isTree = useRef(false);
  return (
    <Picker<ListedTerm, TermPicks>
      id={id}
      isInDialog={isInDialog}
      label={label}
      placeholder={chosen.length >= MOST ? t.full : t.pickTerm(label.toLowerCase())}
      isDisabled={chosen.length >= MOST}
      sourceOf={(sought) => termsFor(taxonomy, sought)}
      keyOf={(term) => String(term.id)}
      isChosen={(term) => chosen.includes(term.id)}
      draw={(term, sought) => <TermOption term={term} isIndented={sought === ''} />}
      onPick={(term) => add([term])}
      create={{
        faultOf: nameFault,
        may: (name, pages) => {
          isTree.current = !isFlat(pages);
          const isThere = chosen.some((one) => typeof one === 'string' && isSameName(one, name));
          return !isOfExisting && !isThere && mayCreate(name, pages, mayMake);
        },
        // A tag is made with the record that has it: one that is given up leaves none behind.
        make: (name) => (isTree.current ? void make(name) : add([name])),
      }}
      leaving={{
        take: (texts, pages, isSettled) => {
          const terms = texts.flatMap((text) => termOfText(text, pages, { isSettled, isOfExisting }) ?? []);
          const isAll = terms.length === texts.length && chosen.length + terms.length <= MOST;
          if (isAll) add(terms);
          return isAll;
        },
        endsAtComma: (pages) => !isOfExisting && isFlat(pages),
      }}
    />
  );
}

function useAdding({ taxonomy, known, chosen, onChange }: TermPickerProps) {
  const queries = useQueryClient();
  const nameOf = (term: number | string): string | undefined => {
    if (typeof term === 'string') return term;
    return (known.find(({ id }) => id === term) ?? queries.getQueryData(termQuery(taxonomy, term).queryKey))?.name;
  };
  const add = (terms: readonly (Term | string)[]) => {
    const next = new Set(chosen);
    const names = chosen.map((term) => nameOf(term) ?? '');
    for (const term of terms) {
      if (typeof term !== 'string') {
        queries.setQueryData(termQuery(taxonomy, term.id).queryKey, term);
        next.add(term.id);
      } else if (!names.some((name) => isSameName(name, term))) next.add(term);
    }
    if (next.size > chosen.length) onChange([...next]);
  };
  const make = async (name: string) => {
    try {
      const { term, isNew } = await madeTerm(taxonomy, name);
      add([term]);
      tellDone(isNew ? { color: 'teal', message: t.created(name) } : { message: t.isThere(term.name) });
      await queries.invalidateQueries({ queryKey: ['terms', taxonomy] });
    } catch (error) {
      tellFailure(error);
    }
  };
  return { add, make };
}

/** Makes a term, or finds the one that has its slug because it is read alike. */
async function madeTerm(taxonomy: string, name: string): Promise<{ term: Term; isNew: boolean }> {
  try {
    const body = { type: taxonomy, name };
    return { term: await client.request('POST', '/api/cms/taxonomy', { body }).then(dataOf<Term>), isNew: true };
  } catch (error) {
    if (!(error instanceof CmsError) || error.code !== 'term_exists') throw error;
    const path = `/api/cms/taxonomy/${taxonomy}/slug:${encodeURIComponent(slugOf(name))}` as const;
    const term = await client.request('GET', path).then(dataOf<Term>, () => null);
    if (term === null || !isReadAlike(term.name, name)) throw error;
    return { term, isNew: false };
  }
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
