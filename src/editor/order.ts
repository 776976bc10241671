/** Order of the entries of a list: by button, by Alt and an arrow key, and by drag. */
import { useState } from 'preact/hooks';
import type { Authored } from './api.ts';
import { useEditor } from './editing-context.ts';
import { useForm } from './form-context.ts';
import { entriesAt } from './snapshots.ts';

const BACK: ReadonlySet<string> = new Set(['ArrowUp', 'ArrowLeft']);
const ON: ReadonlySet<string> = new Set(['ArrowDown', 'ArrowRight']);

/** Ways to order a list. @param noun what an entry is called, as a sentence begins with it: "Photo". */
export function useOrder(list: string, noun: string) {
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
    add: (value: Authored) => arrange(list, (places) => [...places, value]),
    /** Of an entry: its keys. */
    keys: (index: number) => ({
      onKeyDown: (event: KeyboardEvent) => {
        if (!event.altKey || !(BACK.has(event.key) || ON.has(event.key))) return;
        event.preventDefault();
        move(index, index + (BACK.has(event.key) ? -1 : 1));
      },
    }),
    /** Of an entry: what takes another one that is dragged there. */
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
    /** Of an entry: what it is dragged by. */
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

export type Order = ReturnType<typeof useOrder>;
