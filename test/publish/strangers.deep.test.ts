import { it } from 'vitest';
import { withstandsAll } from './strangers.ts';

it.each(['preview', 'writer'] as const)(
  'what a stranger with the role of a %s writes does no harm, 5,000 times',
  { timeout: 3_600_000 },
  (role) => withstandsAll(role, 5_000),
);
