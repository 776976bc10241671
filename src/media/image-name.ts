/**
 * Names of images depend on source and recipe, not on the encoded bytes, which differ by platform (`docs/decisions.md`,
 * Photos).
 */
import { createHash } from 'node:crypto';
import type { PhotoSettings, ThumbnailSettings } from '../contract/configuration.ts';

export type ImageRecipe =
  | { readonly kind: 'photo'; readonly settings: PhotoSettings }
  | { readonly kind: 'thumbnail'; readonly settings: ThumbnailSettings };

/**
 * Published images are immutable: increase the version whenever the same settings give another image, such as another
 * crop.
 */
const RECIPE_VERSION = 1;

const EXTENSIONS = { jpeg: 'jpg', webp: 'webp', avif: 'avif' } as const;

export const IMAGE_NAME = /^[0-9a-f]{32}\.(?:jpg|webp|avif)$/;

function recipeText({ kind, settings }: ImageRecipe): string {
  const { format, quality } = settings;
  const size =
    kind === 'photo'
      ? `max_width=${settings.max_width}`
      : `width=${settings.width} height=${settings.height} fit=${settings.fit}`;
  return `${kind} version=${RECIPE_VERSION} ${size} format=${format} quality=${quality}`;
}

/** SHA-256 of the source's digest (64 lower-case hexadecimal digits) and the recipe, truncated to 128 bits. */
export function imageName(sourceDigest: string, recipe: ImageRecipe): string {
  const digest = createHash('sha256')
    .update(`${sourceDigest}\n${recipeText(recipe)}`)
    .digest('hex');
  return `${digest.slice(0, 32)}.${EXTENSIONS[recipe.settings.format]}`;
}

export const photoName = (sourceDigest: string, settings: PhotoSettings): string =>
  imageName(sourceDigest, { kind: 'photo', settings });

export const thumbnailName = (sourceDigest: string, settings: ThumbnailSettings): string =>
  imageName(sourceDigest, { kind: 'thumbnail', settings });
