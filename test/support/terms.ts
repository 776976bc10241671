import type * as z from 'zod';
import { configurationSchema } from '../../src/contract/configuration.ts';
import { declaredTerms, type Terms } from '../../src/contract/terms.ts';
import { vocabularyFrom } from '../../src/contract/vocabulary.ts';

export function termsFrom(vocabulary?: Parameters<typeof vocabularyFrom>[0]): Terms {
  return declaredTerms({ vocabulary: vocabularyFrom(vocabulary) });
}

/** Every scalar is a text, as in `catalogue.yaml`. */
export function declared(settings: Pick<z.input<typeof configurationSchema>, 'fields' | 'languages'>): Terms {
  return declaredTerms(configurationSchema.parse(settings));
}
