/** Converts JSON to YAML. The YAML library is large: import this module only when it is needed. */
import { stringify } from 'yaml';

/** Returns the document as block-style YAML, without folded lines, anchors and aliases. */
export function yamlText(json: string): string {
  return stringify(JSON.parse(json), { lineWidth: 0, aliasDuplicateObjects: false });
}
