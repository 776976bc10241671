/** The field for a property's photos: dropped, chosen or pasted, with captions, in display order. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { useStore } from '../explorer/store.ts';
import { plural } from '../words.ts';
import type { FieldInfo } from './catalogue-info.ts';
import { fieldInfo, useEditor } from './editing-context.ts';
import { Entries, EntryButtons, type Order, useOrder } from './entries.tsx';
import { FieldFrame, TextInput } from './field.tsx';
import { useForm } from './form-context.ts';
import { PhotoIcon, PlusIcon } from './icons.tsx';
import { photoRefusal } from './photo-files.ts';
import { usePhotos } from './photos.ts';
import { textAt } from './values.ts';

export function PhotosField({ info }: { info: FieldInfo }) {
  const order = useOrder(info.name, info.label);
  const { add, waiting, problems } = useIntake(order);
  return (
    <FieldFrame path={[info.name]} className="wide">
      <Entries list={info.name} order={order} look="photo-cards" entryLook="photo-card box stack">
        {(index) => <PhotoCard list={info.name} index={index} order={order} />}
      </Entries>
      <DropZone add={add} waiting={waiting} />
      <ul class="findings stack" role="alert">
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

/** Adds photos one after the other, including images pasted anywhere in the page. */
function useIntake(order: Order) {
  const { catalogue, announce } = useEditor();
  const { take } = usePhotos();
  const [problems, setProblems] = useState<readonly string[]>([]);
  const [waiting, setWaiting] = useState(0);
  const add = async (files: readonly File[]) => {
    const found: string[] = [];
    setWaiting((before) => before + files.length);
    for (const file of files) {
      const refusal = photoRefusal(file, catalogue.photos);
      const taken = refusal === undefined ? await take(file) : { problem: refusal };
      if ('problem' in taken) found.push(taken.problem);
      else order.add({ file: taken.file });
      setWaiting((before) => before - 1);
    }
    setProblems(found);
    const added = files.length - found.length;
    if (added > 0) announce(`${plural(added, 'photo')} added.`);
  };
  const latest = useRef(add);
  latest.current = add;
  useEffect(() => {
    const onPaste = ({ clipboardData }: ClipboardEvent) => {
      const files = [...(clipboardData?.files ?? [])];
      if (files.length > 0 && !clipboardData?.getData('text/plain')) void latest.current(files);
    };
    document.addEventListener('paste', onPaste);
    return () => document.removeEventListener('paste', onPaste);
  }, []);
  return { add, waiting, problems };
}

type DropZoneProps = { readonly add: (files: readonly File[]) => Promise<void>; readonly waiting: number };

/** Area to drop files on, and button to choose them. */
function DropZone({ add, waiting }: DropZoneProps) {
  const [isOver, setOver] = useState(false);
  const picker = useRef<HTMLInputElement>(null);
  return (
    <>
      <button
        type="button"
        class={`drop-zone${isOver ? ' over' : ''}`}
        onClick={() => picker.current?.click()}
        onDragOver={(event) => {
          if (!event.dataTransfer?.types.includes('Files')) return;
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={(event) => {
          event.preventDefault();
          setOver(false);
          void add([...(event.dataTransfer?.files ?? [])]);
        }}
      >
        <PlusIcon />
        <strong>{waiting > 0 ? `Adding ${plural(waiting, 'photo')} …` : 'Add photos'}</strong>
        <span class="quiet">Choose files, drop them here, or paste a picture.</span>
      </button>
      <input
        ref={picker}
        type="file"
        class="unseen"
        tabIndex={-1}
        aria-label="Photos to add"
        multiple
        accept="image/*"
        onChange={(event) => {
          void add([...(event.currentTarget.files ?? [])]);
          event.currentTarget.value = '';
        }}
      />
    </>
  );
}

type PhotoCardProps = { readonly list: string; readonly index: number; readonly order: Order };

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
      </FieldFrame>
    </>
  );
}
