import { it } from 'vitest';
import { playDeclaredSeries, playSeries } from './edit-series.ts';

it('40 series of edits end in the output of a clean build', () => playSeries(40), 3_600_000);

it(
  '50 series of edits of declared fields and translations do (I54)',
  () => playDeclaredSeries(50),
  3_600_000,
);
