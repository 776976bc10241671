/** Which files can become photos, and where the photos of a property are. */
import type { PhotoLimits } from './catalogue-info.ts';

/** What is known of a file before it is sent. */
export type GivenFile = { readonly name: string; readonly type: string; readonly size: number };

/** Why a file cannot be a photo, and what to do; undefined when it may be one. */
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

/** The path of a photo in the content folder, from the path of its property's file and what that says. */
export function photoPath(property: string, file: string): string {
  const parts = property.split('/').slice(0, -1);
  for (const part of file.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '.') parts.push(part);
  }
  return parts.join('/');
}

/** How a photo is named in the form of a property that has no file yet: it is sent when the property is saved. */
const WAITING = 'waiting:';

export function waitingName(number: number, name: string): string {
  return `${WAITING}${number}/${name}`;
}

export function isWaiting(file: string): boolean {
  return file.startsWith(WAITING);
}
