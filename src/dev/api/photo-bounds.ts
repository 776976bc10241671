/** What a photo that a page brings may be. The build bounds its pixels. */
import type { BodyBounds } from './body.ts';

export const UPLOAD_BOUNDS: BodyBounds = { bytes: 1 << 26, time: 120_000 };

/** Media types of the formats that a build takes. */
export const PHOTO_TYPES: readonly string[] = ['jpeg', 'png', 'webp', 'avif', 'gif', 'tiff'].map(
  (format) => `image/${format}`,
);
