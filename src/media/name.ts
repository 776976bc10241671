/**
 * Names of published images. They come from the source's bytes and from what is made of them, never from the encoded
 * bytes, which differ between platforms (`docs/decisions.md`, Photos). Pure and cheap: a build names every photo without
 * loading the image library.
 */
import { createHash } from 'node:crypto';
import type { PhotoSettings, ThumbnailSettings } from '../contract/configuration.ts';

/** What is made of a source. */
export type Recipe =
  | { readonly kind: 'photo'; readonly settings: PhotoSettings }
  | { readonly kind: 'thumbnail'; readonly settings: ThumbnailSettings };

/**
 * Version of the recipes. Published images are immutable, so whatever changes their look without changing a setting
 * (an encoder option, the cropping) needs a new number, and thereby new names.
 */
const RECIPE_VERSION = 1;

const EXTENSIONS = { jpeg: 'jpg', webp: 'webp', avif: 'avif' } as const;

/** Name of a published or cached image: 32 hexadecimal digits and an extension. */
export const IMAGE_NAME = /^[0-9a-f]{32}\.(?:jpg|webp|avif)$/;

/** The recipe in one unambiguous line of text. */
function recipeText({ kind, settings }: Recipe): string {
  const { format, quality } = settings;
  const size =
    kind === 'photo'
      ? `max_width=${settings.max_width}`
      : `width=${settings.width} height=${settings.height} fit=${settings.fit}`;
  return `${kind} version=${RECIPE_VERSION} ${size} format=${format} quality=${quality}`;
}

/**
 * Name of the image that a recipe makes of a source: SHA-256 of the source's digest and the recipe, cut to 128 bits.
 *
 * @param sourceDigest SHA-256 of the source's bytes, 64 lower-case hexadecimal digits
 * @example imageName(digest, { kind: 'photo', settings }) // '0f3c…9a.jpg'
 */
export function imageName(sourceDigest: string, recipe: Recipe): string {
  const digest = createHash('sha256')
    .update(`${sourceDigest}\n${recipeText(recipe)}`)
    .digest('hex');
  return `${digest.slice(0, 32)}.${EXTENSIONS[recipe.settings.format]}`;
}

/** Name of the published photo of a source. */
export const photoName = (sourceDigest: string, settings: PhotoSettings): string =>
  imageName(sourceDigest, { kind: 'photo', settings });

/** Name of the thumbnail of a source. */
export const thumbnailName = (sourceDigest: string, settings: ThumbnailSettings): string =>
  imageName(sourceDigest, { kind: 'thumbnail', settings });
