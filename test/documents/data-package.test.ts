/** The built `datapackage.json`, judged by the profile that it names (E5). */
import { Ajv } from 'ajv';
import addFormatsModule from 'ajv-formats';
import { expect, it } from 'vitest';
import { createWorkspace } from '../compile/workspace.ts';

const addFormats = addFormatsModule as unknown as typeof addFormatsModule.default;
const text = { type: 'string' };
const path = { type: 'string', pattern: '^(https?://.*|(?![./~]|file:)(?!.*(/\\.\\./|\\\\|://)).*)$' };
const object = (properties: object, rest: object = {}) => ({
  type: 'object',
  properties,
  additionalProperties: false,
  ...rest,
});
const list = (items: object) => ({ type: 'array', minItems: 1, items });

/** Types of fields in the published profile: the standard's text also has `list`. */
const FIELD_TYPES = [
  ...['string', 'number', 'integer', 'date', 'time', 'datetime', 'year', 'yearmonth', 'boolean', 'object'],
  ...['geopoint', 'geojson', 'array', 'duration', 'any'],
];

/**
 * The rules of https://datapackage.org/profiles/2.0/datapackage.json for the members that the build writes. The profile allows
 * any other member; here it is an error, so that whoever adds one looks up its rule.
 */
const PROFILE = object(
  {
    $schema: { const: 'https://datapackage.org/profiles/2.0/datapackage.json' },
    name: text,
    version: text,
    title: text,
    description: text,
    homepage: { type: 'string', format: 'uri' },
    contributors: list(
      object({ title: text, email: { type: 'string', format: 'email' }, path, roles: list(text) }),
    ),
    licenses: list(object({ path, title: text }, { required: ['path'] })),
    resources: list(
      object(
        {
          name: text,
          title: text,
          path: { oneOf: [path, list(path)] },
          type: { const: 'table' },
          format: text,
          mediatype: { type: 'string', pattern: '^(.+)/(.+)$' },
          encoding: text,
          bytes: { type: 'integer' },
          hash: { type: 'string', pattern: '^[^:]+:[a-fA-F0-9]+$' },
          dialect: object({ lineTerminator: text }),
          schema: object(
            {
              fields: list(
                object(
                  { name: text, title: text, description: text, type: { enum: FIELD_TYPES } },
                  { required: ['name'] },
                ),
              ),
              primaryKey: list(text),
            },
            { required: ['fields'] },
          ),
        },
        { required: ['name', 'path'] },
      ),
    ),
  },
  { required: ['resources'] },
);

it.each([
  [
    'with all that it may say',
    'description: Houses.\nlicense: { name: CC0, url: "https://license.example" }\n',
  ],
  ['with the least', ''],
])('datapackage.json is valid by its profile, %s', async (_name, settings) => {
  const workspace = createWorkspace();
  const contact =
    settings && 'contact: { name: Desk, email: desk@stays.example, url: "https://stays.example/desk" }\n';
  workspace.configure(
    `base_url: https://stays.example\npage_sizes: [25]\ntargets: [nginx]\nexplorer: { enabled: false }\n${settings}${contact}`,
  );
  workspace.add(1);
  expect((await workspace.build()).outcome).toBe('published');
  const document = workspace.json('datapackage.json') as {
    resources: { format: string; schema?: { fields: { type: string }[] } }[];
  };
  const ajv = new Ajv({ allErrors: true });
  addFormats(ajv);
  const validate = ajv.compile(PROFILE);
  validate(document);
  expect(validate.errors ?? []).toEqual([]);
  expect(document.resources.map(({ format }) => format)).toEqual(['ndjson', 'geojson', 'csv']);
  document.resources.at(-1)!.schema!.fields[0]!.type = 'list';
  expect(validate(document)).toBe(false);
});
