/** Tags of YAML's own types, as some programs write them (`!!bool "true"`). Here every scalar is a text anyway. */
const OF_TEXTS = /^tag:yaml\.org,2002:(?:str|bool|int|float|timestamp|value|seq|map)$/;

export const NULL_TAG = 'tag:yaml.org,2002:null';

/** Tells whether a tag, resolved, may be left out without a change of the value. */
export function isTextTag(tag: string): boolean {
  return OF_TEXTS.test(tag);
}
