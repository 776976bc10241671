import { it } from 'vitest';
import { withstandsAll } from './strangers.ts';

it.each(['preview', 'writer'] as const)('what a stranger with the role of a %s writes does no harm', (role) =>
  withstandsAll(role, 60),
);
