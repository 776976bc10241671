/** What this session did to files, so that it can be undone: the last steps of each file. */

/** One thing that was done. `after`: the version that it left; empty when it left no file. */
type Step = {
  readonly after: string;
  /** The bytes before; undefined when there was no file. */
  readonly before: Buffer | undefined;
  /** Photos that went with it. */
  readonly photos: readonly { readonly path: string; readonly bytes: Buffer }[];
};

export type Journal = {
  readonly add: (path: string, step: Step) => void;
  /** The last step of a file. */
  readonly last: (path: string) => Step | undefined;
  /** Takes it out, once it was undone. */
  readonly drop: (path: string) => void;
};

/** Steps, and their bytes, that are kept. */
const MAX_STEPS = 500;
const MAX_BYTES = 64_000_000;

export function createJournal(): Journal {
  let steps: { readonly path: string; readonly step: Step }[] = [];
  const indexOf = (path: string) => steps.findLastIndex((one) => one.path === path);
  return {
    add(path, step) {
      steps.push({ path, step });
      let bytes = 0;
      const first = steps.findLastIndex((one) => {
        bytes += sizeOf(one.step);
        return bytes > MAX_BYTES;
      });
      steps = steps.slice(Math.max(first + 1, steps.length - MAX_STEPS));
    },
    last: (path) => steps[indexOf(path)]?.step,
    drop: (path) => {
      steps = steps.toSpliced(indexOf(path), 1);
    },
  };
}

function sizeOf({ before, photos }: Step): number {
  return (before?.length ?? 0) + photos.reduce((sum, { bytes }) => sum + bytes.length, 0);
}
