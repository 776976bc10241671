/** Import this module dynamically: it loads the large YAML library. */
import { stringify } from 'yaml';

export function yamlText(json: string): string {
  return stringify(JSON.parse(json), { lineWidth: 0, aliasDuplicateObjects: false });
}
