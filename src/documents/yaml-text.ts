/** The YAML library is large: import this module only when it is used. */
import { stringify } from 'yaml';

export function yamlText(json: string): string {
  return stringify(JSON.parse(json), { lineWidth: 0, aliasDuplicateObjects: false });
}
