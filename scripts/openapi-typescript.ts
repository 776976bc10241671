/**
 * openapi-typescript with the TypeScript 5 for which it was written: version 7 of this project has no library. The copy
 * of "are the types wrong" is used, since two packages of that name would both install the command `tsc`.
 */
import { createRequire, register } from 'node:module';
import { pathToFileURL } from 'node:url';

const require = createRequire(createRequire(import.meta.url).resolve('@arethetypeswrong/core'));
const library = JSON.stringify(pathToFileURL(require.resolve('typescript')));
const hook = `export const resolve = (name, context, next) => next(name === 'typescript' ? ${library} : name, context);`;
register(`data:text/javascript,${encodeURIComponent(hook)}`);

const { astToString, default: openapiTS } = await import('openapi-typescript');
const { factory, SyntaxKind } = require('typescript');

/**
 * The types of an OpenAPI document, as text. A field that may be absent may be undefined too, as it may in the schemas
 * that the types are compared with.
 */
export async function typesOf(document: URL | object): Promise<string> {
  const nodes = await openapiTS(document as URL, {
    exportType: true,
    transformProperty: (property) => {
      const { modifiers, name, questionToken, type } = property;
      if (!questionToken) return property;
      const missing = factory.createKeywordTypeNode(SyntaxKind.UndefinedKeyword);
      const union = factory.createUnionTypeNode([type, missing]);
      return factory.updatePropertySignature(property, modifiers, name, questionToken, union);
    },
  });
  return astToString(nodes);
}
