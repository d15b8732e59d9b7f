import { Combobox, TextInput, useCombobox } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState, type ReactNode } from 'react';
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
  /** Why a name can be that of none; `undefined`: it can. */
  readonly faultOf: (name: string) => string | undefined;
  readonly may: (name: string, pages: readonly Page[]) => boolean;
  readonly make: (name: string) => void;
}

interface PickerProps<Item, Page extends Picks<Item>> {
  readonly id: string;
  /** What is picked for whom. */
  readonly label: string;
  readonly placeholder: string;
  readonly isDisabled: boolean;
  /** Whether it stands in a dialog, where it gets the focus, and where what can be picked makes way for the buttons below. */
  readonly isInDialog?: boolean | undefined;
  /** What there is for some words. */
  readonly sourceOf: (words: string) => PickSource<Page>;
  /** Tells the items of a picker apart. */
  readonly keyOf: (item: Item) => string;
  readonly isChosen: (item: Item) => boolean;
  readonly draw: (item: Item, words: string) => ReactNode;
  readonly onPick: (item: Item) => void;
  /** Makes something new; absent, or false for the items that there are: one may not. */
  readonly create?: Creation<Page>;
}

/** A search over everything that can be picked, page by page. */
export function Picker<Item, Page extends Picks<Item>>(props: PickerProps<Item, Page>) {
  const { id, label, placeholder, isDisabled, isInDialog, create } = props;
  const picking = usePicking(props);
  const { box, typed, type, submit } = picking;
  const fault = create?.faultOf(typed.trim());
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
          onBlur={() => box.closeDropdown()}
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
  const { sourceOf, keyOf, onPick, create, isInDialog } = props;
  const [typed, setTyped] = useState('');
  const [sought] = useDebouncedValue(typed.trim(), PAUSE);
  const [isOpen, setOpen] = useState(false);
  const box = useCombobox({
    opened: isOpen,
    onOpenedChange: setOpen,
    onDropdownClose: () => box.resetSelectedOption(),
  });
  const found = usePages(sourceOf(sought), isOpen);
  // What is closed has nothing to draw, though it may know something.
  const pages = isOpen ? (found.data?.pages ?? []) : [];
  const items = pages.flatMap(({ data }) => data);
  const isSettled = !found.isFetching && sought === typed.trim();
  useMarked(box, sought !== '' && isSettled, items[0] && keyOf(items[0]));
  const submit = (chosen: string) => {
    if (chosen === MORE) return void found.fetchNextPage();
    if (chosen === CREATE) create?.make(sought);
    const item = items.find((one) => keyOf(one) === chosen);
    if (item) onPick(item);
    setTyped('');
    if (isInDialog) box.closeDropdown();
  };
  const type = (text: string) => {
    setTyped(text);
    box.openDropdown();
  };
  return { box, typed, sought, found, pages, items, isSettled, submit, type };
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
  const { label, keyOf, isChosen, draw, create, sought, found, pages, items, isSettled } = props;
  const canCreate = sought !== '' && isSettled && create !== undefined && isFree(create, sought, pages);
  return (
    <>
      <Combobox.Options className={classes.options} aria-label={label}>
        {items.map((item) => (
          <Combobox.Option key={keyOf(item)} value={keyOf(item)} className={classes.option} active={isChosen(item)}>
            {draw(item, sought)}
          </Combobox.Option>
        ))}
        {pages.length > 0 && found.hasNextPage && (
          <Combobox.Option value={MORE} className={classes.option} data-quiet>
            {t.more(items.length, pages[0]?.meta.total ?? items.length)}
          </Combobox.Option>
        )}
        {canCreate && (
          <Combobox.Option value={CREATE} className={classes.option}>
            <Icon name="plus" size={14} /> {t.create(sought)}
          </Combobox.Option>
        )}
      </Combobox.Options>
      <PickerState isEmpty={items.length === 0 && !canCreate} isSearching={!isSettled} error={found.error} />
    </>
  );
}

/** Whether something new may have a name. */
function isFree<Page>({ faultOf, may }: Creation<Page>, name: string, pages: readonly Page[]): boolean {
  return faultOf(name) === undefined && may(name, pages);
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
  readonly error: unknown;
}

/** What is said in the place of items. */
function PickerState({ isEmpty, isSearching, error }: PickerStateProps) {
  const found = error === null ? t.nothingFound : sentenceOf(error);
  const said = isSearching ? t.searching : found;
  return (
    <div role="status" className={classes.pickerState} hidden={!isEmpty}>
      {isEmpty ? said : ''}
    </div>
  );
}
