/** The targets that are plain configuration; their answers are compared on real servers. */
import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { configurationSchema, routeSettings } from '../../src/contract/configuration.ts';
import { problemDocuments } from '../../src/contract/problem.ts';
import { TARGETS as ALL } from '../../src/targets/index.ts';
import type { ScopeTotal, Target, TargetInput } from '../../src/targets/target.ts';

const TARGETS = Object.entries(ALL).filter(([, { code }]) => !code);
const KEY = createHash('sha256').update('key').digest('hex');

function inputOf(file: Record<string, unknown>, scopes: ScopeTotal[] = []): TargetInput {
  const configuration = configurationSchema.parse(file);
  const settings = routeSettings(configuration);
  return { configuration, settings, problems: problemDocuments(settings), scopes };
}

/** Content, or the destination of a link, by path. */
function filesOf(target: Target, input: TargetInput): Map<string, string> {
  const { files, refusal } = target.generate(input);
  if (refusal) throw new Error(refusal.message);
  return new Map(files.map((file) => [file.path, 'link' in file ? file.link : file.content]));
}

const SCOPES: ScopeTotal[] = [
  { folder: '_catalogue/pages/-/-', total: 3 },
  { folder: '_catalogue/pages/IE/-', total: 3 },
  { folder: '_catalogue/pages/IE/436f726b', total: 2 },
];

describe.each(TARGETS)('%s', (_, target) => {
  it('documents its settings and a check', () => {
    const readme = filesOf(target, inputOf({ base_url: 'https://example.com/stays' })).get('README.md')!;
    expect(readme).toContain('## Set up\n\n1. ');
    expect(readme).toContain("'https://example.com/stays/api/v1/public/properties?page[size]=0'");
  });

  it('is the same for the same input', () => {
    expect(filesOf(target, inputOf({}, SCOPES))).toEqual(filesOf(target, inputOf({}, SCOPES)));
  });

  it('refuses a header that its configuration would misread', () => {
    for (const api of ['private="x"', 'max-age=$x', 'a`b', "a'b", 'a%b', 'a\\b', 'a{b}']) {
      expect(target.generate(inputOf({ cache_control: { api } })).refusal?.code).toBe('target-cache-control');
    }
  });

  it('checks keys, or is not generated', () => {
    const { files, refusal } = target.generate(inputOf({ api_keys: [KEY] }));
    if (refusal) expect(refusal.code).toBe('target-api-keys');
    else expect(files.some((file) => 'content' in file && file.content.includes(KEY))).toBe(true);
  });

  it('works with a hundred thousand scopes', () => {
    const scopes = Array.from({ length: 100_000 }, (_, index) => ({
      folder: `_catalogue/pages/IE/${index.toString(16).padStart(8, '0')}`,
      total: 1,
    }));
    const before = process.cpuUsage();
    filesOf(target, inputOf({}, scopes));
    const { user, system } = process.cpuUsage(before);
    expect((user + system) / 1e6).toBeLessThan(5);
  });
});

it('depends on the scopes only when a platform cannot read a total or name a city', () => {
  const growing = TARGETS.flatMap(([name, target]) => {
    const [empty, full] = [filesOf(target, inputOf({})), filesOf(target, inputOf({}, SCOPES))];
    const changed = [...full].filter(([path, content]) => empty.get(path) !== content);
    return changed.length > 0 ? [[name, changed]] : [];
  });
  const digest = createHash('sha1').update('Cork').digest('hex');
  expect(Object.fromEntries(growing)).toEqual({
    apache: [[`_catalogue/pages/IE/~${digest}`, '436f726b']],
    haproxy: [['totals.map', '-/- 3\nIE/- 3\nIE/436f726b 2\n']],
  });
});
