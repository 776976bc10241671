/** Countries and currencies as people write them, and the codes that are proposed for them (A9). */
import { describe, expect, it } from 'vitest';
import { checkPropertyFile } from '../../src/source/property-file.ts';
import { termsFrom } from '../support/terms.ts';
import { propertyText } from './property-text.ts';

/** Texts in place of a code, by the code that they stand for; those of "-" stand for none, or for several. */
const COUNTRY_TEXTS = `
AE: UAE; U.A.E.; United Arab Emirates; the United Arab Emirates; ARE
AR: Argentina; ARG; argentina
AT: Österreich; Oesterreich; Osterreich; Austria; AUT; at; A
AU: AUS; Australia; AUSTRALIA
BA: Bosnia; Bosnia and Herzegovina; Bosnia & Herzegovina; Bosna i Hercegovina
BE: België; Belgique; Belgien; Belgium; BEL; Belgie
BG: България; Bulgaria; BGR
BO: Bolivia; Bolivia (Plurinational State of); Plurinational State of Bolivia
BR: Brasil; Brazil; BRA
BY: Belarus; Беларусь; BLR
CA: Canada; CAN; canada
CD: DR Congo; Zaire; COD; Democratic Republic of the Congo
CG: Republic of the Congo; COG; Congo-Brazzaville
CH: Schweiz; Suisse; Svizzera; Svizra; Switzerland; CHE; SUI; Swizterland
CI: Ivory Coast; Côte d'Ivoire; Cote d’Ivoire; CIV
CN: China; 中国; CHN; PRC
CV: Cape Verde; Cabo Verde
CY: Cyprus; Κύπρος; Kıbrıs; CYP
CZ: Czech Republic; Czechia; Česko; Česká republika; Ceska republika; CZE; The Czech Republic
DE: Deutschland; Germany; GER; DEU; germany; Germny; Federal Republic of Germany; DEUTSCHLAND; D
DK: Danmark; Denmark; DNK
DO: Dominican Republic; República Dominicana; DOM
EE: Eesti; Estonia; EST
EG: مصر; Egypt; EGY
ES: España; Espana; Spain; ESP; Espanya; Sapin
FI: Suomi; Finland; FIN
FR: FRA; France; france; Frnace; FRANCE
GB: UK; U.K.; uk; England; Scotland; Wales; Northern Ireland; Great Britain; Britain; United Kingdom; GBR; the United Kingdom; Great Britian; Cymru; Groot-Brittannië; Großbritannien; Grande-Bretagne; Gran Bretaña; Gran Bretagna; Grã-Bretanha; Wielka Brytania
GE: Georgia; GEO; საქართველო
GR: Greece; Ελλάδα; Hellas; EL; GRC
HK: Hong Kong; HKG
HR: Hrvatska; Croatia; HRV; CRO
HU: Magyarország; Magyarorszag; Hungary; HUN
IE: Ireland; Éire; Eire; Republic of Ireland; IRL; Irland; ie; Irelnd; "Ireland "
IL: Israel; ישראל; ISR
IN: India; भारत; IND
IR: Iran; Persia; Islamic Republic of Iran; IRN
IS: Ísland; Iceland; ISL
IT: Italia; Italy; ITA; Itlay
JP: Japan; 日本; JPN
KH: Cambodia; Kampuchea
KN: St Kitts and Nevis; Saint Kitts & Nevis; St. Kitts and Nevis
KP: North Korea; DPRK; PRK
KR: South Korea; Republic of Korea; Korea, Republic of; 대한민국; KOR
LA: Laos; Lao People's Democratic Republic
LC: St. Lucia; Saint Lucia; LCA
LK: Ceylon; Sri Lanka
LU: Luxembourg; Luxemburg; LUX; Lëtzebuerg
LV: Latvija; Latvia; LVA
MA: Maroc; Morocco; المغرب; MAR; Marocco
MC: Monaco; MCO
MD: Moldova; Republic of Moldova; MDA
ME: Crna Gora; Montenegro; MNE
MK: Macedonia; North Macedonia; FYROM; MKD
MM: Burma; Myanmar; MMR
MO: Macau; Macao; MAC
MT: Malta; MLT
MX: México; Mexico; MEX
NL: Holland; The Netherlands; Netherlands; Nederland; NLD; NED; the netherlands
NO: Norge; Norway; NOR; no; Noreg
NZ: New Zealand; NZL; Aotearoa; New Zeland
PH: Philippines; Pilipinas; the Philippines; PHL
PL: Polska; Poland; POL
PS: Palestine; State of Palestine
PT: Portugal; PRT; POR; portugal
RE: La Réunion; Reunion; Réunion; REU
RO: România; Romania; ROU; Rumania
RS: Srbija; Србија; Serbia; SRB
RU: Russia; Russian Federation; Россия; RUS
SA: Saudi Arabia; KSA; SAU
SE: Sverige; Sweden; SWE
SI: Slovenija; Slovenia; SVN
SK: Slovensko; Slovakia; Slovak Republic; SVK
SY: Syria; Syrian Arab Republic
SZ: Swaziland; Eswatini; SWZ
TH: Thailand; ไทย; Siam; THA
TL: East Timor; Timor-Leste
TR: Turkey; Türkiye; Turkiye; TUR; turkey
TW: Taiwan; 台灣; TWN
TZ: Tanzania; United Republic of Tanzania; TZA
UA: Україна; Ukraine; UKR; The Ukraine
US: USA; U.S.A.; U.S.; United States; United States of America; America; the USA; Untied States
VA: Vatican City; Vatican; Holy See
VN: Vietnam; Viet Nam; Việt Nam; VNM
XK: Kosovo; XKX
ZA: South Africa; Suid-Afrika; ZAF; RSA
-: ZZ; EU; Europe; European Union; Korea; Congo; Virgin Islands; Yugoslavia; Czechoslovakia; USSR; Soviet Union; Serbia and Montenegro; Scandinavia; Benelux; Texas; California; London; Paris; Bavaria; Catalonia; Siberia; Lagos; Yalta; West Indies; Asia; Africa; None; N/A; n.a.; -; ?; the; XX; SU; AN; YU; 49; x; toString; Home; C:\\x
`;

const CURRENCY_TEXTS = `
AED: Dirham in AE; UAE Dirham
AUD: A$; Australian Dollar; $ in AU; AU$; Australian dollars
BAM: Mark in BA; KM in BA
BRL: R$; Real; $ in BR; Brazilian Real
BYN: BYR
CAD: C$; CA$; Canadian dollars; $ in CA; CDN; dollars in Canada
CHF: SFr.; Swiss francs; Franken; Swiss franc; Franc in CH; Francs suisses; franco suizo; Zwitserse frank; frank szwajcarski; CHF (SFr.)
CNY: RMB; Yuan; ¥ in CN; Renminbi
CZK: Kč; Czech Koruna; Tschechische Krone; couronne tchèque; Koruna in CZ; kc
DKK: kr in DK; Danish Krone; kr. in DK; krone in DK
EUR: €; Euro; EUROS; € EUR; Euro (EUR); euros; eur; HRK; DEM; FRF; ITL; ESP; NLG; PTE; BGN; ATS; IEP; LTL; ERU; € in GB
GBP: £; British Pound; libras esterlinas; Britisches Pfund; Pound Sterling; pounds sterling; STG; GPB; £ in GB; pounds in GB; £ in FR; Sterling
HUF: Ft in HU; Forint; Hungarian Forint
ILS: ₪; NIS; Shekel
INR: ₹; ₹ in IN; rupees in IN
ISK: kr in IS; ISJ
JPY: ¥ in JP; Yen; Japanese Yen
MRU: MRO
MXN: $ in MX; MX$; peso in MX; pesos in Mexico
NOK: kr in NO; Norwegian Krone
NZD: NZ$; $ in NZ; New Zealand dollar
PLN: zł; zl; Zloty; złoty polski; złoty; PLZ; Polish Zloty
RON: lei in RO; ROL; Romanian Leu
RUB: ₽; RUR; ruble in RU
SEK: kr in SE; Swedish Krona; krona in SE
SLE: SLL; Leone
STN: STD
THB: ฿; Baht; Thai Baht
TRY: ₺; TRL; Turkish Lira; TL; lira in TR
TWD: NT$; NTD; $ in TW
UAH: ₴; Hryvnia
USD: US$; $ in US; USD ($); US-Dollar; $ USD in CA; U.S. Dollar; usd; dollars in the USA; $ in EC; UDS
VES: VEF
XCG: ANG
XOF: F CFA in SN; franc in CI
ZAR: Rand; R in ZA
ZWG: ZWL
-: $; dollar; $ in FR; $ in ZZ; kr; kr in FI; ¥; ¥ in FR; Rs; peso; pound; franc; dinar; lira; mark; guilder; crown; SUR; CSK; YUM; CFA; XAU; XXX; BTC; Bitcoin; points; ZZZ; UK; -; gold; ₩; Rial; 12; CNH; USDT; corona; Pfund; EUR USD; USD (€)
`;

type Case = readonly [text: string, country: string, code: string];

function casesOf(table: string): Case[] {
  return table
    .trim()
    .split('\n')
    .flatMap((line) => {
      const [code = '', texts = ''] = line.split(/: (.*)/);
      return texts.split('; ').map((text): Case => {
        const [value = '', country = 'IE'] = text.split(' in ');
        return [value, country, code];
      });
    });
}

/** The code that is proposed for a text in a file; "-" for none. */
function proposed(field: 'country' | 'currency', value: string, country: string): string {
  const given = field === 'country' ? {} : { country: JSON.stringify(country) };
  const text = propertyText({ ...given, [field]: JSON.stringify(value.replace(/^"|"$/g, '')) });
  const { diagnostics } = checkPropertyFile(Buffer.from(text), '', termsFrom());
  const found = diagnostics.find(({ code }) => code === `unknown-${field}`);
  return found === undefined ? 'accepted' : (found.suggestion ?? '-');
}

describe('a text in place of a code', () => {
  const [countries, currencies] = [casesOf(COUNTRY_TEXTS), casesOf(CURRENCY_TEXTS)];

  it('is one of many', () => expect(countries.length + currencies.length).toBeGreaterThan(300));

  it('gets the right country proposed, or none', () => {
    const wrong = countries.filter(([text, , code]) => proposed('country', text, '') !== code);
    expect(wrong.map(([text, , code]) => [text, code, proposed('country', text, '')])).toEqual([]);
  });

  it('gets the right currency proposed, or none', () => {
    const wrong = currencies.filter(([text, country, code]) => proposed('currency', text, country) !== code);
    const named = wrong.map(([text, country, code]) => [
      text,
      country,
      code,
      proposed('currency', text, country),
    ]);
    expect(named).toEqual([]);
  });
});
