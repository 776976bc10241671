import { isAlias, isMap, isNode, isScalar, isSeq, type Node, type Scalar, visit, type YAMLMap } from 'yaml';
import { parseWithinBounds } from '../source/bounded-yaml.ts';
import { isIgnoredTag } from '../source/yaml-tag.ts';

/**
 * `top`: `---` and the lines above it; empty if they have no comment or directive. `end`: `...` and the lines below it;
 * empty if they have no comment.
 */
export function splitAtDocumentMarkers(source: string): {
  readonly top: string;
  readonly body: string;
  readonly end: string;
} {
  const [top = ''] =
    /^(?:(?:[ \t]*(?:#.*)?|%.*)\n)*?---(?:(?:[ \t]+#.*|[ \t]*)\n|[ \t]+(?=[^\s#]))/.exec(source) ?? [];
  const rest = source.slice(top.length);
  const [end = ''] = /^\.\.\.[ \t]*(?:#.*)?(?:\n[ \t]*(?:#.*)?)*$(?![\s\S])/m.exec(rest) ?? [];
  return {
    top: /[#%]/.test(top) ? tidied(top) : '',
    body: rest.slice(0, rest.length - end.length),
    end: end.includes('#') ? tidied(end) : '',
  };
}

function tidied(lines: string): string {
  const text = lines.replace(/[ \t]+$/gm, '').replace(/\n{3,}/g, '\n\n');
  return `${text.trim()}\n`;
}

export function propertyMappingIn(source: string): YAMLMap | undefined {
  const { document, second, excess } = parseWithinBounds(source);
  const { contents } = document;
  if (excess || second || document.errors.length > 0 || !isMap(contents)) return undefined;
  return contents.items.length > 0 && isFlat(contents) ? contents : undefined;
}

function isFlat(root: YAMLMap): boolean {
  const isText = (node: unknown) => node === null || (isScalar(node) && isPlain(node));
  const isPlain = (node: unknown) => {
    const { anchor, tag } = Object(node) as Partial<Scalar>;
    return anchor === undefined && (tag === undefined || isIgnoredTag(tag));
  };
  const isMapping = (node: unknown, isValue: (value: unknown) => boolean) =>
    isMap(node) &&
    isPlain(node) &&
    node.items.every(({ key, value }) => isScalar(key) && isText(key) && isValue(value));
  const isItem = (node: unknown) =>
    node !== null && (isText(node) || (isMapping(node, isText) && (node as YAMLMap).items.length > 0));
  return isMapping(root, (value) =>
    isSeq(value) ? isPlain(value) && value.items.every(isItem) : isText(value),
  );
}

/** Explains why {@link formatText} returned undefined, as the end of a sentence about the file. */
export function whyNotFormatted(text: string): string {
  const source = text.replace(/\r\n/g, '\n');
  const { document, second } = parseWithinBounds(splitAtDocumentMarkers(source).body);
  const { contents } = document;
  if (second) return 'has several documents, separated by "---" or "..."';
  if (contents === null || (isScalar(contents) && contents.source === '')) return 'has no fields';
  if (!isMap(contents)) return 'has no "field: value" lines at its top';
  if (contents.items.length === 0) return 'has no fields';
  let reason: string | undefined;
  const lineOf = ({ range }: Node) =>
    source
      .slice(0, source.length - splitAtDocumentMarkers(source).body.length + (range?.[0] ?? 0))
      .split('\n').length;
  visit(contents, (role, node) => {
    if (!isNode(node) || node === contents || reason) return;
    const { anchor, tag } = node as Partial<Scalar>;
    const what = isAlias(node)
      ? 'an alias (*)'
      : anchor !== undefined
        ? 'an anchor (&)'
        : tag !== undefined && !isIgnoredTag(tag)
          ? 'a tag (!)'
          : role === 'key' && isScalar(node) && node.value === '<<'
            ? 'a merge key (<<)'
            : role === 'key' && !isScalar(node)
              ? 'a list or mapping in place of a name'
              : undefined;
    if (what) reason = `has ${what} in line ${lineOf(node)}`;
  });
  if (reason) return reason;
  if (!isFlat(contents)) return 'has a list or mapping inside of one that cannot have it';
  return text.includes('#')
    ? 'has a comment where it would be lost'
    : 'has a text that no other form can hold';
}
