import { it } from 'vitest';
import { playDeclaredSeries, playSeries } from './edit-series.ts';

it('300 series of edits end in the output of a clean build', () => playSeries(300), 3_600_000);

it(
  '200 series of edits of declared fields and translations do (I54)',
  () => playDeclaredSeries(200),
  3_600_000,
);
