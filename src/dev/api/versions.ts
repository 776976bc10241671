/** The texts that pages were given last: with them, the edits of a page can be shown beside what changed meanwhile. */

export type TextVersions = {
  readonly keep: (version: string, text: string) => void;
  readonly get: (version: string) => string | undefined;
};

/** Characters that are kept: some thousand properties, or some of the largest. */
const MAX_KEPT = 8_000_000;

export function createTextVersions(): TextVersions {
  const texts = new Map<string, string>();
  let kept = 0;
  const forget = (version: string) => {
    kept -= texts.get(version)?.length ?? 0;
    texts.delete(version);
  };
  return {
    keep(version, text) {
      forget(version);
      texts.set(version, text);
      kept += text.length;
      for (const oldest of texts.keys()) if (kept > MAX_KEPT && oldest !== version) forget(oldest);
    },
    get: (version) => texts.get(version),
  };
}
