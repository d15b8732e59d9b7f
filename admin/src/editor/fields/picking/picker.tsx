import { Combobox, TextInput, useCombobox } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState, type KeyboardEvent, type ReactNode } from 'react';
import { Icon } from '../../../common/icons.js';
import { sentenceOf } from '../../../common/failure.js';
import { words } from '../../../words.js';
import classes from '../fields.module.css';
import type { Picks, PickSource } from './picking-queries.js';

const t = words.editor.fields;
/** Milliseconds without a key until it is searched. */
const PAUSE = 180;
const MORE = 'more';
const CREATE = 'create';

interface Creation<Page> {
  /** The reason why a name is impossible; `undefined`: it is possible. */
  readonly faultOf: (name: string) => string | undefined;
  readonly may: (name: string, pages: readonly Page[]) => boolean;
  readonly make: (name: string) => void;
}

/** Handling of texts that are typed and not picked. */
interface Leaving<Page> {
  /** Takes what they name, and says whether it does. @param isSettled whether the pages are those for the text */
  readonly take: (texts: readonly string[], pages: readonly Page[], isSettled: boolean) => boolean;
  /** Tells whether a comma ends a text. */
  readonly endsAtComma: (pages: readonly Page[]) => boolean;
}

interface PickerProps<Item, Page extends Picks<Item>> {
  readonly id: string;
  /** The name of the picker for people. */
  readonly label: string;
  readonly placeholder: string;
  readonly isDisabled: boolean;
  /** True if it stands in a dialog, where it gets the focus, and where what can be picked makes way for the buttons below. */
  readonly isInDialog?: boolean | undefined;
  /** The source of items for some words. */
  readonly sourceOf: (words: string) => PickSource<Page>;
  /** Tells the items of a picker apart. */
  readonly keyOf: (item: Item) => string;
  readonly isChosen: (item: Item) => boolean;
  readonly draw: (item: Item, words: string) => ReactNode;
  readonly onPick: (item: Item) => void;
  /** Makes something new; absent, or false for the items that there are: one may not. */
  readonly create?: Creation<Page>;
  /** Absent: what is not picked stays a text. */
  readonly leaving?: Leaving<Page>;
}

/** A search over everything that can be picked, page by page. */
export function Picker<Item, Page extends Picks<Item>>(props: PickerProps<Item, Page>) {
  const { id, label, placeholder, isDisabled, isInDialog, create } = props;
  const picking = usePicking(props);
  const { box, typed, type, submit, leave, comeBack, onKeyDown, isLeft } = picking;
  const fault = create?.faultOf(typed.trim()) ?? (isLeft && typed !== '' ? t.notChosen(typed.trim()) : undefined);
  return (
    <Combobox store={box} onOptionSubmit={submit} shadow="md" size="sm" middlewares={{ flip: true, shift: true }}>
      <Combobox.Target withExpandedAttribute>
        <TextInput
          id={id}
          data-autofocus={isInDialog}
          role="combobox"
          aria-autocomplete="list"
          aria-label={label}
          placeholder={placeholder}
          leftSection={<Icon name="search" size={16} />}
          disabled={isDisabled}
          error={fault}
          value={typed}
          onChange={({ currentTarget }) => type(currentTarget.value)}
          onClick={() => box.openDropdown()}
          onFocus={comeBack}
          // The focus stays when another window is used.
          onBlur={({ currentTarget }) => leave(document.activeElement === currentTarget)}
          onKeyDown={onKeyDown}
        />
      </Combobox.Target>
      <Combobox.Dropdown hidden={fault !== undefined}>
        <Found {...props} {...picking} />
      </Combobox.Dropdown>
    </Combobox>
  );
}

type Picking<Item, Page extends Picks<Item>> = ReturnType<typeof usePicking<Item, Page>>;

function usePicking<Item, Page extends Picks<Item>>(props: PickerProps<Item, Page>) {
  const { keyOf, onPick, create, isInDialog } = props;
  const search = useSearch(props);
  const { box, setTyped, sought, found, items } = search;
  const { takeEnded, ...leaving } = useLeaving(props, search);
  const submit = (chosen: string) => {
    if (chosen === MORE) return void found.fetchNextPage();
    if (chosen === CREATE) create?.make(sought);
    const item = items.find((one) => keyOf(one) === chosen);
    if (item) onPick(item);
    setTyped('');
    if (isInDialog) box.closeDropdown();
  };
  const type = (text: string) => {
    setTyped(takeEnded(text));
    box.openDropdown();
  };
  return { ...search, ...leaving, submit, type };
}

type Search<Item, Page extends Picks<Item>> = ReturnType<typeof useSearch<Item, Page>>;

/** The typed words, and the items for them. */
function useSearch<Item, Page extends Picks<Item>>({ sourceOf, keyOf, isChosen }: PickerProps<Item, Page>) {
  const [typed, setTyped] = useState('');
  const [isLeft, setLeft] = useState(false);
  const [sought] = useDebouncedValue(typed.trim(), PAUSE);
  const [isOpen, setOpen] = useState(false);
  const box = useCombobox({
    opened: isOpen,
    onOpenedChange: setOpen,
    onDropdownClose: () => box.resetSelectedOption(),
  });
  // What is closed has nothing to draw, though it may know something.
  const isAsking = isOpen || isLeft;
  const found = usePages(sourceOf(sought), isAsking);
  const pages = isAsking ? (found.data?.pages ?? []) : [];
  const all = pages.flatMap(({ data }) => data);
  const items = all.filter((item) => !isChosen(item));
  const isSettled = !found.isFetching && sought === typed.trim();
  useMarked(box, sought !== '' && isSettled, items[0] && keyOf(items[0]));
  return { box, typed, setTyped, isLeft, setLeft, sought, found, pages, read: all.length, items, isSettled };
}

/** Handles a text that is not picked: it is taken if it names something, and does not stay as if it were picked. */
function useLeaving<Item, Page extends Picks<Item>>(
  { leaving }: PickerProps<Item, Page>,
  { box, typed, setTyped, isLeft, setLeft, pages, isSettled }: Search<Item, Page>,
) {
  const textsOf = (text: string) => (leaving?.endsAtComma(pages) === true ? text.split(',') : [text]);
  const take = (texts: readonly string[]): boolean => {
    const names = texts.map((text) => text.trim()).filter((name) => name !== '');
    const isKnown = isSettled && names[0] === typed.trim();
    return names.length === 0 || leaving?.take(names, pages, isKnown) === true;
  };
  const takeAll = (): boolean => {
    const isTaken = take(textsOf(typed));
    if (isTaken) setTyped('');
    return isTaken;
  };
  useEffect(() => {
    if (isLeft && isSettled && takeAll()) setLeft(false);
  }, [isLeft, isSettled]);
  return {
    /** Takes what ends with a comma. @returns the rest */
    takeEnded: (text: string): string => {
      const texts = textsOf(text);
      return texts.length > 1 && take(texts.slice(0, -1)) ? (texts.at(-1)?.trimStart() ?? '') : text;
    },
    leave: (isToReturn: boolean) => {
      box.closeDropdown();
      if (!isToReturn && !takeAll()) setLeft(true);
    },
    comeBack: () => setLeft(false),
    /** The keys that save or publish the record save this as well. */
    onKeyDown: (event: KeyboardEvent) => {
      const isWithCtrl = event.ctrlKey || event.metaKey;
      const isEnter = event.key === 'Enter' && !event.nativeEvent.isComposing && box.getSelectedOptionIndex() === -1;
      const isSave = isWithCtrl && event.key.toLowerCase() === 's';
      if (typed.trim() !== '' && (isEnter || isSave) && takeAll() && !isWithCtrl) event.preventDefault();
    },
  };
}

/** Marks what Enter takes, once it is known. */
function useMarked(box: ReturnType<typeof useCombobox>, isKnown: boolean, first: string | undefined): void {
  const present = useRef(box);
  present.current = box;
  useEffect(() => {
    if (isKnown) present.current.selectFirstOption();
    else present.current.resetSelectedOption();
  }, [isKnown, first]);
}

function Found<Item, Page extends Picks<Item>>(props: PickerProps<Item, Page> & Picking<Item, Page>) {
  const { label, keyOf, draw, create, sought, found, pages, read, items, isSettled } = props;
  const canCreate = isSettled && create !== undefined && isFree(create, sought, pages);
  return (
    <>
      <Combobox.Options className={classes.options} aria-label={label} aria-busy={!isSettled}>
        {items.map((item) => (
          <Combobox.Option key={keyOf(item)} value={keyOf(item)} className={classes.option}>
            {draw(item, sought)}
          </Combobox.Option>
        ))}
        {pages.length > 0 && found.hasNextPage && (
          <Combobox.Option value={MORE} className={classes.option} data-quiet>
            {t.more(read, pages[0]?.meta.total ?? read)}
          </Combobox.Option>
        )}
        {canCreate && (
          <Combobox.Option value={CREATE} className={classes.option}>
            <Icon name="plus" size={14} /> {t.create(sought)}
          </Combobox.Option>
        )}
      </Combobox.Options>
      <PickerState
        isEmpty={items.length === 0 && !canCreate}
        isSearching={!isSettled}
        none={read > 0 ? t.allPicked : t.nothingFound}
        error={found.error}
      />
    </>
  );
}

/** Tells whether something new may have a name. */
function isFree<Page>({ faultOf, may }: Creation<Page>, name: string, pages: readonly Page[]): boolean {
  return name !== '' && faultOf(name) === undefined && may(name, pages);
}

function usePages<Page extends Picks<unknown>>({ key, page }: PickSource<Page>, enabled: boolean) {
  return useInfiniteQuery({
    queryKey: key,
    enabled,
    initialPageParam: 1,
    placeholderData: keepPreviousData,
    queryFn: ({ signal, pageParam }) => page(pageParam, signal),
    getNextPageParam: ({ meta }) => (meta.current_page < meta.last_page ? meta.current_page + 1 : null),
  });
}

interface PickerStateProps {
  readonly isEmpty: boolean;
  readonly isSearching: boolean;
  /** The text if there is nothing. */
  readonly none: string;
  readonly error: unknown;
}

/** The text in place of items. */
function PickerState({ isEmpty, isSearching, none, error }: PickerStateProps) {
  const found = error === null ? none : sentenceOf(error);
  const said = isSearching ? t.searching : found;
  return (
    <div role="status" className={classes.pickerState} hidden={!isEmpty}>
      {isEmpty ? said : ''}
    </div>
  );
}
