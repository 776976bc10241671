import type { Configuration } from '../../contract/configuration.ts';
import type { SharedCache } from '../../media/shared-cache.ts';
import type { Listener } from '../progress.ts';

export type MediaStage = {
  readonly content: string;
  readonly configuration: Configuration;
  readonly cacheFolder: string;
  readonly shared?: (() => Promise<SharedCache>) | undefined;
  /** Images that the output already has. @default none */
  readonly published?: ReadonlySet<string>;
  readonly listener: Listener;
};
