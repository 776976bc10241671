import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeMedia } from '../../src/media/make.ts';
import { detailed, optionsIn, request, useFolder } from './picture.ts';

const folder = useFolder();

describe('the image library', () => {
  it('is not loaded when the cache holds everything', async () => {
    const options = optionsIn(folder());
    const wanted = request(folder(), 'photo.jpg', await detailed(300, 200).jpeg().toBuffer());
    const run = () => {
      const script = join(import.meta.dirname, 'make-process.ts');
      const input = JSON.stringify({ requests: [wanted], options });
      const { stdout, stderr } = spawnSync(process.execPath, ['--import', 'tsx', script], {
        input,
        encoding: 'utf8',
      });
      expect(stderr).toBe('');
      return JSON.parse(stdout.trim().split('\n').at(-1)!);
    };
    expect(run()).toMatchObject({ made: 2, reused: 0, loaded: true });
    expect(run()).toMatchObject({ made: 0, reused: 2, loaded: false });
    expect((await makeMedia([wanted], options)).reused).toBe(2);
  });
});
