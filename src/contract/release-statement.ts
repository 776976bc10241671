/** What the owner of a key signs about a release (`docs/releases.md`, "Signed releases"). */
export type ReleaseStatement = {
  readonly version: 1;
  /** `base_url` of the catalogue. */
  readonly catalogue: string;
  readonly release: string;
  /** Grows with each release that goes live. */
  readonly number: number;
  /** SHA-256 of the release's root file, in hexadecimal digits. The first 32 are the name of the release. */
  readonly root: string;
  /** RFC 3339. */
  readonly published: string;
  readonly expires: string;
};
