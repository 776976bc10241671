/** The server of every target, and of the handler of this package: each has a folder beside this file. */
import { TARGET_NAMES } from '../../src/contract/target-names.ts';
import { packed, type ServerKind } from './server.ts';

/** Every target on its server, in the order of the documentation. */
export const SERVERS: readonly ServerKind[] = await Promise.all(
  ['node', ...TARGET_NAMES].map(async (name) => {
    const exported = (await import(`./${name}/server.ts`)) as Readonly<Record<string, ServerKind>>;
    return Object.values(exported).find(({ target }) => target === name)!;
  }),
);

/** Every target that cuts pages out of the packed layout, on its server. */
export const PACKED_SERVERS: readonly ServerKind[] = SERVERS.filter(({ cutsPages }) => cutsPages).map(packed);
