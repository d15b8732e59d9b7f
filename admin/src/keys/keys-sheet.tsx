import { Checkbox, Modal } from '@mantine/core';
import { useSyncExternalStore } from 'react';
import { words } from '../words.js';
import classes from './keys.module.css';
import { singleKeys } from './single-keys.js';

const t = words.keys;

/** Every key of the console. */
export function KeysSheet({ onClose }: { readonly onClose: () => void }) {
  const isOn = useSyncExternalStore(singleKeys.subscribe, singleKeys.read);
  return (
    <Modal
      opened
      size={820}
      title={t.title}
      closeButtonProps={{ 'aria-label': words.close }}
      onClose={onClose}
      // It would add a style that the policy of the page refuses.
      lockScroll={false}
      classNames={{ title: classes.title, body: classes.body }}
    >
      <div className={classes.groups}>
        {t.groups.map(({ name, keys, isSingle }) => (
          <section key={name} className={classes.group} data-off={isSingle && !isOn}>
            <h3 className={classes.name}>{name}</h3>
            <dl>
              {keys.map(([key, meaning]) => (
                <div key={key}>
                  <dt>
                    <Keys keys={key} />
                  </dt>
                  <dd>{meaning}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
      <Checkbox
        className={classes.choice}
        label={t.single}
        description={t.singleHint}
        checked={isOn}
        onChange={({ currentTarget }) => singleKeys.turn(currentTarget.checked)}
      />
    </Modal>
  );
}

/** `Ctrl Shift K` as keys. A Mac has Cmd in the place of Ctrl. */
function Keys({ keys }: { readonly keys: string }) {
  const isMac = /Mac|iP(hone|ad)/.test(navigator.userAgent);
  return keys.split(' ').map((key, index) => (
    <kbd key={index} className={classes.key}>
      {isMac && key === 'Ctrl' ? 'Cmd' : key}
    </kbd>
  ));
}
