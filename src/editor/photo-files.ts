/** Checks files before they are uploaded as photos, and computes photo paths. */
import type { PhotoLimits } from './catalogue-info.ts';

/** A file's properties known before the upload. */
export type GivenFile = { readonly name: string; readonly type: string; readonly size: number };

/** Returns why a file cannot be a photo, with a solution; undefined when it may be one. */
export function photoRefusal(
  { name, type, size }: GivenFile,
  { maxBytes, types }: PhotoLimits,
): string | undefined {
  if (/^image\/hei[cf]/.test(type) || /\.(?:heic|heif)$/i.test(name)) {
    return `${name} is a HEIC photo, as iPhones make them. Export it as JPEG: on a Mac with Preview (File, Export), on an iPhone choose Settings, Camera, Formats, Most Compatible for new photos.`;
  }
  if (type !== '' && !types.includes(type)) {
    const known = types.map((one) => one.replace(/^image\//, '').toUpperCase()).join(', ');
    return `${name} is not a photo that can be used. Choose a file of one of these kinds: ${known}.`;
  }
  if (size > maxBytes) {
    return `${name} has ${Math.ceil(size / 1e6)} MB; a photo may have ${Math.floor(maxBytes / 1e6)} MB. Export it smaller.`;
  }
  return undefined;
}

/** Returns a photo's path in the content folder, from the property file's path and its `file` value. */
export function photoPath(property: string, file: string): string {
  const parts = property.split('/').slice(0, -1);
  for (const part of file.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '.') parts.push(part);
  }
  return parts.join('/');
}

/** Prefix of a photo's name in the form while the property has no file; the photo is uploaded on save. */
const WAITING = 'waiting:';

export function waitingName(number: number, name: string): string {
  return `${WAITING}${number}/${name}`;
}

/** Returns the name that a waiting photo was given with; other texts unchanged. */
export function withoutMark(file: string): string {
  return isWaiting(file) ? file.slice(file.indexOf('/') + 1) : file;
}

export function isWaiting(file: string): boolean {
  return file.startsWith(WAITING);
}
