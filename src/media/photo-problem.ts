/**
 * Severities by code. Codes are permanent: never renamed, never reused.
 *
 * | Code | Values |
 * |---|---|
 * | `photo-corrupt` | `reason` |
 * | `photo-unsupported` | `format`, a name such as `HEIC`; `unknown` for any other |
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

type MediaCode = keyof typeof MEDIA_SEVERITY;

export type MediaProblem = {
  readonly code: MediaCode;
  readonly args: Readonly<Record<string, string | number>>;
};

export const isPhotoError = (problem: MediaProblem): boolean => MEDIA_SEVERITY[problem.code] === 'error';
