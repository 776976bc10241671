/** The title, description, logo, accent and contact of a catalogue, and the files in which they appear (F). */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { check } from '../../src/compile/check.ts';
import type { CatalogueIndex } from '../../src/contract/document-schemas.ts';
import { atomFeed } from '../../src/history/feed.ts';
import type { RootContents } from '../../src/release/root-contents.ts';
import { createWorkspace, type Workspace } from './workspace.ts';

const FAST = 'page_sizes: [25]\ntargets: []\ndocs: false\nbulk: false\n';
const ABOUT = `title: "Stays & <Inns>"
description: Houses by the sea.
logo: brand/logo.png
accent: "#FFDD00"
contact:
  name: Anna
  email: anna@stays.example
  url: https://stays.example/help
`;

const image = (background: string) =>
  sharp({ create: { width: 8, height: 8, channels: 3, background } })
    .png()
    .toBuffer();

async function branded(): Promise<Workspace> {
  const workspace = createWorkspace();
  workspace.configure(FAST + ABOUT);
  workspace.write('brand/logo.png', await image('red'));
  workspace.add(1);
  return workspace;
}

function settingsIn(workspace: Workspace): RootContents['settings'] {
  const { release } = workspace.json('_catalogue/current.json') as { release: string };
  return (workspace.json(`_catalogue/roots/${release}.json`) as RootContents).settings;
}

describe('title, description, logo, accent and contact', () => {
  it('appear in the page, index.json, the OpenAPI document and the feed (F)', async () => {
    const workspace = await branded();
    const { outcome, counts } = await workspace.build();
    expect(outcome).toBe('published');
    expect(counts?.files).toBe(workspace.tree().size);

    const index = workspace.json('index.json') as CatalogueIndex;
    const contact = { name: 'Anna', email: 'anna@stays.example', url: 'https://stays.example/help' };
    expect(index).toMatchObject({ title: 'Stays & <Inns>', description: 'Houses by the sea.', contact });
    const logo = index.links.find(({ rel }) => rel === 'icon');
    expect(logo).toMatchObject({ type: 'image/png' });
    expect(logo?.href).toMatch(/^explorer\/logo-[0-9a-f]{8}\.png$/);
    expect(readFileSync(join(workspace.public, logo!.href))).toEqual(await image('red'));

    const { info } = workspace.json('openapi.json') as { info: Record<string, unknown> };
    expect(info).toMatchObject({ title: 'Stays & <Inns>', contact });
    expect(info.description).toMatch(/^Houses by the sea\./);
    expect(info['x-logo']).toEqual({ url: `http://localhost:8080/${logo!.href}`, altText: 'Stays & <Inns>' });

    const page = workspace.read('index.html');
    expect(page).toContain('<title>Stays &amp; &lt;Inns&gt;</title>');
    expect(page).toContain('<meta name="description" content="Houses by the sea.">');
    expect(page).toContain(`<link rel="icon" href="${logo!.href}">`);

    const feed = atomFeed(
      'urn:uuid:00000000-0000-4000-8000-000000000000',
      [],
      '2026-01-01T00:00:00Z',
      settingsIn(workspace),
    );
    expect(feed).toContain('<title>Stays &amp; &lt;Inns&gt;: changes</title>');
    expect(feed).toContain('<subtitle>Houses by the sea.</subtitle>');
    expect(feed).toContain(
      '<author><name>Anna</name><uri>https://stays.example/help</uri><email>anna@stays.example</email></author>',
    );
    expect(feed).toContain(`<logo>http://localhost:8080/${logo!.href}</logo>`);
  });

  it('have one default, the title "Property catalogue" (F)', async () => {
    const workspace = createWorkspace();
    workspace.configure(FAST);
    workspace.add(1);
    await workspace.build();
    expect(workspace.json('index.json')).toMatchObject({ title: 'Property catalogue' });
    workspace.configure(`${FAST}title: Other\n`);
    await workspace.build();
    for (const [key, bytes] of workspace.tree())
      if (!key.startsWith('explorer/'))
        expect(Buffer.from(bytes).toString('utf8'), key).not.toMatch(/property catalogue/i);
  });
});

describe('the logo', () => {
  it('is replaced when its file changes, and removed with the setting (F)', async () => {
    const workspace = await branded();
    await workspace.build();
    const logoOf = () => settingsIn(workspace).about?.logo;
    const first = logoOf()!;
    await workspace.build();
    expect(logoOf()).toBe(first);
    writeFileSync(join(workspace.content, 'brand/logo.png'), await image('blue'));
    await workspace.build();
    const second = logoOf()!;
    expect(second).not.toBe(first);
    expect([first, second].map((key) => existsSync(join(workspace.public, key)))).toEqual([false, true]);
    workspace.configure(FAST);
    await workspace.build();
    expect(existsSync(join(workspace.public, second))).toBe(false);
  });

  it.each([
    ['missing.png', 'there is no such file'],
    ['../secret.png', 'it is outside the content folder'],
    ['logo.svg', 'its format (SVG) is not one of PNG, JPEG, WebP, AVIF'],
    ['large.png', 'it has 200001 bytes, and 200000 are the most'],
    ['pointer.png', 'its format (Git LFS pointer) is not one of PNG, JPEG, WebP, AVIF'],
  ])('is refused, by the check too: %s', async (file, reason) => {
    const workspace = createWorkspace();
    workspace.configure(`${FAST}logo: ${file}\n`);
    workspace.add(1);
    writeFileSync(join(workspace.root, 'secret.png'), await image('red'));
    workspace.write('logo.svg', '<svg xmlns="http://www.w3.org/2000/svg"></svg>');
    workspace.write('large.png', Buffer.alloc(200_001));
    workspace.write('pointer.png', 'version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n');
    const { outcome, diagnostics } = await workspace.build();
    expect(outcome).toBe('refused');
    expect(diagnostics.map(({ code, message }) => [code, message])).toEqual([
      ['logo-unusable', `The logo "${file}" cannot be used: ${reason}.`],
    ]);
    if (file === 'pointer.png') expect(diagnostics[0]?.help).toContain('git lfs pull');
    expect((await check({ content: workspace.content })).diagnostics).toEqual(diagnostics);
  });

  it.each(['png', 'jpeg', 'webp', 'avif'] as const)('is whole: %s (L11)', async (format) => {
    const workspace = createWorkspace();
    workspace.configure(`${FAST}logo: logo.png\n`);
    workspace.add(1);
    const whole = await sharp(await image('red'))
      .toFormat(format)
      .toBuffer();
    const found = async (bytes: Buffer) => {
      workspace.write('logo.png', bytes);
      const { diagnostics } = await check({ content: workspace.content });
      return diagnostics.map(({ message, help }) => [message, help]);
    };
    expect(await found(whole)).toEqual([]);
    const cut = ['The logo "logo.png" cannot be used: it ends too early.', expect.stringContaining('again')];
    expect(await found(whole.subarray(0, 24))).toEqual([cut]);
    if (format !== 'avif') expect(await found(whole.subarray(0, -9))).toEqual([cut]);
  });
});
