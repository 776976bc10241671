/** Notices above the form: what the form cannot edit, and findings about the whole file. */

import type { Failure, Finding, Obstacle } from './api.ts';
import { FindingList } from './field.tsx';
import type { PropertyState } from './property-state.ts';

type NoticesProps = {
  readonly state: PropertyState;
  readonly elsewhere: readonly Finding[];
  /** Whether creating a property was stopped by errors that do not prevent a save. */
  readonly canSaveAnyway: boolean;
};

export function Notices({ state, elsewhere, canSaveAnyway }: NoticesProps) {
  const { failure, saved } = state;
  const obstacle = saved?.obstacle ?? (failure as Partial<Failure> | undefined)?.obstacle;
  return (
    <div class="notices stack">
      {canSaveAnyway && (
        <p class="notice small">
          Some fields need a look. You can mend them now, or press Create again to save the property as it is;
          it is published once nothing is wrong.
        </p>
      )}
      {obstacle && <ObstacleNotice obstacle={obstacle} isWhole={saved?.obstacle != null} />}
      {elsewhere.length > 0 && <FindingList className="notice small" findings={elsewhere} />}
      {saved?.obstacle && (
        <details class="raw-json">
          <summary>The file</summary>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keyboard */}
          <section class="source" tabIndex={0} aria-label="The file">
            <pre>{saved.text}</pre>
          </section>
        </details>
      )}
    </div>
  );
}

type ObstacleNoticeProps = {
  readonly obstacle: Obstacle;
  /** Whether the form can edit nothing in the file. */
  readonly isWhole: boolean;
};

/** Explains why the form cannot edit a place, with a link that opens it in a text editor. */
function ObstacleNotice({ obstacle: { reason, line, link }, isWhole }: ObstacleNoticeProps) {
  return (
    <div class="notice" role="alert">
      <h2>{isWhole ? 'This file has to be edited as text' : 'This has to be changed as text'}</h2>
      <p>
        {reason}
        {!isWhole && ' Undo takes your change back.'}
      </p>
      <p>
        <a class="button" href={link}>
          Open {line ? `line ${line}` : 'the file'} in Visual Studio Code
        </a>
      </p>
    </div>
  );
}
