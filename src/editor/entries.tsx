/** Entries of a list are reordered with buttons, with Alt and an arrow key, or by dragging. */
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { IconButton } from '../explorer/button.tsx';
import type { AuthoredValue } from './api.ts';
import { useEditor } from './editing-context.ts';
import { useForm } from './form-context.ts';
import { BinIcon, DownIcon, UpIcon } from './icons.tsx';
import { entriesAt } from './undo-history.ts';

const BACK_KEYS: ReadonlySet<string> = new Set(['ArrowUp', 'ArrowLeft']);
const FORWARD_KEYS: ReadonlySet<string> = new Set(['ArrowDown', 'ArrowRight']);

/** @param noun what an entry is called in announcements, capitalised: "Photo" */
export function useListEntries(list: string, noun: string) {
  const { values, arrange } = useForm();
  const { announce } = useEditor();
  const [dragged, setDragged] = useState<number>();
  const [over, setOver] = useState<number>();
  const count = entriesAt(values, list).length;
  const move = (from: number, to: number) => {
    if (from === to || to < 0 || to >= count) return;
    arrange(list, (places) => places.toSpliced(from, 1).toSpliced(to, 0, from));
    announce(`${noun} is now number ${to + 1} of ${count}.`);
  };
  return {
    count,
    move,
    remove: (index: number) => {
      arrange(list, (places) => places.toSpliced(index, 1));
      announce(`${noun} removed.`);
    },
    add: (...added: readonly AuthoredValue[]) => arrange(list, (places) => [...places, ...added]),
    keys: (index: number) => ({
      onKeyDown: (event: KeyboardEvent) => {
        if (!event.altKey || !(BACK_KEYS.has(event.key) || FORWARD_KEYS.has(event.key))) return;
        event.preventDefault();
        move(index, index + (BACK_KEYS.has(event.key) ? -1 : 1));
      },
    }),
    target: (index: number) => ({
      'data-over': over === index && dragged !== undefined && dragged !== index,
      onDragOver: (event: DragEvent) => {
        if (dragged === undefined) return;
        event.preventDefault();
        setOver(index);
      },
      onDrop: (event: DragEvent) => {
        if (dragged === undefined) return;
        event.preventDefault();
        event.stopPropagation();
        move(dragged, index);
        setDragged(undefined);
        setOver(undefined);
      },
    }),
    handle: (index: number) => ({
      draggable: true,
      onDragStart: (event: DragEvent) => {
        event.dataTransfer?.setData('text/plain', String(index + 1));
        setDragged(index);
      },
      onDragEnd: () => {
        setDragged(undefined);
        setOver(undefined);
      },
    }),
  };
}

export type Reordering = ReturnType<typeof useListEntries>;

type EntriesProps = {
  readonly list: string;
  readonly order: Reordering;
  readonly look: string;
  readonly entryLook?: string;
  readonly label?: string;
  readonly children: (index: number) => ComponentChildren;
};

export function Entries({ list, order, look, entryLook, label, children }: EntriesProps) {
  return (
    <ol class={look} aria-label={label}>
      {useForm()
        .keysOf(list)
        .map((key, index) => (
          <li key={key} class={entryLook} {...order.target(index)} {...order.keys(index)}>
            {children(index)}
          </li>
        ))}
    </ol>
  );
}

export function EntryButtons({ order, index, name }: { order: Reordering; index: number; name: string }) {
  const [isFirst, isLast] = [index === 0, index === order.count - 1];
  return (
    <span class="entry-buttons">
      <IconButton
        icon={UpIcon}
        label={`Move ${name} up`}
        title="Move up (Alt+↑)"
        act={isFirst ? undefined : () => order.move(index, index - 1)}
      />
      <IconButton
        icon={DownIcon}
        label={`Move ${name} down`}
        title="Move down (Alt+↓)"
        act={isLast ? undefined : () => order.move(index, index + 1)}
      />
      <IconButton icon={BinIcon} label={`Remove ${name}`} title="Remove" act={() => order.remove(index)} />
    </span>
  );
}
