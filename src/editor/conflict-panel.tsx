import type { ComponentChildren } from 'preact';
import { useRef } from 'preact/hooks';
import { Button } from '../explorer/button.tsx';
import { cutText } from '../text/shorten.ts';
import type { FieldInfo } from './catalogue-info.ts';
import { displayValue } from './display-values.ts';
import { useEditor } from './editing-context.ts';
import type { ResolveConflict, UnresolvedConflict } from './editing-state.ts';
import { useInitialFocus } from './focus.ts';
import type { ConflictSide } from './git-remote.ts';
import { usePersistedState } from './kept-state.ts';
import { isEqualValue } from './undo-history.ts';
import type { FieldDifference, VersionComparison } from './version-comparison.ts';

type ConflictPanelProps = {
  readonly conflict: UnresolvedConflict;
  readonly path: string;
  readonly resolve: ResolveConflict;
};

export function ConflictPanel({ conflict, path, resolve }: ConflictPanelProps) {
  if (conflict.present === null)
    return (
      <VersionChoicePanel
        title="The file of this property is gone"
        lead="It was removed or renamed while you were editing. Nothing of yours is lost."
        path={path}
        comparison={conflict}
        done="Keep editing as a new property"
        resolve={() => resolve(() => true)}
      />
    );
  return (
    <VersionChoicePanel
      title="This property was saved meanwhile"
      lead="Another tab, a colleague or a program saved it while you were editing. Nothing is overwritten: choose what to keep."
      path={path}
      comparison={conflict}
      done="Go on with these"
      resolve={resolve}
    >
      <Button onClick={() => resolve('all-theirs')}>Take everything that was saved</Button>
    </VersionChoicePanel>
  );
}

type VersionWords = {
  readonly [Side in ConflictSide]: {
    readonly name: string;
    /** Ends the heading "Changed only …" of the fields that only this version changed. */
    readonly only: string;
  };
};

const WORDS: VersionWords = {
  yours: { name: 'Yours', only: 'by you, and kept' },
  theirs: { name: 'Saved meanwhile', only: 'there, and taken over' },
};

/** `difference` has both values as they were when the user chose. If one of them changes, the choice is void. */
type Choice = { readonly difference: FieldDifference; readonly side: ConflictSide };

/** A value that needs no choice is cut to this number of characters. */
export const MAX_SHOWN_CHARACTERS = 120;

type ChoicesPanelProps = {
  readonly title: string;
  readonly lead: string;
  readonly path: string;
  readonly comparison: VersionComparison;
  readonly words?: VersionWords;
  readonly done: string;
  /** Applies the choices. The panel then deletes them, unless the function returns false or a promise of false. */
  readonly resolve: (keepsYours: (field: string) => boolean) => unknown;
  readonly children?: ComponentChildren;
};

export function VersionChoicePanel(props: ChoicesPanelProps) {
  const { title, lead, path, comparison, words = WORDS, done, resolve, children } = props;
  const { catalogue } = useEditor();
  useInitialFocus('#conflict-title');
  const { conflicts, joined, yours, theirs } = comparison;
  const { state: choices, keep } = usePersistedState<readonly Choice[]>(`choices ${path}`, []);
  const isCurrent = (choice: Choice) => conflicts.some((one) => isEqualValue(one, choice.difference));
  const current = choices.filter(isCurrent);
  const chosen = Object.fromEntries(current.map(({ difference: { field }, side }) => [field, side]));
  // Choices that were valid while this panel was open. If one becomes invalid, a message says so.
  const shown = useRef(new Set<Choice>()).current;
  for (const choice of current) shown.add(choice);
  const isDropped = conflicts.some(
    ({ field }) => !chosen[field] && choices.some((one) => one.difference.field === field && shown.has(one)),
  );
  const infoOf = ({ field }: FieldDifference): Partial<FieldInfo> =>
    catalogue.fields.find(({ name }) => name === field) ?? {};
  const labelOf = (difference: FieldDifference) => infoOf(difference).label ?? difference.field;
  const isReady = conflicts.every(({ field }) => chosen[field]);
  const notes = [
    [`Changed only ${words.yours.only}`, yours, 'yours'],
    ['Changed by both, and put together', joined, 'yours'],
    [`Changed only ${words.theirs.only}`, theirs, 'theirs'],
  ] as const;
  const shownValue = (difference: FieldDifference, side: ConflictSide) => {
    const lines = displayValue(difference[side], infoOf(difference), catalogue).split('\n');
    return `${labelOf(difference)}: ${cutText(lines.join('; '), MAX_SHOWN_CHARACTERS)}`;
  };
  return (
    <section class="conflict notice" aria-labelledby="conflict-title">
      <h2 id="conflict-title" tabIndex={-1}>
        {title}
      </h2>
      <p role="alert">{lead}</p>
      {isDropped && (
        <p class="problem" role="alert">
          The file changed meanwhile: choose again.
        </p>
      )}
      {conflicts.map((difference) => (
        <ConflictChoice
          key={difference.field}
          name={difference.field}
          label={labelOf(difference)}
          shown={(side) => displayValue(difference[side], infoOf(difference), catalogue)}
          words={{ yours: words.yours.name, theirs: words.theirs.name }}
          chosen={chosen[difference.field]}
          choose={(side) =>
            keep([
              ...choices.filter((one) => one.difference.field !== difference.field),
              { difference, side },
            ])
          }
        />
      ))}
      {notes.map(
        ([note, changed, side]) =>
          changed.length > 0 && (
            <div key={note} class="quiet">
              {note}:
              <ul>
                {changed.map((difference) => (
                  <li key={difference.field}>{shownValue(difference, side)}</li>
                ))}
              </ul>
            </div>
          ),
      )}
      <p class="dialog-actions flow">
        <Button
          look="primary"
          aria-disabled={!isReady}
          onClick={async () => {
            if (isReady && (await resolve((field) => chosen[field] === 'yours')) !== false) keep([]);
          }}
        >
          {done}
        </Button>
        {children}
      </p>
    </section>
  );
}

type ConflictChoiceProps = {
  /** Unique on the page, since it names a group of radio buttons. */
  readonly name: string;
  readonly label: string;
  readonly shown: (side: ConflictSide) => ComponentChildren;
  readonly chosen: ConflictSide | undefined;
  readonly choose: (side: ConflictSide) => void;
  readonly words: Readonly<Record<ConflictSide, string>>;
};

export function ConflictChoice({ name, label, shown, chosen, choose, words }: ConflictChoiceProps) {
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
            {words[side]}
          </span>
          <span class="version-text">{shown(side)}</span>
        </label>
      ))}
    </fieldset>
  );
}
