/** JSON as YAML, for people who read it. The library is large: import this module when it is needed. */
import { stringify } from 'yaml';

/** The same document as block-style YAML, without folded lines, anchors and aliases. */
export function yamlText(json: string): string {
  return stringify(JSON.parse(json), { lineWidth: 0, aliasDuplicateObjects: false });
}
