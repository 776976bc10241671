import { expect, it } from 'vitest';
import { createSearch } from '../../src/client/search.ts';
import { expectAgreement, houses, housesInOrder, publish } from './search-oracle.ts';

it('a search agrees with the oracle on ten thousand random queries', async () => {
  const all = houses(1200);
  const { client } = await publish(all);
  const inOrder = await housesInOrder(client, all);
  expect(new Set(inOrder).size).toBe(1200);
  await expectAgreement(createSearch(client), inOrder, 10_000);
});
