import { Combobox, TextInput, useCombobox } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useEffect, useState, type ReactNode } from 'react';
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

interface PickerProps<Item, Page extends Picks<Item>> {
  readonly id: string;
  /** What is picked for whom. */
  readonly label: string;
  readonly placeholder: string;
  readonly isDisabled: boolean;
  /** What there is for some words. */
  readonly sourceOf: (words: string) => PickSource<Page>;
  /** Tells the items of a picker apart. */
  readonly keyOf: (item: Item) => string;
  readonly isChosen: (item: Item) => boolean;
  readonly draw: (item: Item, words: string) => ReactNode;
  readonly onPick: (item: Item) => void;
  /** Makes something new; absent, or false for the items that there are: one may not. */
  readonly create?: {
    readonly may: (name: string, pages: readonly Page[]) => boolean;
    readonly make: (name: string) => void;
  };
}

/** A search over everything that can be picked, page by page. */
export function Picker<Item, Page extends Picks<Item>>(props: PickerProps<Item, Page>) {
  const { id, label, placeholder, isDisabled, sourceOf, keyOf, onPick, create } = props;
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
  const pages = (isOpen && found.data?.pages) || [];
  const items = pages.flatMap(({ data }) => data);
  const isSettled = !found.isFetching && sought === typed.trim();
  const canCreate = sought !== '' && isSettled && create?.may(sought, pages) === true;

  // What Enter takes is marked, once it is known.
  const first = items[0] && keyOf(items[0]);
  useEffect(() => {
    if (sought !== '' && isSettled) box.selectFirstOption();
    else box.resetSelectedOption();
    // eslint-disable-next-line react-hooks/exhaustive-deps -- the box is another one each time
  }, [sought, isSettled, first]);

  const submit = (chosen: string) => {
    if (chosen === MORE) return void found.fetchNextPage();
    if (chosen === CREATE) create?.make(sought);
    const item = items.find((one) => keyOf(one) === chosen);
    if (item) onPick(item);
    setTyped('');
  };
  return (
    <Combobox store={box} onOptionSubmit={submit} shadow="md" size="sm" middlewares={{ flip: true, shift: true }}>
      <Combobox.Target withExpandedAttribute>
        <TextInput
          id={id}
          role="combobox"
          aria-autocomplete="list"
          aria-label={label}
          placeholder={placeholder}
          leftSection={<Icon name="search" size={16} />}
          disabled={isDisabled}
          value={typed}
          onChange={({ currentTarget }) => {
            setTyped(currentTarget.value);
            box.openDropdown();
          }}
          onClick={() => box.openDropdown()}
          onBlur={() => box.closeDropdown()}
        />
      </Combobox.Target>
      <Combobox.Dropdown>
        <Combobox.Options className={classes.options} aria-label={label}>
          {items.map((item) => (
            <Combobox.Option
              key={keyOf(item)}
              value={keyOf(item)}
              className={classes.option}
              active={props.isChosen(item)}
            >
              {props.draw(item, sought)}
            </Combobox.Option>
          ))}
          {isOpen && found.hasNextPage && (
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
      </Combobox.Dropdown>
    </Combobox>
  );
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
