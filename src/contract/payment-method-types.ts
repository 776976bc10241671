/** `direct`: paid through a gateway. `property`: paid on site or to the owner (specification, payment methods). */
export const PAYMENT_METHOD_TYPES = ['direct', 'property'] as const;
