/**
 * Makes the files of `src/contract/tables/`, which `src/contract/tables.ts` describes:
 *
 *     npx tsx scripts/make-tables.ts
 *
 * The codes come from Unicode CLDR (npm `cldr-core`), the names from `Intl` of the Node that runs this, which holds the
 * names of CLDR, and from `other-names.ts`. The result is committed, so none of them is needed at run time.
 */
import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { foldName } from '../src/source/code-meant.ts';
import { isMain } from './command-line.ts';
import {
  AMBIGUOUS_FORMER,
  AMBIGUOUS_WORDS,
  OTHER_COUNTRY_NAMES,
  OTHER_CURRENCY_NAMES,
  OTHER_SUCCESSORS,
} from './other-names.ts';

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

interface CodeMappings {
  supplemental: { codeMappings: Record<string, { _alpha3?: string }> };
}

interface TerritoryInfo {
  supplemental: { territoryInfo: Record<string, { languagePopulation?: Record<string, LanguageUse> }> };
}

interface LanguageUse {
  _officialStatus?: string;
  _populationPercent?: string;
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
      withOthers(
        namesOf(codes, 'region').map(([code, name]) => {
          const alpha3 = alpha3Of(code);
          return [code, [name, currencies.get(code) ?? '', alpha3], localNames(code)];
        }),
        OTHER_COUNTRY_NAMES,
      ),
    ),
    tableOf('currencies', withOthers(currencyRows(codes, currencies), OTHER_CURRENCY_NAMES)),
  ];
}

type Row = [code: string, cells: string[], names: string[]];

/**
 * Adds to each row the names that stand for its code alone. A name that the tables give to several codes is left out,
 * unless `others`, which is written by hand, gives it to one.
 */
function withOthers(rows: readonly Row[], others: Readonly<Record<string, string>>): [string, string[]][] {
  const codesOf = new Map<string, Set<string>>();
  const add = (code: string, name: string) => {
    const folded = foldName(name);
    codesOf.set(folded, (codesOf.get(folded) ?? new Set()).add(code));
  };
  for (const [code, [name = ''], names] of rows) for (const one of [code, name, ...names]) add(code, one);
  const own = new Map<string, string>();
  for (const [code, names] of Object.entries(others)) {
    for (const name of names.split(/, */)) {
      const known = own.get(foldName(name)) ?? code;
      if (known !== code) throw new Error(`${name} stands for ${code} and ${known}`);
      own.set(foldName(name), code);
    }
  }
  return rows.map(([code, cells, names]) => {
    const seen = new Set([cells[0]!, cells[2]!].map(foldName));
    const isAlone = (name: string) => codesOf.get(foldName(name))!.size === 1 && !own.has(foldName(name));
    const given = [...names.filter(isAlone), ...(others[code]?.split(/, */) ?? [])];
    const fresh = given.filter((name) => foldName(name) !== '' && seen.size < seen.add(foldName(name)).size);
    return [code, [...cells, ...fresh]];
  });
}

function alpha3Of(code: string): string {
  const mappings = (require('cldr-core/supplemental/codeMappings.json') as CodeMappings).supplemental
    .codeMappings;
  return mappings[code]?._alpha3 ?? '';
}

/** The names of a country in the languages that are official there, or that half of its people speak. */
function localNames(code: string): string[] {
  const { territoryInfo } = (require('cldr-core/supplemental/territoryInfo.json') as TerritoryInfo)
    .supplemental;
  const languages = Object.entries(territoryInfo[code]?.languagePopulation ?? {})
    .filter(([, use]) => use._officialStatus !== undefined || Number(use._populationPercent) >= 50)
    .map(([language]) => language.replaceAll('_', '-'));
  return Intl.DisplayNames.supportedLocalesOf(languages).flatMap((language) => {
    const name = new Intl.DisplayNames(language, { type: 'region', fallback: 'none' }).of(code);
    return name === undefined ? [] : [name.normalize('NFC')];
  });
}

/** Name, symbol and former codes of each currency; its symbol and the last word of its name are names of it alone where no other has them. */
function currencyRows(countries: readonly string[], mainOf: ReadonlyMap<string, string>): Row[] {
  const former = formerCodes(countries, mainOf);
  const words = new Map<string, number>();
  for (const [, name] of namesOf([...currencyCodes(), ...former.keys()], 'currency'))
    words.set(wordOf(name), (words.get(wordOf(name)) ?? 0) + 1);
  return namesOf(currencyCodes(), 'currency').map(([code, name]) => {
    const symbol = symbolOf(code);
    const old = [...former].flatMap(([from, to]) => (to === code ? [from] : []));
    const isClear = /[^A-Za-z.\s]/.test(symbol) && symbol !== '$';
    const isAlone = words.get(wordOf(name)) === 1 && !AMBIGUOUS_WORDS.has(wordOf(name));
    const names = [...(isClear ? [symbol] : []), ...(isAlone ? [wordOf(name)] : [])];
    return [code, [name, symbol, old.join(' ')], names];
  });
}

/** The last word of a name, such as "zloty". */
function wordOf(name: string): string {
  return name.split(' ').at(-1)!.toLowerCase();
}

/** The sign of a currency where it is used; empty where that is its code. */
function symbolOf(currency: string): string {
  const format = new Intl.NumberFormat('en', {
    style: 'currency',
    currency,
    currencyDisplay: 'narrowSymbol',
  });
  const symbol = format.formatToParts(1).find(({ type }) => type === 'currency')?.value ?? '';
  return symbol === currency ? '' : symbol;
}

/** Codes of former currencies, and the currency of today in the countries that used them last. */
function formerCodes(countries: readonly string[], mainOf: ReadonlyMap<string, string>): Map<string, string> {
  const { region } = (require('cldr-core/supplemental/currencyData.json') as CurrencyData).supplemental
    .currencyData;
  const live = new Set(currencyCodes());
  const ends = new Map<string, { to: string; successors: Set<string> }>();
  for (const country of countries) {
    const main = mainOf.get(country);
    for (const [code, { _to: to = '', _tender }] of (region[country] ?? []).flatMap((use) =>
      Object.entries(use),
    )) {
      if (live.has(code) || _tender === 'false' || main === undefined || AMBIGUOUS_FORMER.has(code)) continue;
      const known = ends.get(code);
      if (!known || known.to < to) ends.set(code, { to, successors: new Set([main]) });
      else if (known.to === to) known.successors.add(main);
    }
  }
  const found = [...ends].flatMap(([code, { successors }]): [string, string][] =>
    successors.size === 1 ? [[code, [...successors][0]!]] : [],
  );
  return new Map([...found, ...Object.entries(OTHER_SUCCESSORS)].sort());
}

function tableOf(name: string, rows: readonly (readonly [code: string, cells: readonly string[]])[]): Table {
  const lines = rows.map(([code, cells]) => `  "${code}": ${JSON.stringify(cells)}`);
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
