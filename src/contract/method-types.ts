/** Payment methods: `direct` through a gateway, `property` on site or by the owner (specification). */
export const METHOD_TYPES = ['direct', 'property'] as const;
