/** One line of a terminal that is written again and again, such as how far a command is. */

/** Milliseconds between two counts. */
const REDRAW = 80;

/** A line that can be redrawn. */
export type LiveLine = {
  /** Shows a text. */
  readonly draw: (text: string) => void;
  /** Shows a count, but not the next one that follows at once. */
  readonly count: (text: string) => void;
  /** Takes the line away, so that other text can follow. */
  readonly clear: () => void;
};

/** @param isLive whether `write` goes to a terminal that can redraw a line; nothing is shown elsewhere. */
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
