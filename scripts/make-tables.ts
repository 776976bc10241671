/**
 * Makes the files of `src/contract/tables/`, which `src/contract/tables.ts` describes:
 *
 *     npx tsx scripts/make-tables.ts
 *
 * The codes come from Unicode CLDR (npm `cldr-core`), the English names from `Intl.DisplayNames` of the Node that
 * runs this. The result is committed, so neither is needed at run time.
 */
import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { isMain } from './command-line.ts';

/** One generated file: where it goes, and its whole text. */
export interface Table {
  /** Path relative to the repository's root. */
  path: string;
  text: string;
}

interface Containment {
  supplemental: { territoryContainment: Record<string, { _contains?: string[] }> };
}

interface CurrencyData {
  supplemental: { currencyData: { region: Record<string, Record<string, CurrencyUse>[]> } };
}

/** When a region used a currency: `_to` is the day it ended, `_tender` is `false` for funds and units of account. */
interface CurrencyUse {
  _to?: string;
  _tender?: string;
}

const WORLD = '001';
const COUNTRY_COUNT = 250;

/** Leaves of CLDR's world that are exceptionally reserved in ISO 3166-1, or not in it at all. */
const NOT_ISO_3166 = new Set(['AC', 'CP', 'CQ', 'DG', 'EA', 'IC', 'TA']);

const require = createRequire(import.meta.url);

/** The officially assigned ISO 3166-1 alpha-2 codes and XK (Kosovo), sorted. */
export function countryCodes(): string[] {
  const containment = (require('cldr-core/supplemental/territoryContainment.json') as Containment)
    .supplemental.territoryContainment;
  const leaves = new Set<string>();
  const visit = (territory: string): void => {
    const children = containment[territory]?._contains;
    if (children) children.forEach(visit);
    else if (!NOT_ISO_3166.has(territory)) leaves.add(territory);
  };
  visit(WORLD);
  if (leaves.size !== COUNTRY_COUNT) {
    throw new Error(
      `CLDR has ${leaves.size} countries where ${COUNTRY_COUNT} were expected (249 of ISO 3166-1, and XK): ` +
        'compare its territoryContainment with ISO 3166-1, then correct NOT_ISO_3166 or COUNTRY_COUNT',
    );
  }
  return [...leaves].sort();
}

/** The ISO 4217 codes that are legal tender somewhere today, sorted. */
export function currencyCodes(): string[] {
  const regions = (require('cldr-core/supplemental/currencyData.json') as CurrencyData).supplemental
    .currencyData.region;
  const live = Object.values(regions)
    .flat()
    .flatMap((uses) => Object.entries(uses))
    .filter(([, use]) => use._to === undefined && use._tender !== 'false')
    .map(([code]) => code);
  return [...new Set(live)].sort();
}

/** The main currency (ISO 4217) of those of the countries (ISO 3166-1 alpha-2) that have one. Source: Unicode CLDR. */
function currenciesOfCountries(countries: ReadonlySet<string>): ReadonlyMap<string, string> {
  const data = require('cldr-core/supplemental/currencyData.json') as CurrencyData;
  const currencies = new Map<string, string>();
  for (const [country, uses] of Object.entries(data.supplemental.currencyData.region)) {
    if (!countries.has(country)) continue;
    // CLDR lists the uses of a region by importance, then from the newest to the oldest.
    const live = uses
      .flatMap((use) => Object.entries(use))
      .find(([, use]) => use._to === undefined && use._tender !== 'false');
    if (live) currencies.set(country, live[0]);
  }
  return currencies;
}

/** The tables as they are to be committed: a line for each code. */
export function makeTables(): Table[] {
  const codes = countryCodes();
  const currencies = currenciesOfCountries(new Set(codes));
  return [
    tableOf(
      'countries',
      namesOf(codes, 'region').map(([code, name]) => {
        const cells = [name, currencies.get(code)].filter((cell) => cell !== undefined);
        return [code, `[${cells.map((cell) => JSON.stringify(cell)).join(', ')}]`];
      }),
    ),
    tableOf(
      'currencies',
      namesOf(currencyCodes(), 'currency').map(([code, name]) => [code, JSON.stringify(name)]),
    ),
  ];
}

function tableOf(name: string, rows: readonly [code: string, json: string][]): Table {
  const lines = rows.map(([code, json]) => `  "${code}": ${json}`);
  return { path: `src/contract/tables/${name}.json`, text: `{\n${lines.join(',\n')}\n}\n` };
}

/** English names by code. */
function namesOf(codes: readonly string[], type: 'region' | 'currency'): [string, string][] {
  const names = new Intl.DisplayNames('en', { type, fallback: 'none' });
  return codes.map((code) => {
    const name = names.of(code);
    if (name === undefined) throw new Error(`This Node has no English name for ${type} ${code}`);
    return [code, name.normalize('NFC')];
  });
}

if (isMain(import.meta.url)) {
  for (const table of makeTables()) {
    writeFileSync(fileURLToPath(new URL(`../${table.path}`, import.meta.url)), table.text);
    console.log(`wrote ${table.path}`);
  }
}
