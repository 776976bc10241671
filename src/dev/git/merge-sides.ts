/** `yours` and `theirs`: the commits to merge. `content` and `top` (of the repository): absolute paths. */
export type MergeSides = {
  readonly content: string;
  readonly top: string;
  /** Path from the top to the content folder, with a slash at the end; empty if they are the same. */
  readonly prefix: string;
  readonly yours: string;
  readonly theirs: string;
};

/** Path relative to the content folder. For a file outside of it, `../` and the path from the top. */
export function pathInContent(path: string, prefix: string): string {
  return path.startsWith(prefix) ? path.slice(prefix.length) : `../${path}`;
}
