/** What targets generate, configuration and code; their answers are compared on real servers. */
import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { configurationSchema, routeSettings } from '../../src/contract/configuration.ts';
import { problemDocuments } from '../../src/contract/problem.ts';
import { MAX_CODE_BYTES, MAX_STORE_BYTES } from '../../src/targets/cloudfront-function/target.ts';
import { TARGETS as ALL } from '../../src/targets/index.ts';
import type { ScopeTotal, Target, TargetInput } from '../../src/targets/target.ts';

const NAMED = Object.entries(ALL);
const CODE = NAMED.filter(([, { code }]) => code);
const CONFIGURATION = NAMED.filter(([, { code }]) => !code);
const cutsPages = ({ code = {} }: Target) => Object.values(code).some((one) => one.cutsPages);
const servesPreviews = ({ code = {} }: Target) => Object.values(code).some((one) => one.servesPreviews);
const KEY = createHash('sha256').update('key').digest('hex');

function inputOf(file: Record<string, unknown>, scopes: Iterable<ScopeTotal> = []): TargetInput {
  const configuration = configurationSchema.parse(file);
  const settings = routeSettings(configuration);
  return { configuration, settings, problems: problemDocuments(settings), scopes };
}

/** Content, or the destination of a link, by path. */
function filesOf(target: Target, input: TargetInput): Map<string, string> {
  const { files, refusal } = target.generate(input);
  if (refusal) throw new Error(refusal.message);
  return new Map(files.map((file) => [file.path, 'content' in file ? file.content : file.link]));
}

const codeOf = (target: Target, input: TargetInput) =>
  [...filesOf(target, input)]
    .filter(([path]) => /\.m?js$/.test(path))
    .map(([, content]) => content)
    .join('\n');

const SCOPES: ScopeTotal[] = [
  { folder: '_catalogue/pages/-/-', total: 3 },
  { folder: '_catalogue/pages/IE/-', total: 3 },
  { folder: '_catalogue/pages/IE/436f726b', total: 2 },
];

describe.each(NAMED)('%s', (_, target) => {
  it('documents its settings and a check', () => {
    const readme = filesOf(target, inputOf({ base_url: 'https://example.com/stays' })).get('README.md')!;
    expect(readme).toContain('## Set up\n\n1. ');
    expect(readme).toContain("'https://example.com/stays/api/v1/public/properties?page[size]=0'");
  });
});

describe.each(CODE)('%s', (_, target) => {
  it('contains the settings, and no placeholders', () => {
    const code = codeOf(target, inputOf({ base_url: 'https://example.com/stays', page_sizes: ['25', '50'] }));
    expect(code).toContain('"base":"/stays","sizes":[25,50]');
    expect(code).not.toMatch(/CATALOGUE_(?:SETTINGS|GUARDED)/);
  });

  it('is ASCII, whatever the configuration holds', () => {
    expect(codeOf(target, inputOf({ cache_control: { api: 'private' } }))).toMatch(/^[\n -~]*$/);
  });

  it('checks keys only when the catalogue has any', () => {
    expect(codeOf(target, inputOf({ api_keys: [KEY] }))).toContain(KEY);
    // Lambda@Edge tags what it sends of previews itself.
    const open = codeOf(target, inputOf({})).replace(
      /\("sha256"\)\.update\(\w+\)\.digest\("base64url"\)|`[^`]*base64url[^`]*`/g,
      '',
    );
    expect(open).not.toMatch(/sha-?256.{0,80}digest\(.hex/i);
  });
});

describe.each(CONFIGURATION)('%s', (_, target) => {
  it('is the same for the same input', () => {
    expect(filesOf(target, inputOf({}, SCOPES))).toEqual(filesOf(target, inputOf({}, SCOPES)));
  });

  it('refuses a header that its configuration would misread', () => {
    for (const api of ['private="x"', 'x=$x', 'a`b', "a'b", 'a%b', 'x="a\\\\b"', 'x="a{b}"']) {
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
  const growing = CONFIGURATION.flatMap(([name, target]) => {
    const [empty, full] = [filesOf(target, inputOf({})), filesOf(target, inputOf({}, SCOPES))];
    const changed = [...full].filter(([path, content]) => empty.get(path) !== content);
    return changed.length > 0 ? [[name, changed]] : [];
  });
  const digest = createHash('sha1').update('Cork').digest('hex');
  expect(Object.fromEntries(growing)).toEqual({
    apache: [[`_catalogue/pages/IE/~${digest}`, '436f726b']],
  });
});

describe('the packed layout', () => {
  const CUTTERS = Object.values(ALL).filter(cutsPages);

  it('is served by targets that can cut pages', () => {
    const layout = 'packed';
    for (const target of CUTTERS) {
      const code = codeOf(target, inputOf({ layout }));
      expect(code).toContain(`"layout":"${layout}"`);
      expect(code).toContain('Catalogue-Release');
      expect(code.length).toBeLessThan(42 * 1024);
      expect(codeOf(target, inputOf({ layout, api_keys: [KEY] }))).toContain(KEY);
    }
  });

  it('is no part of a bundle that does not need it', () => {
    for (const target of CUTTERS.filter((one) => !servesPreviews(one))) {
      const code = codeOf(target, inputOf({}));
      expect(code).not.toContain('_catalogue/chunks');
      expect(code.length).toBeLessThan(28 * 1024);
    }
  });

  it.each(NAMED.filter(([, target]) => !cutsPages(target)))('is refused by %s', (_, target) => {
    const { refusal } = target.generate(inputOf({ layout: 'packed' }));
    expect(refusal?.code).toBe('target-layout');
    expect(refusal?.message).toMatch(
      /cannot cut pages out of the chunks of "layout: packed"\. Use the target/,
    );
    expect(target.generate(inputOf({ layout: 'pages' })).refusal).toBeUndefined();
  });
});

describe('cloudfront-function', () => {
  it('leaves room in the code size', () => {
    const code = (file: Record<string, unknown>) =>
      filesOf(ALL['cloudfront-function'], inputOf(file)).get('function.js')!;
    expect(code({}).length).toBeLessThan(8 * 1024);
    expect(code({ api_keys: [KEY] }).length).toBeLessThan(9 * 1024);
    expect(code({})).toMatch(/^import \w+ from"cloudfront";[\s\S]*\basync function handler\(/);
    expect(code({})).not.toMatch(/\bexport\b/);
  });

  it('refuses more code than CloudFront accepts', () => {
    const keys = Array.from({ length: 100 }, (_, index) =>
      createHash('sha256').update(`${index}`).digest('hex'),
    );
    const { refusal } = ALL['cloudfront-function'].generate(inputOf({ api_keys: keys }));
    expect(refusal?.code).toBe('target-code-size');
    expect(refusal?.message).toMatch(new RegExp(`has \\d{5} bytes; CloudFront takes ${MAX_CODE_BYTES}`));
  });

  it('imports the totals and the problems into the store', () => {
    const scopes = [
      { folder: '_catalogue/pages/-/-', total: 12 },
      { folder: '_catalogue/pages/IE/436f726b', total: 3 },
    ];
    const store = JSON.parse(
      filesOf(ALL['cloudfront-function'], inputOf({}, scopes)).get('key-value-store.json')!,
    ) as {
      data: { key: string; value: string }[];
    };
    expect(store.data).toContainEqual({ key: '-/-', value: '12' });
    expect(store.data).toContainEqual({ key: 'IE/436f726b', value: '3' });
    const problem = store.data.find(({ key }) => key === 'not-found')!.value;
    expect(problem).toMatch(/^404 \{"type":"\/problems\.html#not-found",/);
    for (const { key, value } of store.data) {
      expect(key.length).toBeLessThanOrEqual(512);
      expect(Buffer.byteLength(value)).toBeLessThanOrEqual(1024);
    }
  });

  it('refuses more totals than a store accepts', () => {
    function* scopes() {
      for (let index = 0; index < 150_000; index++)
        yield { folder: `_catalogue/pages/IE/${index}`, total: index };
    }
    const { refusal } = ALL['cloudfront-function'].generate(inputOf({}, scopes()));
    expect(refusal?.code).toBe('target-store-size');
    expect(refusal?.message).toContain(`takes ${MAX_STORE_BYTES}`);
  });
});
