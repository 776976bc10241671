/** What can be wrong with a photo, as data: the words of the messages are the caller's. */

/**
 * Every code and its severity. Codes are permanent: never renamed, nor reused.
 *
 * | Code | Values |
 * |---|---|
 * | `photo-corrupt` | `reason` |
 * | `photo-unsupported` | `format`, a name such as `HEIC`; `unknown` when it is not one of ours |
 * | `photo-too-large` | `width`, `height`, `pixels`, `limit`, all in pixels |
 * | `photo-unreadable` | `reason` |
 * | `photo-animated` | none; the first picture is published |
 */
const MEDIA_SEVERITY = {
  'photo-corrupt': 'error',
  'photo-unsupported': 'error',
  'photo-too-large': 'error',
  'photo-unreadable': 'error',
  'photo-animated': 'warning',
} as const satisfies Record<string, 'error' | 'warning'>;

/** Permanent code of a problem with a photo. */
type MediaCode = keyof typeof MEDIA_SEVERITY;

/** A problem with one photo, and the values that its message names. */
export type MediaProblem = {
  readonly code: MediaCode;
  readonly args: Readonly<Record<string, string | number>>;
};

/** Whether the photo cannot be published because of it. */
export const isPhotoError = (problem: MediaProblem): boolean => MEDIA_SEVERITY[problem.code] === 'error';
