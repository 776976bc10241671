import type { PhotoLimits } from './catalogue-info.ts';

export type GivenFile = { readonly name: string; readonly type: string; readonly size: number };

export function isHeic({ name, type }: Pick<GivenFile, 'name' | 'type'>): boolean {
  return type === '' ? /\.(?:heic|heif)$/i.test(name) : /^image\/hei[cf]/.test(type);
}

export function photoRefusal(
  { name, type, size }: GivenFile,
  { maxBytes, types }: PhotoLimits,
): string | undefined {
  if (isHeic({ name, type })) {
    if (!types.includes('image/heic'))
      return `${name} is a HEIC photo, as iPhones make them. Save it as JPEG: on an iPhone, press the photo in the app Files and choose Quick Actions, Convert Image; on a Mac, open it in Preview and choose File, Export; on Windows, open it in Photos and choose Save as. Or ask the colleague who set up the catalogue for libheif-js, which reads such photos.`;
  } else if (type !== '' && !types.includes(type)) {
    const known = types.map((one) => one.replace(/^image\//, '').toUpperCase()).join(', ');
    return `${name} is not a photo that can be used. Choose a file of one of these kinds: ${known}.`;
  }
  if (size > maxBytes) {
    return `${name} has ${Math.ceil(size / 1e6)} MB; a photo may have ${Math.floor(maxBytes / 1e6)} MB. Export it smaller.`;
  }
  return undefined;
}

export function photoPath(property: string, file: string): string {
  const parts = property.split('/').slice(0, -1);
  for (const part of file.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '.') parts.push(part);
  }
  return parts.join('/');
}

/** Prefix of a photo's name in the form until a save uploads it. */
const WAITING = 'waiting:';

export function pendingUploadName(number: number, name: string): string {
  return `${WAITING}${number}/${name}`;
}

/** Returns the file name of a photo that is not uploaded yet, and other texts unchanged. */
export function withoutPendingPrefix(file: string): string {
  return isPendingUpload(file) ? file.slice(file.indexOf('/') + 1) : file;
}

export function isPendingUpload(file: string): boolean {
  return file.startsWith(WAITING);
}
