import type { PropertyValues } from '../../src/editing/property-text.ts';
import { pick, type Random } from './random.ts';

/** Cancellation policies, in Airbnb's terms. */
export type Strictness = 'flexible' | 'moderate' | 'strict';

const CHECK_IN = [
  'Check-in is from 14:00 to 20:00. Please tell us your arrival time the day before.',
  'Check-in is from 15:00 to 22:00. Later arrivals are possible by arrangement.',
  'Rooms are ready from 15:00. If you arrive earlier you can leave your luggage with us.',
  'Check-in is from 16:00. Please bring a valid identity document for every adult.',
];
const SELF_CHECK_IN = [
  'Self check-in is possible at any time from 15:00. We send the code for the door on the day of arrival.',
  'Check in by yourself from 16:00 with the key from the lockbox beside the entrance.',
];
const CHECK_OUT = [
  'Check-out is until 10:00. Please leave the keys where you found them.',
  'Check-out is until 11:00. We gladly store your luggage until the evening.',
  'Please leave the room by 10:30. A later check-out is possible on request if the room is free.',
  'Check-out is until 12:00.',
];
const CANCELLATION: Readonly<Record<Strictness, readonly string[]>> = {
  flexible: [
    'Cancellation is free until 24 hours before arrival. After that the first night is charged.',
    'You can cancel free of charge until 18:00 on the day before arrival.',
  ],
  moderate: [
    'Cancellation is free until five days before arrival. After that half of the total price is charged.',
    'Cancellation is free until seven days before arrival. After that the first two nights are charged.',
  ],
  strict: [
    'Half of the total price is refunded until 14 days before arrival. After that there is no refund.',
    'Cancellation is free until 30 days before arrival. After that the total price is charged.',
  ],
};
const STRICTNESS = ['flexible', 'moderate', 'moderate', 'strict'] as const;
const NO_SHOW = [
  'If you do not arrive and do not let us know, the first night is charged and the rest of the stay is released.',
  'Without a message by 22:00 on the day of arrival the booking lapses and the total price is charged.',
  'A booking that is not taken up is charged in full.',
];
const PAYMENTS: readonly NonNullable<PropertyValues['payment_method']>[] = [
  [
    { is_enabled: true, method_type: 'direct' },
    { is_enabled: true, method_type: 'property' },
  ],
  [
    { is_enabled: true, method_type: 'direct' },
    { is_enabled: false, method_type: 'property' },
  ],
  [
    { is_enabled: false, method_type: 'direct' },
    { is_enabled: true, method_type: 'property' },
  ],
  [{ is_enabled: true, method_type: 'property' }],
];

export function madeUpPolicies(
  random: Random,
  known: { strictness?: Strictness | undefined; selfCheckIn?: boolean } = {},
): NonNullable<PropertyValues['hotel_policy']> {
  const strictness = known.strictness ?? pick(random, STRICTNESS);
  return [
    { policy_type: 'check_in', detail: pick(random, known.selfCheckIn ? SELF_CHECK_IN : CHECK_IN) },
    { policy_type: 'check_out', detail: pick(random, CHECK_OUT) },
    { policy_type: 'cancellation', detail: pick(random, CANCELLATION[strictness]) },
    { policy_type: 'no_show', detail: pick(random, NO_SHOW) },
  ];
}

export function madeUpPayments(random: Random): NonNullable<PropertyValues['payment_method']> {
  return pick(random, PAYMENTS);
}
