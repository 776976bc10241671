import type { Listener, Stage } from '../compile/progress.ts';
import { bytesText, countText } from '../text/amounts.ts';
import { createLiveLine } from './live-line.ts';

const NAMES: Readonly<Record<Stage, string>> = {
  scan: 'Looking for files',
  read: 'Reading properties',
  media: 'Making images',
  plan: 'Planning',
  emit: 'Writing files',
  finish: 'Writing the release',
};

export type ProgressLine = { readonly listener: Listener; readonly end: () => void };

/** `isLive`: whether `write` goes to a terminal that can redraw a line. If not, stages are written as lines. */
export function createProgress(write: (text: string) => void, isLive: boolean): ProgressLine {
  const line = createLiveLine(write, isLive);
  return {
    listener(event) {
      if (event.kind === 'stage') {
        line.draw(NAMES[event.stage]);
        if (!isLive && event.stage !== 'scan' && event.stage !== 'plan') write(`${NAMES[event.stage]}\n`);
      } else if (event.kind === 'plan') {
        line.clear();
        const scope = event.writes === 'all' ? '' : '; only what changed is written';
        write(`Planned ${countText(event.files, 'file')}, ${bytesText(event.bytes)} of lists${scope}\n`);
      } else line.count(`${NAMES[event.stage]}  ${event.done} of ${event.total}`);
    },
    end: line.clear,
  };
}
