/** Tags of YAML's own types, as in `!!bool "true"`. They change nothing, since every scalar is read as a text. */
const IGNORED_TAG = /^tag:yaml\.org,2002:(?:str|bool|int|float|timestamp|value|seq|map)$/;

export const NULL_TAG = 'tag:yaml.org,2002:null';

export function isIgnoredTag(tag: string): boolean {
  return IGNORED_TAG.test(tag);
}
