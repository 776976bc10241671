/** Constant-time: the duration depends only on the number of digests. `digest`: SHA-256 in hexadecimal digits. */
export function isPermittedDigest(digest: string, digests: readonly string[]): boolean {
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
