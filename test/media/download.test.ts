import type { LookupAddress } from 'node:dns';
import { describe, expect, it } from 'vitest';
import { DownloadRefusal, publicLookup } from '../../src/media/download.ts';

// Addresses as names are looked up without a network.
function lookUp(name: string, options: object) {
  return new Promise<[string | LookupAddress[], number | undefined]>((resolve, reject) => {
    publicLookup(name, options, (error, address, family) =>
      error ? reject(error) : resolve([address, family]),
    );
  });
}

describe('publicLookup', () => {
  it('answers like the lookup of a connection, for one address or for all', async () => {
    expect(await lookUp('1.1.1.1', {})).toEqual(['1.1.1.1', 4]);
    expect(await lookUp('1.1.1.1', { all: true })).toEqual([[{ address: '1.1.1.1', family: 4 }], undefined]);
    expect(await lookUp('2606:4700::1', { all: false })).toEqual(['2606:4700::1', 6]);
  });

  it('refuses private addresses', async () => {
    for (const options of [{}, { all: true }]) {
      await expect(lookUp('10.0.0.1', options)).rejects.toThrow('its host has a private address (10.0.0.1)');
      await expect(lookUp('localhost', options)).rejects.toBeInstanceOf(DownloadRefusal);
    }
  });

  it('passes errors on', async () => {
    await expect(lookUp('no such name', {})).rejects.toMatchObject({ syscall: 'getaddrinfo' });
  });
});
