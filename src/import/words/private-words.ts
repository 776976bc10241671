import TABLE from './tables/access-codes.json' with { type: 'json' };

function patternsOf<Name extends string>(lists: Readonly<Record<Name, readonly string[]>>) {
  const entries = Object.entries<readonly string[]>(lists);
  return Object.fromEntries(entries.map(([name, lines]) => [name, lines.join('|')])) as Record<Name, string>;
}

const { stems, ...lists } = TABLE;
export const WORDS = patternsOf({ ...lists, opened: [...lists.door, ...lists.opened] });
/** Quick patterns. Each slow pattern runs only on texts that match its quick one. */
export const STEMS = patternsOf(stems);
