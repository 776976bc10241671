/** Minimum milliseconds between two redraws of a count. */
const REDRAW = 80;

export type LiveLine = {
  readonly draw: (text: string) => void;
  /** Like `draw`, but does nothing if the line was drawn less than {@link REDRAW} milliseconds ago. */
  readonly count: (text: string) => void;
  readonly clear: () => void;
};

/** `isLive`: whether `write` goes to a terminal that can redraw a line. If not, nothing is shown. */
export function createLiveLine(write: (text: string) => void, isLive: boolean): LiveLine {
  let drawn = Number.NEGATIVE_INFINITY;
  let isShown = false;
  const draw = (text: string) => {
    if (!isLive) return;
    write(`\r\u001b[K${text}`);
    isShown = true;
    drawn = performance.now();
  };
  return {
    draw,
    count: (text) => {
      if (performance.now() - drawn > REDRAW) draw(text);
    },
    clear: () => {
      if (isShown) write('\r\u001b[K');
      isShown = false;
    },
  };
}
