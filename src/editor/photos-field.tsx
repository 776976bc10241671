import { useEffect, useRef, useState } from 'preact/hooks';
import { useStore } from '../explorer/value-store.ts';
import { countText } from '../text/amounts.ts';
import type { FieldInfo } from './catalogue-info.ts';
import { FailedRequest } from './client.ts';
import { fieldInfo, useEditor } from './editing-context.ts';
import { Entries, EntryButtons, type Reordering, useListEntries } from './entries.tsx';
import { FieldFrame, TextInput } from './field.tsx';
import { useForm } from './form-context.ts';
import { usePhotos } from './form-photos.ts';
import { textAt } from './form-values.ts';
import { PhotoIcon, PlusIcon } from './icons.tsx';
import { photoRefusal } from './photo-files.ts';

export function PhotosField({ info }: { info: FieldInfo }) {
  const order = useListEntries(info.name, info.label);
  const { add, problems } = useIntake(order);
  return (
    <FieldFrame path={[info.name]} className="wide">
      <Entries list={info.name} order={order} look="photo-cards" entryLook="photo-card box stack">
        {(index) => <PhotoCard list={info.name} index={index} order={order} />}
      </Entries>
      <DropZone add={add} />
      <ul class="findings stack">
        {problems.map((problem) => (
          <li key={problem} class="error">
            <PhotoIcon />
            <span>{problem}</span>
          </li>
        ))}
      </ul>
    </FieldFrame>
  );
}

function useIntake(order: Reordering) {
  const { catalogue, announce } = useEditor();
  const { take } = usePhotos();
  const { setFailure } = useForm();
  const [problems, setProblems] = useState<readonly string[]>([]);
  const add = (files: readonly File[]) => {
    const found = files.map((file) => photoRefusal(file, catalogue.photos));
    const taken = files.filter((_, index) => found[index] === undefined);
    if (taken.length > 0) order.add(...taken.map((file) => ({ file: take(file) })));
    const refused = found.filter((problem) => problem !== undefined);
    setProblems(refused);
    if (refused[0]) setFailure(new FailedRequest({ code: 'bad-photo', message: refused[0] }));
    if (taken.length > 0) announce(`${countText(taken.length, 'photo')} added.`);
  };
  const latest = useRef(add);
  latest.current = add;
  useEffect(() => {
    const onPaste = ({ clipboardData }: ClipboardEvent) => {
      const files = [...(clipboardData?.files ?? [])];
      if (files.length > 0 && !clipboardData?.getData('text/plain')) latest.current(files);
    };
    const onDrop = ({ dataTransfer }: DragEvent) => {
      if (dataTransfer && dataTransfer.files.length > 0) latest.current([...dataTransfer.files]);
    };
    document.addEventListener('paste', onPaste);
    document.addEventListener('drop', onDrop);
    return () => {
      document.removeEventListener('paste', onPaste);
      document.removeEventListener('drop', onDrop);
    };
  }, []);
  return { add, problems };
}

type DropZoneProps = { readonly add: (files: readonly File[]) => void };

function DropZone({ add }: DropZoneProps) {
  const [isOver, setOver] = useState(false);
  const picker = useRef<HTMLInputElement>(null);
  return (
    <>
      <button
        type="button"
        class={`drop-zone${isOver ? ' over' : ''}`}
        onClick={() => picker.current?.click()}
        onDragOver={({ dataTransfer }) => setOver(dataTransfer?.types.includes('Files') ?? false)}
        onDragLeave={() => setOver(false)}
        onDrop={() => setOver(false)}
      >
        <PlusIcon />
        <strong>Add photos</strong>
        <span class="quiet">Choose files, drop them here, or paste a picture.</span>
      </button>
      <input
        ref={picker}
        type="file"
        class="unseen"
        tabIndex={-1}
        aria-label="Photos to add"
        multiple
        accept="image/*,.heic,.heif"
        onChange={(event) => {
          add([...(event.currentTarget.files ?? [])]);
          event.currentTarget.value = '';
        }}
      />
    </>
  );
}

type PhotoCardProps = { readonly list: string; readonly index: number; readonly order: Reordering };

function PhotoCard({ list, index, order }: PhotoCardProps) {
  const { values } = useForm();
  const { catalogue } = useEditor();
  const { urlOf, store } = usePhotos();
  useStore(store);
  const [file, link] = [textAt(values, [list, index, 'file']), textAt(values, [list, index, 'url'])];
  const url = link || urlOf(file);
  const description = fieldInfo(catalogue, 'description', list);
  return (
    <>
      <div class="photo-picture" {...order.handle(index)}>
        {url ? <img class="picture" src={url} alt="" draggable={false} /> : <PhotoIcon />}
        <span class="pill">{index === 0 ? 'First photo' : index + 1}</span>
      </div>
      <TextInput
        path={[list, index, 'description']}
        info={{ ...description, label: `Caption of photo ${index + 1}`, help: '', kind: 'lines' }}
      />
      <FieldFrame path={[list, index]} className="photo-foot">
        <span class="quiet photo-name cut">{link || file.split('/').at(-1)}</span>
        <EntryButtons order={order} index={index} name={`photo ${index + 1}`} />
        <FieldFrame path={[list, index, link ? 'url' : 'file']}>{null}</FieldFrame>
      </FieldFrame>
    </>
  );
}
