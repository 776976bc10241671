/** Another tool that does a part of the same work. */
import type { Command } from '../child.ts';

/** How to have a peer do the work. Its folder lies beside the content folder: `../content`. */
export type Peer = {
  readonly name: string;
  /** npm packages, with the range of versions; the first one's version is shown. */
  readonly packages: readonly string[];
  /** What it is compared with. */
  readonly against: 'build' | 'check';
  /** What it leaves out of the work it is compared for. */
  readonly cannot: string;
  /** Writes its configuration into its folder, and what else may be done before the clock runs. */
  readonly prepare: (folder: string, content: string) => void;
  readonly command: (folder: string) => Command;
  /** Names in its folder that a run makes: removed before each, so that every run is cold. */
  readonly makes: readonly string[];
  /** The name among those whose files are details and pages. */
  readonly output: string | undefined;
};
