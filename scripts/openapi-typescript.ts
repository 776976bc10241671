/**
 * Loads openapi-typescript with TypeScript 5, whose compiler API it needs and TypeScript 7 lacks. Borrows the copy of
 * `@arethetypeswrong/core`: a second direct dependency on `typescript` would also install `tsc`.
 */
import { createRequire, register } from 'node:module';
import { pathToFileURL } from 'node:url';

const require = createRequire(createRequire(import.meta.url).resolve('@arethetypeswrong/core'));
const library = JSON.stringify(pathToFileURL(require.resolve('typescript')));
const hook = `export const resolve = (name, context, next) => next(name === 'typescript' ? ${library} : name, context);`;
register(`data:text/javascript,${encodeURIComponent(hook)}`);

const { astToString, default: openapiTS } = await import('openapi-typescript');
const { factory, SyntaxKind } = require('typescript');

/** An optional member may also be undefined, as in the schemas that the types are compared with. */
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
