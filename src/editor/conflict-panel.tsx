import { useState } from 'preact/hooks';
import { Button } from '../explorer/button.tsx';
import { displayValue } from './display-values.ts';
import type { OpenConflict, Resolve } from './editing.ts';
import { useEditor } from './editing-context.ts';
import { useFirstFocus } from './focus.ts';
import type { Difference } from './merge.ts';
import type { ConflictSide } from './remote.ts';

type ConflictPanelProps = {
  readonly conflict: OpenConflict;
  readonly resolve: Resolve;
};

export function ConflictPanel({ conflict, resolve }: ConflictPanelProps) {
  const { catalogue } = useEditor();
  useFirstFocus('#conflict-title');
  const [chosen, setChosen] = useState<Readonly<Record<string, ConflictSide>>>({});
  const { conflicts, joined, yours, theirs, present } = conflict;
  const labelOf = ({ field }: Pick<Difference, 'field'>) =>
    catalogue.fields.find(({ name }) => name === field)?.label ?? field;
  const gone = present === null;
  const fields = gone ? [] : conflicts;
  const isReady = fields.every(({ field }) => chosen[field]);
  const kept = gone ? [] : yours.map(labelOf);
  const both = gone ? [] : joined.map(labelOf);
  const changed = gone ? [] : theirs.map(labelOf);
  return (
    <section class="conflict notice" aria-labelledby="conflict-title">
      <h2 id="conflict-title" tabIndex={-1}>
        {gone ? 'The file of this property is gone' : 'This property was saved meanwhile'}
      </h2>
      <p role="alert">
        {gone
          ? 'It was removed or renamed while you were editing. Nothing of yours is lost.'
          : 'Another tab, a colleague or a program saved it while you were editing. Nothing is overwritten: choose what to keep.'}
      </p>
      {fields.map((difference) => (
        <ConflictChoice
          key={difference.field}
          label={labelOf(difference)}
          difference={difference}
          chosen={chosen[difference.field]}
          choose={(side) => setChosen({ ...chosen, [difference.field]: side })}
        />
      ))}
      {kept.length > 0 && <p class="quiet">Changed only by you, and kept: {kept.join(', ')}.</p>}
      {both.length > 0 && <p class="quiet">Changed by both, and put together: {both.join(', ')}.</p>}
      {changed.length > 0 && <p class="quiet">Changed only there, and taken over: {changed.join(', ')}.</p>}
      <p class="dialog-actions flow">
        <Button
          look="primary"
          aria-disabled={!isReady}
          onClick={() => isReady && resolve((field) => gone || chosen[field] === 'yours')}
        >
          {gone ? 'Keep editing as a new property' : 'Go on with these'}
        </Button>
        {!gone && <Button onClick={() => resolve('all-theirs')}>Take everything that was saved</Button>}
      </p>
    </section>
  );
}

type ConflictChoiceProps = {
  readonly label: string;
  readonly difference: Difference;
  readonly chosen: ConflictSide | undefined;
  readonly choose: (side: ConflictSide) => void;
  /** Distinguishes several choices about the same field. @default the field */
  readonly name?: string;
  readonly theirWords?: string;
};

export function ConflictChoice(props: ConflictChoiceProps) {
  const { label, difference, chosen, choose, theirWords = 'Saved meanwhile' } = props;
  const { field } = difference;
  const { name = field } = props;
  const { catalogue } = useEditor();
  const info = catalogue.fields.find((one) => one.name === field);
  return (
    <fieldset class="choice">
      <legend>{label}</legend>
      {(['yours', 'theirs'] as const).map((side) => (
        <label key={side} class={`version box stack${chosen === side ? ' chosen-version' : ''}`}>
          <span class="flow">
            <input
              type="radio"
              name={`conflict-${name}`}
              checked={chosen === side}
              onChange={() => choose(side)}
            />
            {side === 'yours' ? 'Yours' : theirWords}
          </span>
          <span class="version-text">{displayValue(difference[side], info ?? {}, catalogue)}</span>
        </label>
      ))}
    </fieldset>
  );
}
