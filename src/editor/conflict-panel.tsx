/** A property that changed on the disk while it was edited: both versions, and a choice for each field. */
import { useState } from 'preact/hooks';
import { useEditor } from './editing-context.ts';
import type { Difference } from './merge.ts';
import type { OpenConflict, PropertyState } from './property-state.ts';
import { valueInWords } from './value-words.ts';

/** What it needs. */
export type ConflictPanelProps = {
  readonly conflict: OpenConflict;
  readonly resolve: PropertyState['resolve'];
};

/** The choices. Nothing is written before one saves. */
export function ConflictPanel({ conflict, resolve }: ConflictPanelProps) {
  const { catalogue } = useEditor();
  const [chosen, setChosen] = useState<Readonly<Record<string, 'yours' | 'theirs'>>>({});
  const { conflicts, yours, theirs, present } = conflict;
  const labelOf = ({ field }: Pick<Difference, 'field'>) =>
    catalogue.fields.find(({ name }) => name === field)?.label ?? field;
  const gone = present === null;
  const fields = gone ? [] : conflicts;
  const isReady = fields.every(({ field }) => chosen[field]);
  const kept = gone ? [] : yours.map(labelOf);
  const changed = gone ? [] : theirs.map(labelOf);
  return (
    <section class="conflict notice" aria-labelledby="conflict-title">
      <h2 id="conflict-title">
        {gone ? 'The file of this property is gone' : 'This property changed on the disk'}
      </h2>
      <p role="alert">
        {gone
          ? 'Another program removed or renamed it while you were editing. Nothing of yours is lost.'
          : 'Another program saved it while you were editing. Nothing is overwritten: choose what to keep.'}
      </p>
      {fields.map(({ field, yours: mine, theirs: other }) => (
        <fieldset key={field} class="choice">
          <legend>{labelOf({ field })}</legend>
          {(
            [
              ['yours', 'Yours', mine],
              ['theirs', 'On the disk', other],
            ] as const
          ).map(([side, words, value]) => (
            <label key={side} class={`version${chosen[field] === side ? ' chosen-version' : ''}`}>
              <span class="version-head">
                <input
                  type="radio"
                  name={`conflict-${field}`}
                  checked={chosen[field] === side}
                  onChange={() => setChosen({ ...chosen, [field]: side })}
                />
                {words}
              </span>
              <span class="version-text">{valueInWords(value)}</span>
            </label>
          ))}
        </fieldset>
      ))}
      {kept.length > 0 && <p class="quiet">Changed by you alone, and kept: {kept.join(', ')}.</p>}
      {changed.length > 0 && (
        <p class="quiet">Changed on the disk alone, and taken over: {changed.join(', ')}.</p>
      )}
      <p class="dialog-actions">
        <button
          type="button"
          class="button primary"
          aria-disabled={!isReady}
          onClick={() => isReady && resolve((field) => gone || chosen[field] === 'yours')}
        >
          {gone ? 'Keep editing as a new property' : 'Go on with these'}
        </button>
        {!gone && (
          <button type="button" class="button" onClick={() => resolve('all-theirs')}>
            Take everything from the disk
          </button>
        )}
      </p>
    </section>
  );
}
