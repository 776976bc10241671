import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { ConflictedValues, PropertyResponse } from './api.ts';
import { errorMessage } from './client.ts';
import { VersionChoicePanel } from './conflict-panel.tsx';
import { useEditor } from './editing-context.ts';
import type { PropertyState } from './property-state.ts';
import { changedFields } from './undo-history.ts';
import { compareVersions, mergedValues } from './version-comparison.ts';

type UnfinishedMergeProps = {
  readonly file: PropertyResponse;
  readonly versions: ConflictedValues;
  readonly reread: PropertyState['reread'];
  /** Whether something in the form is not saved. */
  readonly isTyped: boolean;
  readonly children: ComponentChildren;
};

export function UnfinishedMergePanel({ file, versions, reread, isTyped, children }: UnfinishedMergeProps) {
  const { client, announce } = useEditor();
  const [problem, setProblem] = useState('');
  const { base, yours, theirs, kind } = versions;
  const comparison = compareVersions(base, yours, theirs);
  const save = async (keepsYours: (field: string) => boolean) => {
    const fields = changedFields(yours, mergedValues(theirs, comparison, keepsYours));
    setProblem('');
    let isSaved = true;
    try {
      await client.save({ path: file.path, version: file.version, fields, isMerging: true });
      announce('Saved.');
    } catch (error) {
      setProblem(errorMessage(error));
      isSaved = false;
    }
    // Reads the file instead of using the response, so that text typed meanwhile is compared with the file.
    await reread();
    return isSaved;
  };
  const [first, second] = versionLabelsFor(versions);
  const who =
    kind === 'stash' ? 'The same details were changed twice' : 'Two people changed the same details';
  return (
    <>
      <VersionChoicePanel
        title={kind === 'stash' ? 'This property has two versions' : 'A merge was not finished'}
        lead={`${who}, and this file holds both versions. Choose what to keep; the file stays as it is until you press "Save these". Then the form opens, where anything can be written differently.${isTyped ? ' What you typed and did not save is kept, and comes after this.' : ''}`}
        path={file.path}
        comparison={comparison}
        words={{ yours: first, theirs: second }}
        done="Save these"
        resolve={save}
      >
        {children}
      </VersionChoicePanel>
      {problem && (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
    </>
  );
}

type Words = { readonly name: string; readonly only: string };

const YOURS: Words = { name: 'Yours', only: 'by you, and kept' };
const COLLEAGUES: Words = { name: "Your colleagues'", only: 'by your colleagues, and kept' };

/** Names of both versions by kind of Git operation. In a rebase, the second version is the user's own. */
const WORDS: Readonly<Partial<Record<string, readonly [Words, Words]>>> = {
  merge: [YOURS, COLLEAGUES],
  rebase: [COLLEAGUES, YOURS],
  'cherry-pick': [YOURS, { name: 'The copied record', only: 'in the copied record, and kept' }],
  revert: [YOURS, { name: 'Before the undone record', only: 'before the undone record, and kept' }],
  stash: [
    { name: 'What was there', only: 'in what was there, and kept' },
    { name: 'What you had put aside', only: 'in what you had put aside, and kept' },
  ],
};

export function versionLabelsFor({
  kind,
  names,
}: Pick<ConflictedValues, 'kind' | 'names'>): readonly [Words, Words] {
  const [first, second] = names.map((name) =>
    /^(?:HEAD|)$|\b[0-9a-f]{7,64}\b/.test(name) ? '' : `, ${name}`,
  ) as [string, string];
  return (
    WORDS[kind ?? ''] ?? [
      { name: `First version${first}`, only: 'in the first version, and kept' },
      { name: `Second version${second}`, only: 'in the second version, and kept' },
    ]
  );
}
