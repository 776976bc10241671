import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { ConflictedValues, PropertyResponse } from './api.ts';
import { errorMessage } from './client.ts';
import { ChoicesPanel } from './conflict-panel.tsx';
import { useEditor } from './editing-context.ts';
import { compareVersions, mergedValues } from './merge.ts';
import type { PropertyState } from './property-state.ts';
import { changedFields } from './snapshots.ts';

type UnfinishedMergeProps = {
  readonly file: PropertyResponse;
  readonly versions: ConflictedValues;
  readonly reread: PropertyState['reread'];
  readonly children: ComponentChildren;
};

export function UnfinishedMerge({ file, versions, reread, children }: UnfinishedMergeProps) {
  const { client, announce } = useEditor();
  const [problem, setProblem] = useState('');
  const { base, yours, theirs, names } = versions;
  const comparison = compareVersions(base, yours, theirs);
  const save = async (keepsYours: (field: string) => boolean) => {
    const fields = changedFields(yours, mergedValues(theirs, comparison, keepsYours));
    try {
      await client.save({ path: file.path, version: file.version, fields, isMerging: true });
      announce('Saved.');
    } catch (error) {
      setProblem(errorMessage(error));
    }
    // Reads the file instead of using the response, so that text typed meanwhile is compared with it.
    await reread();
  };
  const [first, second] = names.map((name) => (['', 'HEAD'].includes(name) ? '' : `, ${name}`));
  return (
    <>
      <ChoicesPanel
        key={file.version}
        title="A merge was not finished"
        lead="Two people changed the same details, and this file holds both versions. Choose what to keep: nothing is written before."
        comparison={comparison}
        words={{
          yours: { name: `First version${first}`, only: 'in the first version, and kept' },
          theirs: { name: `Second version${second}`, only: 'in the second version, and kept' },
        }}
        done="Save these"
        resolve={(keepsYours) => void save(keepsYours)}
      >
        {children}
      </ChoicesPanel>
      {problem && (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
    </>
  );
}
