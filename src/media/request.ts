import type { PhotoSettings, ThumbnailSettings } from '../contract/configuration.ts';
import { imageName, type Recipe } from './name.ts';
import type { MediaProblem } from './photo-problem.ts';
import type { SharedCache } from './shared-cache.ts';

export type MediaRequest = {
  readonly file: string;
  /** SHA-256 of the source's bytes, 64 lower-case hexadecimal digits. */
  readonly digest: string;
  readonly photo: boolean;
  readonly thumbnail: boolean;
};

export type MediaOptions = {
  /** Folder of the cache; created with the first image. */
  readonly cacheFolder: string;
  readonly photo: PhotoSettings;
  readonly thumbnail: ThumbnailSettings;
  /**
   * Number of sources processed at once, one image of each; fewer when they need much memory (`memory.ts`).
   *
   * @default twice the cores
   */
  readonly concurrency?: number;
  /**
   * Opens the cache shared with other machines. Called on the first miss of the local cache.
   *
   * @default none
   */
  readonly shared?: (() => Promise<SharedCache>) | undefined;
  /**
   * Names of images that are already published, so that a complete cache entry suffices. Other entries are checked
   * against their digest.
   *
   * @default none
   */
  readonly published?: ReadonlySet<string> | undefined;
  /**
   * Called at the start and after each source, with the number of processed images and of all; cached ones count as
   * processed.
   */
  readonly onProgress?: (done: number, total: number) => void;
};

export type MediaOutcome = {
  readonly digest: string;
  /** Problems of the source, the same for new and for cached images. */
  readonly problems: readonly MediaProblem[];
  /** Names of the wanted images that are now in the cache. */
  readonly files: readonly string[];
};

export type MediaResult = {
  /** Outcomes by source digest, in the order of the requests. */
  readonly outcomes: ReadonlyMap<string, MediaOutcome>;
  readonly made: number;
  readonly reused: number;
  /**
   * Number of wanted images copied from the other cache: the shared one, or the local one when filling the shared one.
   */
  readonly fetched: number;
  /** Number of damaged objects replaced in the shared cache. */
  readonly mended: number;
};

export type WantedImage = { readonly name: string; readonly recipe: Recipe };

export type WantedSource = {
  readonly file: string;
  readonly digest: string;
  readonly images: readonly WantedImage[];
};

/** Merges the requests of files with the same bytes. */
export function mergeRequests(requests: readonly MediaRequest[], options: MediaOptions): WantedSource[] {
  const recipes: readonly Recipe[] = [
    { kind: 'photo', settings: options.photo },
    { kind: 'thumbnail', settings: options.thumbnail },
  ];
  const merged = new Map<string, MediaRequest>();
  for (const request of requests) {
    const { file, photo, thumbnail } = merged.get(request.digest) ?? request;
    merged.set(request.digest, {
      file,
      digest: request.digest,
      photo: photo || request.photo,
      thumbnail: thumbnail || request.thumbnail,
    });
  }
  return [...merged.values()].map((request) => ({
    file: request.file,
    digest: request.digest,
    images: recipes
      .filter(({ kind }) => request[kind])
      .map((recipe) => ({ name: imageName(request.digest, recipe), recipe })),
  }));
}
