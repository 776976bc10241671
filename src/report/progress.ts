/** Shows how far a build is: one live line on a terminal, plain lines elsewhere. */
import type { Listener, Stage } from '../build/progress.ts';
import { bytes, plural } from '../words.ts';

const NAMES: Readonly<Record<Stage, string>> = {
  scan: 'Looking for files',
  read: 'Reading properties',
  media: 'Making images',
  plan: 'Planning',
  emit: 'Writing files',
  finish: 'Writing the manifest',
};

/** Milliseconds between two redraws of the live line. */
const REDRAW = 80;

/** A listener, and what ends the live line. */
export type ProgressLine = { readonly listener: Listener; readonly end: () => void };

/** @param live whether `write` goes to a terminal that can redraw a line. */
export function createProgress(write: (text: string) => void, live: boolean): ProgressLine {
  let drawn = 0;
  let shown = false;
  const clear = () => {
    if (shown) write('\r\u001b[K');
    shown = false;
  };
  const draw = (text: string) => {
    write(`\r\u001b[K${text}`);
    shown = true;
    drawn = performance.now();
  };
  return {
    listener(event) {
      if (event.kind === 'stage') {
        if (live) draw(NAMES[event.stage]);
        else if (event.stage !== 'scan' && event.stage !== 'plan') write(`${NAMES[event.stage]}\n`);
      } else if (event.kind === 'plan') {
        clear();
        const scope = event.writes === 'all' ? '' : '; only what changed is written';
        write(`Planned ${plural(event.files, 'file')}, ${bytes(event.bytes)} of lists${scope}\n`);
      } else if (live && performance.now() - drawn > REDRAW) {
        draw(`${NAMES[event.stage]}  ${event.done} of ${event.total}`);
      }
    },
    end: clear,
  };
}
