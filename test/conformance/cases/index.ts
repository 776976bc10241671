import type { Case } from '../case.ts';
import type { Fixture } from '../fixture.ts';
import { guardedCases, internalCases } from './access.ts';
import { cityCases } from './cities.ts';
import { faultCases } from './faults.ts';
import { cachingCases, hostileCases, methodCases } from './http.ts';
import { keyCases } from './keys.ts';
import { limitCases, pageCases } from './pages.ts';
import { detailCases, fileCases, pathCases } from './paths.ts';
import { folderCases, rangeCases } from './ranges.ts';
import { spellingCases } from './spellings.ts';

/** The table: every request that is tried on every target, and what is to come back. */
export function allCases(fixture: Fixture): Case[] {
  return [
    ...spellingCases(fixture),
    ...cityCases(fixture),
    ...pageCases(fixture),
    ...faultCases(fixture),
    ...limitCases(fixture),
    ...detailCases(fixture),
    ...pathCases(fixture),
    ...methodCases(fixture),
    ...cachingCases(fixture),
    ...hostileCases(fixture),
    ...fileCases(fixture),
    ...folderCases(fixture),
    ...rangeCases(fixture),
    ...internalCases(fixture),
    ...(fixture.keys.length > 0 ? [...keyCases(fixture), ...guardedCases(fixture)] : []),
  ];
}
