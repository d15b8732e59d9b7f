import { Button, Group, Modal } from '@mantine/core';
import { useState, type SubmitEvent } from 'react';
import { TermsInput } from '../../editor/fields/picking/terms-input.js';
import { titleOf } from '../../taxonomy/taxonomy-title.js';
import { words } from '../../words.js';
import type { ChosenTerms } from './bulk-orders.js';
import classes from './bulk.module.css';

const t = words.list.bulk;

export interface TermsDialogProps {
  readonly action: 'add_terms' | 'remove_terms';
  readonly taxonomies: readonly string[];
  /** Records that get the terms, or lose them. */
  readonly count: number;
  readonly onChoose: (terms: ChosenTerms) => void;
  readonly onCancel: () => void;
}

/** Asks which terms records get, or lose. */
export function TermsDialog({ action, taxonomies, count, onChoose, onCancel }: TermsDialogProps) {
  const [chosen, setChosen] = useState<ChosenTerms>({});
  const terms = Object.fromEntries(Object.entries(chosen).filter(([, some]) => some.length > 0));
  const isNone = Object.keys(terms).length === 0;
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (!isNone) onChoose(terms);
  };
  return (
    <Modal
      opened
      centered
      title={t.confirm(t[action], count)}
      onClose={onCancel}
      closeButtonProps={{ 'aria-label': words.close }}
      // It would add a style that the policy of the page refuses.
      lockScroll={false}
    >
      <form onSubmit={submit} className={classes.terms}>
        <p>{t.termsText[action]}</p>
        {taxonomies.map((taxonomy) => (
          <TermsInput
            key={taxonomy}
            taxonomy={taxonomy}
            label={titleOf(taxonomy)}
            value={chosen[taxonomy] ?? []}
            known={[]}
            faults={[]}
            isReadOnly={false}
            isInDialog
            isOfExisting={action === 'remove_terms'}
            onChange={(some) => setChosen((before) => ({ ...before, [taxonomy]: some }))}
          />
        ))}
        <Group justify="flex-end" gap={8}>
          <Button variant="default" onClick={onCancel}>
            {words.cancel}
          </Button>
          <Button type="submit" disabled={isNone}>
            {t[action]}
          </Button>
        </Group>
      </form>
    </Modal>
  );
}
