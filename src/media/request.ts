/** What a build asks of the media stage, and what it gets. */
import type { PhotoSettings, ThumbnailSettings } from '../contract/configuration.ts';
import { imageName, type Recipe } from './name.ts';
import type { MediaProblem } from './problem.ts';
import type { SharedCache } from './shared-cache.ts';

/** What is wanted of one source photo. */
export type MediaRequest = {
  /** Absolute path of the source. */
  readonly file: string;
  /** SHA-256 of the source's bytes, 64 lower-case hexadecimal digits. */
  readonly digest: string;
  /** Whether the published photo is wanted. */
  readonly photo: boolean;
  /** Whether the thumbnail is wanted. */
  readonly thumbnail: boolean;
};

/** Where and how images are made. */
export type MediaOptions = {
  /** Folder of the cache; created when something is to be kept. */
  readonly cacheFolder: string;
  readonly photo: PhotoSettings;
  readonly thumbnail: ThumbnailSettings;
  /**
   * Sources that are decoded or encoded at once, one image of each; fewer when they take much memory (`memory.ts`).
   *
   * @default twice the cores
   */
  readonly concurrency?: number;
  /**
   * Opens a cache that other machines fill and use, behind the one in the folder. Called when something is missing
   * there, and not before.
   *
   * @default none
   */
  readonly shared?: (() => Promise<SharedCache>) | undefined;
  /**
   * Names of images that are published, and so not copied from the folder: that it holds them whole is enough. The bytes
   * of all others are compared with their digest.
   *
   * @default none
   */
  readonly published?: ReadonlySet<string> | undefined;
  /** Called at the start and after each source: images dealt with so far, and all; cached ones count. */
  readonly onProgress?: (done: number, total: number) => void;
};

/** What became of one source. */
export type MediaOutcome = {
  /** SHA-256 of the source's bytes, as requested. */
  readonly digest: string;
  /** What is wrong with the source: the same whether its images are made now or were made before. */
  readonly problems: readonly MediaProblem[];
  /** Names of the wanted images that the cache holds. */
  readonly files: readonly string[];
};

/** What became of all sources. */
export type MediaResult = {
  /** Outcomes by source digest, in the order of the requests. */
  readonly outcomes: ReadonlyMap<string, MediaOutcome>;
  /** Number of images made. */
  readonly made: number;
  /** Number of wanted images that the cache held already. */
  readonly reused: number;
  /** Number of wanted images that came from the other cache: the shared one, or the local one when sharing. */
  readonly fetched: number;
  /** Number of damaged objects of the shared cache that were replaced. */
  readonly mended: number;
};

/** One image to be: its name and how it is made. */
export type WantedImage = { readonly name: string; readonly recipe: Recipe };

/** A source with everything that any request wants of it. */
export type WantedSource = {
  readonly file: string;
  readonly digest: string;
  readonly images: readonly WantedImage[];
};

/** Merges the requests of the same bytes, whatever their paths. */
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
