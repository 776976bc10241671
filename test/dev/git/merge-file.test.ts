/** Merges of one file: by fields, or by what is asked about a file of which one version is kept whole. */
import sharp from 'sharp';
import { expect, it } from 'vitest';
import { mergeFile } from '../../../src/dev/git/merge-file.ts';
import { declared } from '../../support/terms.ts';
import { ROSE } from '../editing.ts';

const { fields } = declared({ fields: { max_guests: {} } });
const RULES = { choices: {}, fields };

const photo = (background: string) =>
  sharp({ create: { width: 640, height: 480, channels: 3, background } })
    .jpeg()
    .toBuffer();

it('shows both photos, says what is no photo, and nothing of a removed one', async () => {
  const [yours, theirs] = await Promise.all(['#123', '#456'].map(photo));
  const asked = async (yours: Buffer | undefined, theirs: Buffer | undefined) => {
    const base = Buffer.from([255]);
    const merged = await mergeFile('recorded', 'photos/front.jpg', { base, yours, theirs }, RULES);
    return 'conflicts' in merged ? merged.conflicts[0] : undefined;
  };
  const both = await asked(yours, theirs);
  expect(both).toMatchObject({ field: null, title: 'photos/front.jpg' });
  const sizes = [both!.yours, both!.theirs].map(async (text) => {
    const [, base64 = ''] = /^data:image\/jpeg;base64,(.*)$/.exec(String(text)) ?? [];
    return (await sharp(Buffer.from(base64, 'base64')).metadata()).width;
  });
  expect(await Promise.all(sizes)).toEqual([320, 320]);
  expect(both!.yours).not.toBe(both!.theirs);
  const other = await asked(Buffer.from([255, 0]), undefined);
  expect([other!.yours, other!.theirs]).toEqual(['2 bytes', undefined]);
});

it('writes declared fields as the form does, so that numbers stay numbers', async () => {
  const [base, yours, theirs] = [ROSE, `${ROSE}max_guests: 4\n`, ROSE.replace('+353', '+354')].map(
    Buffer.from,
  );
  const merged = await mergeFile('recorded', 'rose.yaml', { base, yours, theirs }, RULES);
  expect('bytes' in merged && String(merged.bytes)).toContain('\nmax_guests: 4\n');
});
