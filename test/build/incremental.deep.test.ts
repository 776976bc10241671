import { it } from 'vitest';
import { playSeries } from './edit-series.ts';

it('300 series of edits end in the output of a clean build', () => playSeries(300), 900_000);
