/**
 * Names of published images. They depend on the source's bytes and the recipe, not on the encoded bytes, which differ
 * between platforms (`docs/decisions.md`, Photos). So a build names every photo without loading the image library.
 */
import { createHash } from 'node:crypto';
import type { PhotoSettings, ThumbnailSettings } from '../contract/configuration.ts';

export type Recipe =
  | { readonly kind: 'photo'; readonly settings: PhotoSettings }
  | { readonly kind: 'thumbnail'; readonly settings: ThumbnailSettings };

/**
 * Version of the recipes. Published images are immutable, so a change of their look without a change of settings (an
 * encoder option, the cropping) needs a new version, and thereby new names.
 */
const RECIPE_VERSION = 1;

const EXTENSIONS = { jpeg: 'jpg', webp: 'webp', avif: 'avif' } as const;

/** Name of a published or cached image: 32 hexadecimal digits and an extension. */
export const IMAGE_NAME = /^[0-9a-f]{32}\.(?:jpg|webp|avif)$/;

function recipeText({ kind, settings }: Recipe): string {
  const { format, quality } = settings;
  const size =
    kind === 'photo'
      ? `max_width=${settings.max_width}`
      : `width=${settings.width} height=${settings.height} fit=${settings.fit}`;
  return `${kind} version=${RECIPE_VERSION} ${size} format=${format} quality=${quality}`;
}

/**
 * Names the image of a source and a recipe: SHA-256 of the source's digest and the recipe, truncated to 128 bits.
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

export const photoName = (sourceDigest: string, settings: PhotoSettings): string =>
  imageName(sourceDigest, { kind: 'photo', settings });

export const thumbnailName = (sourceDigest: string, settings: ThumbnailSettings): string =>
  imageName(sourceDigest, { kind: 'thumbnail', settings });
