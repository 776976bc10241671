// Run with `npx tsx scripts/make-client-types.ts`.
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { openApiSchemas } from '../src/contract/openapi/schemas.ts';
import { PROBLEMS } from '../src/contract/problem.ts';
import { isMain } from './command-line.ts';
import { typesOf } from './openapi-typescript.ts';

const FILE = fileURLToPath(new URL('../src/client/types.ts', import.meta.url));
const FORMATTER = fileURLToPath(new URL('../node_modules/@biomejs/biome/bin/biome', import.meta.url));

export async function clientTypes(): Promise<string> {
  const { Index: CatalogueIndex, ...schemas } = openApiSchemas(true);
  const components = { schemas: { ...schemas, CatalogueIndex } };
  const document = { openapi: '3.1.0', info: { title: '', version: '' }, paths: {}, components };
  const [, types = ''] = /^ {4}schemas: \{\n(.*?)^ {4}\};$/ms.exec(await typesOf(document)) ?? [];
  const text = types
    .replace(/^ {8}/gm, '')
    .replace(/^(\w+): /gm, 'export type $1 = ')
    .replace(/^};$/gm, '};\n')
    .replaceAll('@description ', '')
    .replace(/^ *\/\*\* @constant \*\/\n|^ *\* @constant\n/gm, '')
    .replace(/components\["schemas"\]\["(\w+)"\]/g, '$1');
  const codes = Object.keys(PROBLEMS).map((code) => `  | '${code}'`);
  const file = `/** What the API publishes. Made by scripts/make-client-types.ts: edit the schemas instead. */

/** Permanent code of an error: the fragment of the \`type\` of a problem. */
export type ProblemCode =
${codes.join('\n')};

${text}`;
  const args = [FORMATTER, 'format', '--stdin-file-path', FILE];
  return execFileSync(process.execPath, args, { input: file, encoding: 'utf8' });
}

if (isMain(import.meta.url)) writeFileSync(FILE, await clientTypes());
