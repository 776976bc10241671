import type { PhotoSettings, ThumbnailSettings } from '../contract/configuration.ts';
import { type ImageRecipe, imageName } from './image-name.ts';
import type { MediaProblem } from './photo-problem.ts';
import type { SharedCache } from './shared-cache.ts';

export type MediaRequest = {
  readonly file: string;
  /** SHA-256 of the source's bytes: 64 lower-case hexadecimal digits. */
  readonly digest: string;
  readonly photo: boolean;
  readonly thumbnail: boolean;
};

export type MediaOptions = {
  /** Created when the first image is stored. */
  readonly cacheFolder: string;
  readonly photo: PhotoSettings;
  readonly thumbnail: ThumbnailSettings;
  /** Maximum number of sources processed at once; fewer if they need much memory. @default twice the cores */
  readonly concurrency?: number;
  /** Opens the cache shared with other machines, on the first miss of the local one. @default none */
  readonly shared?: (() => Promise<SharedCache>) | undefined;
  /**
   * Names of images that the output already has: their cache entries are not read in full. All other entries are
   * checked by digest. @default none
   */
  readonly existing?: ReadonlySet<string> | undefined;
  /**
   * Called at the start, when images that need no work already count as done, and after each source that needed work.
   * Both numbers count images.
   */
  readonly onProgress?: (done: number, total: number) => void;
};

export type MediaOutcome = {
  readonly digest: string;
  readonly problems: readonly MediaProblem[];
  readonly files: readonly string[];
};

export type MediaResult = {
  /** By source digest, in the order of the requests. */
  readonly outcomes: ReadonlyMap<string, MediaOutcome>;
  readonly made: number;
  readonly reused: number;
  /** Number of images copied from the shared cache; when filling the shared cache, from the local one. */
  readonly fetched: number;
  readonly repaired: number;
};

export type WantedImage = { readonly name: string; readonly recipe: ImageRecipe };

export type WantedSource = {
  readonly file: string;
  readonly digest: string;
  readonly images: readonly WantedImage[];
};

/** Files with the same bytes become one source. */
export function mergeRequests(requests: readonly MediaRequest[], options: MediaOptions): WantedSource[] {
  const recipes: readonly ImageRecipe[] = [
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
