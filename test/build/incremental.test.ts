import { it } from 'vitest';
import { playSeries } from './edit-series.ts';

it('40 series of edits end in the output of a clean build', () => playSeries(40), 900_000);
