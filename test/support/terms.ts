import type * as z from 'zod';
import { configurationSchema } from '../../src/contract/configuration.ts';
import { fieldsOf, type Terms } from '../../src/contract/terms.ts';
import { vocabularyFrom } from '../../src/contract/vocabulary.ts';

/** With a vocabulary, and no declared fields. */
export function termsFrom(vocabulary?: Parameters<typeof vocabularyFrom>[0]): Terms {
  return fieldsOf({ vocabulary: vocabularyFrom(vocabulary) });
}

/** With declared fields. Every scalar is a text, as in `catalogue.yaml`. */
export function declared(settings: Pick<z.input<typeof configurationSchema>, 'fields' | 'languages'>): Terms {
  return fieldsOf(configurationSchema.parse(settings));
}
