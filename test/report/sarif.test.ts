import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { describe, expect, it } from 'vitest';
import { repositoryPrefix } from '../../src/report/content.ts';
import { sarifLog } from '../../src/report/sarif.ts';
import { CODES, type DiagnosticCode } from '../../src/source/codes.ts';
import { createSpans, diagnose } from '../../src/source/diagnostic.ts';
import { createWorkspace } from '../build/workspace.ts';

const text = { type: 'string', minLength: 1 };
const message = { type: 'object', required: ['text'], properties: { text, markdown: text } };
const count = { type: 'integer', minimum: 1 };

/** What SARIF 2.1.0 asks of the parts that are used (sections 3.13, 3.14, 3.18, 3.27, 3.28, 3.29, 3.30, 3.49). */
const shape = new Ajv({ strict: false }).compile({
  type: 'object',
  required: ['version', 'runs'],
  additionalProperties: false,
  properties: {
    $schema: text,
    version: { const: '2.1.0' },
    runs: {
      type: 'array',
      items: {
        type: 'object',
        required: ['tool', 'results'],
        additionalProperties: false,
        properties: {
          tool: {
            type: 'object',
            required: ['driver'],
            additionalProperties: false,
            properties: {
              driver: {
                type: 'object',
                required: ['name'],
                additionalProperties: false,
                properties: {
                  name: text,
                  informationUri: { type: 'string', pattern: '^https://' },
                  semanticVersion: { type: 'string', pattern: '^\\d+\\.\\d+\\.\\d+' },
                  rules: {
                    type: 'array',
                    uniqueItems: true,
                    items: {
                      type: 'object',
                      required: ['id', 'helpUri'],
                      additionalProperties: false,
                      properties: {
                        id: text,
                        helpUri: { type: 'string', pattern: '^https://[^#]+#[a-z0-9-]+$' },
                        shortDescription: message,
                        help: message,
                        defaultConfiguration: {
                          type: 'object',
                          properties: { level: { enum: ['none', 'note', 'warning', 'error'] } },
                        },
                      },
                    },
                  },
                },
              },
            },
          },
          columnKind: { enum: ['utf16CodeUnits', 'unicodeCodePoints'] },
          originalUriBaseIds: { type: 'object', additionalProperties: { type: 'object' } },
          results: {
            type: 'array',
            items: {
              type: 'object',
              required: ['message', 'ruleId', 'ruleIndex', 'level', 'locations'],
              additionalProperties: false,
              properties: {
                ruleId: text,
                ruleIndex: { type: 'integer', minimum: 0 },
                level: { enum: ['none', 'note', 'warning', 'error'] },
                message,
                locations: {
                  type: 'array',
                  items: {
                    type: 'object',
                    required: ['physicalLocation'],
                    properties: {
                      physicalLocation: {
                        type: 'object',
                        required: ['artifactLocation'],
                        additionalProperties: false,
                        properties: {
                          // A relative reference, percent-encoded (RFC 3986).
                          artifactLocation: {
                            type: 'object',
                            required: ['uri', 'uriBaseId'],
                            properties: {
                              uri: { type: 'string', pattern: "^(?!/)[A-Za-z0-9._~!'()*%/-]+$" },
                            },
                          },
                          region: {
                            type: 'object',
                            additionalProperties: false,
                            required: ['startLine', 'startColumn', 'endLine', 'endColumn'],
                            properties: {
                              startLine: count,
                              startColumn: count,
                              endLine: count,
                              endColumn: count,
                              snippet: { type: 'object', properties: { text: { type: 'string' } } },
                            },
                          },
                        },
                      },
                    },
                  },
                },
              },
            },
          },
        },
      },
    },
  },
});

type Log = {
  runs: {
    tool: { driver: { rules: { id: string; help: { text: string; markdown: string } }[] } };
    results: { ruleId: string; ruleIndex: number; locations: unknown[]; message: { text: string } }[];
  }[];
};

const span = createSpans('title: 😀 x\ncountry: Ireland\n')(21, 28);
const country = diagnose('unknown-country', 'ie/Röse 1.yaml', span, { value: 'Ireland', suggestion: 'IE' });
const log = (diagnostics: Parameters<typeof sarifLog>[0]) => sarifLog(diagnostics, 'stays/', '1.2.3') as Log;

describe('a SARIF log', () => {
  it('is valid, for every code', () => {
    const all = log((Object.keys(CODES) as DiagnosticCode[]).map((code) => diagnose(code, 'a.yaml', span)));
    shape(all);
    expect(shape.errors).toBeNull();
    expect(all.runs[0]!.results).toHaveLength(Object.keys(CODES).length);
    for (const { ruleId, ruleIndex } of all.runs[0]!.results) {
      expect(all.runs[0]!.tool.driver.rules[ruleIndex]!.id).toBe(ruleId);
    }
    expect(shape(log([]))).toBe(true);
  });

  it('has place, message and help, with the link of its code', () => {
    const [run] = log([country, diagnose('empty-file', 'a.yaml', null)]).runs;
    expect(run!.results[0]).toMatchObject({
      ruleId: 'unknown-country',
      level: 'error',
      message: { text: '"Ireland" is not the code of a country. Did you mean "IE"?' },
      locations: [
        {
          physicalLocation: {
            artifactLocation: { uri: 'stays/ie/R%C3%B6se%201.yaml', uriBaseId: 'SRCROOT' },
            region: {
              startLine: 2,
              startColumn: 10,
              endLine: 2,
              endColumn: 17,
              snippet: { text: 'country: Ireland' },
            },
          },
        },
      ],
    });
    expect(run!.results[1]!.locations).toEqual([
      { physicalLocation: { artifactLocation: { uri: 'stays/a.yaml', uriBaseId: 'SRCROOT' } } },
    ]);
    const { help } = run!.tool.driver.rules.find(({ id }) => id === 'unknown-country')!;
    expect(help.markdown).toContain(
      '(https://github.com/property-catalogue/property-catalogue/blob/main/docs/diagnostics.md#unknown-country)',
    );
    expect(help.text).toContain('country: IE');
  });

  it('counts columns in UTF-16 units', () => {
    const emoji = createSpans('title: 😀 x\n')(10, 11);
    expect(log([diagnose('empty-text', 'a.yaml', emoji)]).runs[0]!.results[0]).toMatchObject({
      locations: [{ physicalLocation: { region: { startColumn: 11, endColumn: 12 } } }],
    });
  });
});

describe('paths for services', () => {
  it('start at the root of the repository, wherever the command runs', () => {
    const { root } = createWorkspace();
    const content = join(root, 'stays/content');
    mkdirSync(content, { recursive: true });
    mkdirSync(join(root, '.git'));
    expect(repositoryPrefix(content)).toBe('stays/content/');
    expect(repositoryPrefix(root)).toBe('');
  });
});
