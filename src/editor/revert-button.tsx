import { useState } from 'preact/hooks';
import { Button } from '../explorer/button.tsx';
import { Dialog } from '../explorer/dialog.tsx';
import type { ChangedFile, RevertResponse } from './changes.ts';
import { errorMessage } from './client.ts';
import { useEditor } from './editing-context.ts';
import { toRequestFailure } from './editing-state.ts';

type TakeBackProps = {
  readonly file: Pick<ChangedFile, 'path' | 'version' | 'kind' | 'title'>;
  readonly photos?: readonly ChangedFile[];
  /** Names of the fields to restore. @default the whole file */
  readonly fields?: readonly string[];
  readonly label?: string;
  /** Text that the field gets back, shown before the user confirms; undefined if there is none to show. */
  readonly before?: string | undefined;
  readonly reload: () => void;
};

export function RevertButton({ file, photos = [], fields, label, before, reload }: TakeBackProps) {
  const { client, catalogue, announce, offerRestore, withdrawRestore, refresh } = useEditor();
  const [isAsked, setAsked] = useState(false);
  const [problem, setProblem] = useState('');
  const { path, version, kind, title } = file;
  const isRemoved = kind === 'removed';
  const wordsFor = ({ fields }: RevertResponse) => {
    const labels = fields?.map(
      (name) => catalogue.fields.find((field) => field.name === name)?.label ?? name,
    );
    return labels ? `${labels.join(' and ')} of ${title}` : title;
  };
  const take = async () => {
    try {
      if (isRemoved) {
        await restore(client, file, photos);
        withdrawRestore(path);
      } else {
        const taken = await client.revert({ path, version, ...(fields && { fields }) });
        offerRestore({ path, title, ...(kind !== 'added' && { reverted: wordsFor(taken) }) });
      }
      setAsked(false);
      setProblem('');
      announce(isRemoved ? `${title} is back.` : `${label ?? title} is as in the last record.`);
      refresh();
    } catch (error) {
      setProblem(errorMessage(error));
    }
    reload();
  };
  const what = label === undefined ? title : `${label} of ${title}`;
  return (
    <>
      <Button
        look="small take-back"
        aria-label={isRemoved ? `Undo the removal of ${title}` : `Take back ${what}`}
        onClick={() => (isRemoved ? void take() : setAsked(true))}
      >
        {isRemoved ? 'Undo' : 'Take back'}
      </Button>
      {problem && (
        <span class="problem" role="alert">
          {problem}
        </span>
      )}
      {isAsked && (
        <Dialog label={`Take back ${what}`} className="dialog" close={() => setAsked(false)}>
          <h2>Take back {what}?</h2>
          <p>
            {kind === 'added'
              ? 'It is not recorded yet: it is removed.'
              : before !== undefined
                ? `It becomes “${before}” again.`
                : 'The last record of it comes back, in place of what is saved now.'}{' '}
            Undo is offered then, until this page is reloaded.
          </p>
          <p class="dialog-actions flow">
            <Button look="danger filled" onClick={take}>
              Take it back
            </Button>
            <Button onClick={() => setAsked(false)}>Cancel</Button>
          </p>
        </Dialog>
      )}
    </>
  );
}

async function restore(
  client: ReturnType<typeof useEditor>['client'],
  { path }: TakeBackProps['file'],
  photos: readonly ChangedFile[],
): Promise<void> {
  try {
    await client.restore({ path });
  } catch (error) {
    if (toRequestFailure(error).code !== 'not-found') throw error;
    for (const photo of photos)
      if (photo.kind === 'removed') await client.revert({ path: photo.path, version: '' });
    await client.revert({ path, version: '' });
  }
}
