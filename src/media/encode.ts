/**
 * Makes one image from one source. An image depends only on what its name is computed from: the source and the image's
 * settings. So even a thumbnail is made from the source, not from the published photo. An image has sRGB colours with
 * 8 bits a channel (CMYK and embedded profiles are converted), is upright, and has no metadata.
 */
import type { Sharp as Pipeline, SharpOptions } from 'sharp';
import type { ImageRecipe } from './image-name.ts';
import type { Sharp } from './load-sharp.ts';
import { decodingProblem, MAX_PIXELS, type PhotoHeader } from './photo-header.ts';
import type { MediaProblem } from './photo-problem.ts';

/** Longest side of a published image in pixels: the limit of WebP (RFC 9649, section 2.5). */
const LONGEST_SIDE = 16_383;

type Strictness = NonNullable<SharpOptions['failOn']>;

/** Returns a problem if the source cannot be decoded. @throws on failures of the machine, such as a full disk */
export function encodeImage(
  sharp: Sharp,
  file: string,
  header: PhotoHeader,
  recipe: ImageRecipe,
): Promise<Buffer | MediaProblem> {
  const shape = croppedShape(header, recipe);
  return decodeWith(async (failOn) => {
    const scaled = scale(openUpright(sharp, file, header, failOn), header, recipe);
    const image = shape && isLarger(header, shape) ? await crop(sharp, scaled, shape) : scaled;
    return writeFormat(image, recipe.settings).toBuffer();
  });
}

/** Decodes like {@link encodeImage}, so that it finds the same problems, and discards the pixels. */
export async function checkPixels(
  sharp: Sharp,
  file: string,
  header: PhotoHeader,
  recipe: ImageRecipe,
): Promise<MediaProblem | undefined> {
  const result = await decodeWith((failOn) =>
    scale(openUpright(sharp, file, header, failOn), header, recipe)
      .raw()
      .toBuffer(),
  );
  return Buffer.isBuffer(result) ? undefined : result;
}

type Shape = { readonly width: number; readonly height: number };

/**
 * Size of a cropped thumbnail: the wanted size or, in a smaller source, the largest size with the same proportions.
 * Undefined if nothing is cropped.
 */
function croppedShape(header: PhotoHeader, recipe: ImageRecipe): Shape | undefined {
  if (recipe.kind !== 'thumbnail' || recipe.settings.fit !== 'cover') return undefined;
  const { width, height } = recipe.settings;
  const factor = Math.min(1, header.width / width, header.height / height);
  const side = (length: number) => Math.max(1, Math.round(length * factor));
  return { width: side(width), height: side(height) };
}

function isLarger({ width, height }: PhotoHeader, shape: Shape): boolean {
  const factor = Math.max(shape.width / width, shape.height / height);
  return Math.round(width * factor) > shape.width || Math.round(height * factor) > shape.height;
}

/** Scales to the final size or, before a crop, to a size that covers it. Never enlarges. */
function scale(source: Pipeline, header: PhotoHeader, recipe: ImageRecipe): Pipeline {
  const shape = croppedShape(header, recipe);
  if (shape) return source.resize({ ...shape, fit: isLarger(header, shape) ? 'outside' : 'cover' });
  const { width, height } =
    recipe.kind === 'photo'
      ? { width: Math.min(recipe.settings.max_width, LONGEST_SIDE), height: LONGEST_SIDE }
      : recipe.settings;
  return source.resize({ width, height, fit: 'inside', withoutEnlargement: true });
}

/** Renders all pixels before cropping. In one step, missing rows below the crop would go unnoticed. */
async function crop(sharp: Sharp, scaled: Pipeline, shape: Shape): Promise<Pipeline> {
  const { data, info } = await scaled.raw().toBuffer({ resolveWithObject: true });
  const raw = { width: info.width, height: info.height, channels: info.channels };
  return sharp(data, { raw }).resize({ ...shape, fit: 'cover' });
}

function openUpright(sharp: Sharp, file: string, header: PhotoHeader, failOn: Strictness): Pipeline {
  const source = sharp(file, { failOn, limitInputPixels: MAX_PIXELS }).autoOrient();
  // Without an output profile, sources with more than 8 bits per channel and a profile are converted to 16-bit Display
  // P3 and then misread as sRGB, which makes their colours look washed out. The profile is not written into the image.
  return header.deepProfile ? source.withIccProfile('srgb', { attach: false }) : source;
}

function writeFormat(image: Pipeline, { format, quality }: ImageRecipe['settings']): Pipeline {
  if (format === 'webp') return image.webp({ quality });
  // Effort 4, the default, takes seven times as long and saves 1% of the bytes.
  if (format === 'avif') return image.avif({ quality, effort: 2, chromaSubsampling: '4:2:0' });
  return image.flatten({ background: '#ffffff' }).jpeg({ quality });
}

/** Warnings about encoder bugs of cameras that leave the pixels intact. The first one is common in Samsung's photos. */
const HARMLESS =
  /^(?:VipsJpeg: )?(?:Invalid SOS parameters for sequential JPEG|Warning: unknown JFIF revision number.*|Unknown Adobe color transform code.*|)$/;

/** The decoders report damaged pixels as warnings, so all warnings except the harmless ones count as errors. */
async function decodeWith(decode: (failOn: Strictness) => Promise<Buffer>): Promise<Buffer | MediaProblem> {
  try {
    return await decode('warning').catch((error: unknown) => {
      const harmless =
        error instanceof Error && error.message.split('\n').every((line) => HARMLESS.test(line));
      if (!harmless) throw error;
      return decode('error');
    });
  } catch (error) {
    return decodingProblem(error);
  }
}
