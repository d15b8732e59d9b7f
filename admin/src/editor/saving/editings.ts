import { session } from '../../service.js';
import { echoStore, offerEchoes } from './echo.js';
import { Editing } from './editing.js';
import type { GivenUp } from './giving-up.js';
import { copies } from './working-copy.js';

/** Editors that are open, and those that were left with something unsaved. */
const editings = new Set<Editing>();
/** Editors that are being opened: one who comes back meanwhile gets the same one. */
const underWay = new Map<string, Promise<Editing>>();
/** True if the page may end without a question. */
let mayEnd = false;

/** A record to edit. */
export interface Subject {
  readonly type: string;
  /** `new`, or the id of a record. */
  readonly id: string;
  /** Id of who edits it. */
  readonly user: number;
  /** True if they see what is not public. */
  readonly seesDrafts: boolean;
}

/** Opens a record for editing: as it was left, if something of it is not saved yet. */
export async function openEditing({ type, id, user, seesDrafts }: Subject): Promise<Editing> {
  const left = [...editings].find((one) => one.isAt(type, id) && one.isOf(user));
  if (left) {
    void left.refresh().catch(() => undefined);
    return left;
  }
  const subject = `${type} ${id} ${user}`;
  const opening = underWay.get(subject) ?? made({ type, id, user, seesDrafts }).finally(() => underWay.delete(subject));
  underWay.set(subject, opening);
  return opening;
}

async function made({ type, id, user, seesDrafts }: Subject): Promise<Editing> {
  const isNew = id === 'new';
  const opened = isNew ? null : await copies.open(type, id, seesDrafts);
  const editing = new Editing(opened, { type, user, copies, echoes: echoStore });
  editings.add(editing);
  const origin = { user, type, id: isNew ? null : Number(id) };
  const isStillIt = () => editings.has(editing) && editing.isAt(type, id);
  // A window that keeps nothing has nothing to offer.
  await offerEchoes(origin, (echo) => isStillIt() && editing.offer(echo)).catch(() => undefined);
  return editing;
}

/** Saves what is left, with a revision for a draft, and goes on trying if that fails. */
export async function leaveEditing(editing: Editing): Promise<void> {
  // Who has only looked saves nothing, of a colleague neither.
  if (editing.isBusy || editing.read().savedAt !== null) await editing.save().catch(() => false);
  if (!editing.isBusy && !editing.isOpen) editings.delete(editing);
}

/** Types again what was given up: into the editor that has the record by now, if that was opened anew. */
export function writeAgain(left: Editing, forgotten: GivenUp): void {
  const editing = [...editings].find((one) => one.hasSameRecord(left)) ?? left;
  editings.add(editing);
  editing.writeAgain(forgotten);
  if (!editing.isOpen) void leaveEditing(editing);
}

/** Tells whether something that was typed in this page is not known to be saved. */
function hasUnsaved(): boolean {
  return [...editings].some(({ isBusy }) => isBusy);
}

/** Sends at once what waits: the network or the session is there again, or the page may end. */
function flushAll(): Promise<unknown> {
  return Promise.all([...editings].map((editing) => editing.flush()));
}

/** Brings the device up to date, so that the page may end. */
async function keepAll(): Promise<void> {
  await Promise.all([...editings].map((editing) => editing.keep()));
  mayEnd = [...editings].every((editing) => editing.read().isKept);
}

/** The page is looked at again: others may have written meanwhile. */
function refreshAll(): void {
  for (const editing of editings) void editing.refresh().catch(() => undefined);
}

session.unsaved = { has: hasUnsaved, flush: flushAll, keep: keepAll };
window.addEventListener('online', () => void flushAll());
document.addEventListener('visibilitychange', () =>
  document.visibilityState === 'hidden' ? void flushAll() : refreshAll(),
);
window.addEventListener('beforeunload', (event) => {
  if (hasUnsaved() && !mayEnd) event.preventDefault();
});
