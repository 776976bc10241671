/**
 * Whether a digest is among the permitted ones. The time depends on how many there are, and not on which of them
 * agrees or how far, so that its duration reveals nothing of them.
 *
 * @param digest SHA-256 of the key that was sent, in lower-case hexadecimal.
 */
export function isPermitted(digest: string, digests: readonly string[]): boolean {
  let permitted = 0;
  for (let index = 0; index < digests.length; index++) {
    const expected = digests[index]!;
    let difference = digest.length ^ expected.length;
    for (let at = 0; at < expected.length; at++)
      difference |= digest.charCodeAt(at) ^ expected.charCodeAt(at);
    permitted |= difference === 0 ? 1 : 0;
  }
  return permitted === 1;
}
