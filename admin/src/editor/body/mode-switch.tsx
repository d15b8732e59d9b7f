import { words } from '../../words.js';
import type { BodyMode } from './body-mode.js';
import classes from './body.module.css';

interface ModeSwitchProps {
  readonly modes: readonly BodyMode[];
  readonly mode: BodyMode;
  /** The name of the stored text. */
  readonly source: string;
  readonly onChoose: (mode: BodyMode) => void;
}

/** Chooses how the body is looked at. */
export function ModeSwitch({ modes, mode, source, onChoose }: ModeSwitchProps) {
  const { write, preview, previewKey } = words.writing.modes;
  const labels = { write, source, preview };
  return (
    <div className={classes.modes} role="group" aria-label={words.writing.modes.label}>
      {modes.map((one) => (
        <button
          key={one}
          type="button"
          className={classes.mode}
          aria-pressed={one === mode}
          title={one === 'preview' ? previewKey : undefined}
          onClick={() => onChoose(one)}
        >
          {labels[one]}
        </button>
      ))}
    </div>
  );
}
