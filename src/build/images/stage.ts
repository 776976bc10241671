/** What makes and checks images is given. */
import type { Configuration } from '../../contract/configuration.ts';
import type { SharedCache } from '../../media/shared-cache.ts';
import type { Listener } from '../progress.ts';

/** What the stage of the images needs. */
export type MediaStage = {
  readonly content: string;
  readonly configuration: Configuration;
  readonly cacheFolder: string;
  /** Opens the cache that machines share, when there is one. */
  readonly shared?: (() => Promise<SharedCache>) | undefined;
  /** Names of images that the output has. @default none */
  readonly published?: ReadonlySet<string>;
  readonly listener: Listener;
};
