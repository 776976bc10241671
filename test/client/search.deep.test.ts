import { beforeAll, describe, expect, it } from 'vitest';
import { createSearch, type FileClient } from '../../src/client/search.ts';
import { expectAgreement, type House, houses, housesInOrder, publish } from './search-oracle.ts';

describe('a search agrees with the oracle on ten thousand random queries', () => {
  let client: FileClient;
  let inOrder: House[];
  beforeAll(async () => {
    const all = houses(2000);
    ({ client } = await publish(all));
    inOrder = await housesInOrder(client, all);
    expect(new Set(inOrder).size).toBe(2000);
  });

  it.each(Array.from({ length: 20 }, (_, part) => part + 1))('part %i', (seed) =>
    expectAgreement(createSearch(client), inOrder, 500, { seed }),
  );
});
