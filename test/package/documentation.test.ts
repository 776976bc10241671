/** The targets of links in messages exist, and are no files that only a clone has (E12). */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type DocumentationPage, documentationUrl } from '../../src/package/documentation.ts';
import { DIAGNOSTIC_CODES } from '../../src/source/diagnostic-codes.ts';
import { ROOT } from '../support/clone.ts';

const BASE = 'https://github.com/property-catalogue/property-catalogue/blob/main/docs/';

/** Anchors of a page, as GitHub derives them from its headings. */
function anchorsOf(page: string): string[] {
  const text = readFileSync(join(ROOT, 'docs', page), 'utf8');
  return [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replace(/\s/g, '-'),
  );
}

function expectThere(url: string): void {
  expect(url.startsWith(BASE)).toBe(true);
  const [page = '', anchor] = url.slice(BASE.length).split('#');
  expect(readdirSync(join(ROOT, 'docs'))).toContain(page);
  if (anchor !== undefined) expect(anchorsOf(page)).toContain(anchor);
}

describe('an address of the documentation (E12)', () => {
  const sources = (readdirSync(join(ROOT, 'src'), { recursive: true }) as string[])
    .filter((name) => name.endsWith('.ts'))
    .map((name) => [name, readFileSync(join(ROOT, 'src', name), 'utf8')] as const);

  it('leads to an existing page and heading, wherever the code names one', () => {
    const calls = sources.flatMap(([, text]) => [
      ...text.matchAll(/documentationUrl\('([a-z-]+)'(?:, '([a-z-]+)')?\)/g),
    ]);
    expect(calls.length).toBeGreaterThan(2);
    for (const [, page, anchor] of calls) expectThere(documentationUrl(page as DocumentationPage, anchor));
  });

  it('exists for every diagnostic code', () => {
    for (const code of Object.keys(DIAGNOSTIC_CODES)) expectThere(documentationUrl('diagnostics', code));
  });

  it('is the only reference in texts of the program: none names a file of docs/', () => {
    for (const [name, text] of sources) {
      // The generated documentation of settings is beside those pages.
      if (name === join('contract', 'configuration.ts')) continue;
      const code = text.replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '');
      expect(code.match(/\bdocs\/[a-z-]+\.md/g), name).toBeNull();
    }
  });
});
