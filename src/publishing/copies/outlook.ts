import type { CompiledType, RecordBody } from '../../content-types/definition/content-type.js';
import type { RecordRow, TermIds } from '../../records/rows/record-row.js';
import { mergedState, stateOf, writtenRow } from '../../records/writing/record-state.js';
import { changedParts, isConflict, liveParts, nameOf, taxonomyOf, type ChangedPart, type Overlay } from './overlay.js';

/** A part that is to change, by the name that it has now. */
export interface NamedPart extends ChangedPart {
  readonly name: string;
}

/** The outlook of a record: what it would be with its working copy folded in. */
export interface Outlook {
  /** The record as it would be, but for tags that there are not yet. */
  readonly row: RecordRow;
  readonly changed: readonly NamedPart[];
  /** The changes whose part was changed in the record in the meantime, to something else. */
  readonly conflicts: readonly NamedPart[];
  /** The body of the write that would make it. */
  readonly input: RecordBody;
  /** Names of tags that are to be made, by taxonomy. */
  readonly newTerms: Readonly<Record<string, readonly string[]>>;
}

/** @param overlay with the terms of today */
export function outlookOf(type: CompiledType, row: RecordRow, overlay: Overlay): Outlook {
  const live = stateOf(row);
  const changed = changedParts(overlay, liveParts(live)).flatMap((part) => {
    const name = nameOf(type, part.key);
    return name === null ? [] : [{ ...part, name }];
  });
  const terms = Object.fromEntries(
    changed.flatMap(({ key, value }) => {
      const taxonomy = taxonomyOf(key);
      // What is kept of terms are lists of ids and names.
      return taxonomy === null ? [] : [[taxonomy, value as readonly (number | string)[]]];
    }),
  );
  const content = Object.fromEntries(
    changed.flatMap(({ key, name, value }) => (taxonomyOf(key) === null ? [[name, value]] : [])),
  );
  const next = { ...mergedState(type, row, content, row.updated_at), terms: { ...live.terms, ...idsOf(terms) } };
  return {
    row: writtenRow({ ...row, version: row.version - 1 }, next, { actor: row.updated_by, at: row.updated_at }),
    changed,
    conflicts: changed.filter(isConflict),
    input: Object.keys(terms).length === 0 ? content : { ...content, terms },
    newTerms: newOf(terms),
  };
}

type PlannedTerms = Readonly<Record<string, readonly (number | string)[]>>;

function idsOf(terms: PlannedTerms): TermIds {
  return Object.fromEntries(
    Object.entries(terms).map(([taxonomy, own]) => [taxonomy, own.filter((term) => typeof term === 'number')]),
  );
}

function newOf(terms: PlannedTerms): Outlook['newTerms'] {
  const named = Object.entries(terms).map(
    ([taxonomy, own]) => [taxonomy, own.filter((term) => typeof term === 'string')] as const,
  );
  return Object.fromEntries(named.filter(([, own]) => own.length > 0));
}
