import { Button, Group, Modal, TextInput } from '@mantine/core';
import { CmsError } from '@content-service/client';
import { useState, type ReactNode, type SubmitEvent } from 'react';
import { sentenceOf } from '../common/failure.js';
import { Picker } from '../editor/fields/picking/picker.js';
import { termsFor, type TermPicks } from '../editor/fields/picking/picking-queries.js';
import { pathAbove } from '../editor/fields/picking/terms.js';
import { TermOption } from '../editor/fields/picking/terms-input.js';
import type { ListedTerm } from '../model.js';
import { words } from '../words.js';
import classes from './taxonomy.module.css';
import type { Taxonomy, TaxonomyTerm, TermValues } from './term-queries.js';
import { isWithin, termsBelow } from './term-tree.js';
import type { TermWork } from './use-term-work.js';

const t = words.taxonomy;

/** The question of a dialog. */
export type Asked =
  | { readonly kind: 'create'; readonly term: TaxonomyTerm | null }
  | { readonly kind: 'rename' | 'move' | 'merge' | 'remove'; readonly term: TaxonomyTerm };

interface TermDialogProps<Of = Asked> {
  readonly name: string;
  readonly asked: Of;
  readonly taxonomy: Taxonomy;
  readonly work: TermWork;
  readonly onClose: () => void;
}

/** Asks what an action needs to know, and for what cannot be undone. */
export function TermDialog({ asked, ...rest }: TermDialogProps) {
  if (asked.kind === 'create') return <TermForm asked={asked} {...rest} />;
  const { kind, term } = asked;
  if (kind === 'rename') return <TermForm asked={{ kind, term }} {...rest} />;
  if (kind === 'move') return <MoveTerm asked={term} {...rest} />;
  return kind === 'merge' ? <MergeTerm asked={term} {...rest} /> : <RemoveTerm asked={term} {...rest} />;
}

interface FrameProps {
  readonly title: string;
  readonly action: string;
  readonly isFinal?: boolean;
  readonly isReady?: boolean;
  readonly onDo: () => Promise<void>;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** A dialog with one action. What the service refuses is said here. */
function Frame({ title, action, isFinal = false, isReady = true, onDo, onClose, children }: FrameProps) {
  const [isBusy, setBusy] = useState(false);
  const [said, setSaid] = useState<string | null>(null);
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    setBusy(true);
    setSaid(null);
    try {
      await onDo();
      onClose();
    } catch (error) {
      setSaid(refusalOf(error));
      setBusy(false);
    }
  };
  return (
    <Modal
      opened
      centered
      title={title}
      onClose={onClose}
      closeButtonProps={{ 'aria-label': words.close }}
      // It would add a style that the policy of the page refuses.
      lockScroll={false}
    >
      <form onSubmit={(event) => void submit(event)} className={classes.form}>
        {children}
        {said !== null && (
          <p role="alert" className={classes.refusal}>
            {said}
          </p>
        )}
        <Group justify="flex-end" gap={8}>
          <Button variant="default" onClick={onClose}>
            {words.cancel}
          </Button>
          <Button type="submit" color={isFinal ? 'red' : undefined} loading={isBusy} disabled={!isReady}>
            {action}
          </Button>
        </Group>
      </form>
    </Modal>
  );
}

/** The faults of a body are more exact than their headline. */
function refusalOf(error: unknown): string {
  const faults = error instanceof CmsError ? error.details.flatMap(({ message }) => message ?? []) : [];
  return faults.length > 0 ? faults.join(' ') : sentenceOf(error);
}

type FormProps = TermDialogProps<Extract<Asked, { kind: 'create' }> | { kind: 'rename'; term: TaxonomyTerm }>;

/** The name and the slug of a new term, or of one that there is. */
function TermForm({ asked, work, onClose }: FormProps) {
  const { kind, term } = asked;
  const old = kind === 'rename' ? term : { name: '', slug: '' };
  const [name, setName] = useState(old.name);
  const [slug, setSlug] = useState(old.slug);
  const changes: TermValues = {
    ...(name.trim() !== old.name && { name: name.trim() }),
    ...(slug.trim() !== old.slug && slug.trim() !== '' && { slug: slug.trim() }),
  };
  const createTitle = term === null ? t.form.create : t.form.createBelow(term.name);
  return (
    <Frame
      title={kind === 'rename' ? t.form.rename(term.name) : createTitle}
      action={kind === 'rename' ? t.form.save : t.form.add}
      isReady={name.trim() !== '' && Object.keys(changes).length > 0}
      onDo={() =>
        kind === 'rename'
          ? work.rename(term, changes)
          : work.create({ ...changes, ...(term && { parent_id: term.id }) })
      }
      onClose={onClose}
    >
      <TextInput
        data-autofocus
        label={t.form.name}
        maxLength={255}
        autoComplete="off"
        value={name}
        onChange={({ currentTarget }) => setName(currentTarget.value)}
      />
      <TextInput
        label={t.form.slug}
        description={kind === 'rename' ? t.form.slugStays : t.form.slugMade}
        autoComplete="off"
        spellCheck={false}
        value={slug}
        onChange={({ currentTarget }) => setSlug(currentTarget.value)}
      />
    </Frame>
  );
}

/** Asks below which term one is to stand. */
function MoveTerm({ name, asked: term, taxonomy, work, onClose }: TermDialogProps<TaxonomyTerm>) {
  const [target, setTarget] = useState<ListedTerm | null>(null);
  const parent = target && taxonomy.terms.find(({ id }) => id === target.id);
  const isBelowItself = parent ? isWithin(parent, term) : false;
  return (
    <Frame
      title={t.move.title(term.name)}
      action={target ? t.move.below(target.name) : t.move.top}
      isReady={target ? parent !== undefined && !isBelowItself : term.parent_id !== null}
      onDo={() => work.move(term, parent ?? undefined)}
      onClose={onClose}
    >
      <TermPicker taxonomy={name} label={t.move.pick} chosen={target} onPick={setTarget} />
      {isBelowItself && (
        <p role="alert" className={classes.refusal}>
          {t.move.within}
        </p>
      )}
    </Frame>
  );
}

/** Asks into which term one goes, and says what that does. */
function MergeTerm({ name, asked: term, taxonomy, work, onClose }: TermDialogProps<TaxonomyTerm>) {
  const [picked, setTarget] = useState<ListedTerm | null>(null);
  // What is picked has its count, too.
  const target = picked as TaxonomyTerm | null;
  const below = termsBelow(taxonomy.terms, term).length;
  const isBelowItself = target ? isWithin(target, term) : false;
  return (
    <Frame
      title={t.merge.title(term.name)}
      action={t.merge.do(target?.name ?? '…')}
      isFinal
      isReady={target !== null && !isBelowItself}
      onDo={() => (target ? work.merge(term, target) : Promise.resolve())}
      onClose={onClose}
    >
      <TermPicker taxonomy={name} label={t.merge.pick} chosen={target} onPick={setTarget} />
      {isBelowItself && (
        <p role="alert" className={classes.refusal}>
          {t.move.within}
        </p>
      )}
      {target && !isBelowItself && (
        <div role="status" className={classes.said}>
          <p>{t.merge.counts(term.name, term.count, target.name, target.count)}</p>
          {below > 0 && <p>{t.merge.below(below)}</p>}
          <p>{t.merge.text(term.name, target.name)}</p>
        </div>
      )}
    </Frame>
  );
}

/** Says what holds a term, and what becomes of that. */
function RemoveTerm({ asked: term, taxonomy, work, onClose }: TermDialogProps<TaxonomyTerm>) {
  const below = termsBelow(taxonomy.terms, term).filter(({ parent_id: parent }) => parent === term.id).length;
  const parent = taxonomy.terms.find(({ id }) => id === term.parent_id);
  return (
    <Frame
      title={t.remove.title(term.name)}
      action={t.remove.do}
      isFinal
      onDo={() => work.removeHeld(term)}
      onClose={onClose}
    >
      <div className={classes.said}>
        {(term.count > 0 || below === 0) && <p>{t.remove.isHeld(term.count)}</p>}
        {below > 0 && <p>{t.remove.children(below, parent?.name)}</p>}
        <p>{t.remove.final}</p>
      </div>
    </Frame>
  );
}

interface TermPickerProps {
  readonly taxonomy: string;
  readonly label: string;
  readonly chosen: ListedTerm | null;
  readonly onPick: (term: ListedTerm | null) => void;
}

/** A search over all terms of a taxonomy, or the one that is chosen. */
function TermPicker({ taxonomy, label, chosen, onPick }: TermPickerProps) {
  if (chosen) {
    return (
      <div className={classes.chosen}>
        <span>
          <strong>{chosen.name}</strong> <span className={classes.none}>{pathAbove(chosen)}</span>
        </span>
        <Button variant="default" size="xs" autoFocus onClick={() => onPick(null)}>
          {t.another}
        </Button>
      </div>
    );
  }
  return (
    <Picker<ListedTerm, TermPicks>
      id="term-picker"
      label={label}
      placeholder={t.move.hint}
      isDisabled={false}
      sourceOf={(sought) => termsFor(taxonomy, sought)}
      keyOf={(term) => String(term.id)}
      isChosen={() => false}
      draw={(term, sought) => <TermOption term={term} isIndented={sought === ''} />}
      onPick={onPick}
    />
  );
}
