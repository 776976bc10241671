/** Access codes in texts and in columns stay out of properties. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { declaredTerms } from '../../../src/contract/terms.ts';
import { vocabularyFrom } from '../../../src/contract/vocabulary.ts';
import { privateColumnReason } from '../../../src/import/words/column-names.ts';
import {
  holdsAccessCode,
  privateInformationIn,
  withoutPrivateTexts,
} from '../../../src/import/words/private-text.ts';
import { createWorkspace } from '../../compile/workspace.ts';
import { imported } from '../imported.ts';

describe('a text', () => {
  it.each([
    ...[
      'Schlüsselbox-Code 2580',
      'Türcode lautet 4711',
      'Haustür 4711#',
      'PW Sommerhaus',
      'WLAN: geheim1234',
    ],
    ...['door code 1234#', 'pin for the gate: 5512', 'Key is in the lockbox (code 0815)', 'gate 4455#'],
    ...['Lovely. pw: Sommer2024', 'The WiFi key is tulips99', 'Use 2580 for the key safe', 'WPA2: 99887766'],
    ...[
      'Code de la porte : 4711',
      'digicode : 12B45',
      'La clave del wifi es mar2024azul',
      'codice cancello 55A12',
    ],
    ...['Senha do wifi: praia2023', 'Toegangscode: 8812', 'Kod do bramy 1357', 'Hasło do wifi: morze2024'],
    ...['La clave de la puerta es 4711.', 'Clave de acceso: 4711', 'Combinación: 4711', 'PIN de acceso 4711'],
    ...['La clef est 4711', 'Boîte à clefs : 4711', 'La combinaison du cadenas est 4711'],
    ...['La chiave della porta è 4711.', 'Il PIN della serratura è 4711', 'A senha da porta é 4711'],
    ...['Cofre das chaves 4711', 'Klucz do bramy to 4711', 'Hasłem jest 4711', 'Szyfr do sejfu to 4711'],
    ...['Der Schlüssel für das Tor ist 4711', 'Geheimzahl: 4711', 'De sleutel is 4711', 'Cijferslot 4711'],
    ...['Alarm is switched off with 9921', 'Enter 9921 to disarm the alarm', 'Alarm: off with 9921#'],
    ...['Die Alarmanlage wird mit 9921 ausgeschaltet', 'Alarm deaktivieren: 9921', 'Alarm aus mit 9921'],
    ...["L'alarme se désactive avec 9921", 'Pour désarmer l’alarme, tapez le 9921'],
    ...['La alarma se desactiva con 9921.', 'La alarma se apaga marcando 9921'],
    ...['L’allarme si disattiva con 9921', 'Het alarm wordt uitgeschakeld met 9921'],
    ...['O alarme desliga-se com 9921', 'Alarm wyłącza się kodem 9921', 'Alarm wyłączysz, wpisując 9921'],
    ...['The gate opens with 4711', 'Das Tor öffnet sich mit 4711', "La porte s'ouvre avec 4711"],
    ...['La puerta se abre con 4711', 'La porta si apre con 4711', 'De deur gaat open met 4711'],
    ...['A porta abre com 4711', 'Drzwi otwiera się, wpisując 4711'],
    ...['The key for the gate is 4711', 'PIN number: 4711', 'The combo is 4711', 'Padlock 4711'],
  ])('"%s" holds an access code', (text) => expect(holdsAccessCode(text)).toBe(true));

  it.each([
    ...['Postcode 12345', 'Code postal : 33000', 'Area code 02151', 'Reg. code HR-12345', 'CIN: IT012345'],
    ...['Check in from 15:00, the door opens at 1500', 'Built in 1890; renovated 2019', 'Bus pass 2024'],
    ...['WLAN: kostenlos', 'Wifi: 300 Mb', 'Free Wi-Fi 6, fibre 1000 Mbit/s', 'WiFi: 802.11ac'],
    ...['The password is given on arrival', 'Wifi password on request', 'password: none'],
    ...[
      'Self check-in with a door code, sent 24 hours before',
      'Use code SUMMER2024 for 10% off',
      'Porta 2, 4150',
    ],
    ...['Decoración en clave años 50', 'La clave: descansar', 'Clave: situación a 500 m de la playa'],
    ...[
      'La chiave del successo: 1500 ospiti',
      'La clef des champs, maison de 1890',
      'Klucz do sukcesu: 1500',
    ],
    ...['Key facts: 120 rooms', 'The key is at number 9', 'Der Schlüssel zum Glück seit 1998'],
    ...['The alarm was switched off in 2021', 'Smoke alarm, 120 m² in all', 'Alarm: yes; 350 m to the sea'],
    ...['Abre la puerta de un mundo con 120 habitaciones', 'The door opens with 24-hour service'],
    ...['Combinación de estilos desde 1920', 'Schlüsselfertig, 120 qm', 'Sleutel tot succes sinds 1998'],
  ])('"%s" holds none', (text) => expect(holdsAccessCode(text)).toBe(false));
});

describe('a text on an owner', () => {
  const account = 'a bank account';
  const owner = 'the name or the number of an owner';
  it.each([
    ['IBAN DE89370400440532013000', account],
    ['Deposit of 300 EUR to DE89 3704 0044 0532 0130 00 please', account],
    ['conto IT60X0542811101000000123456.', account],
    ['Lovely house. Owner: Anna Muster', owner],
    ['Owner: Anna Muster, +49 170 998877', owner],
    ['Call the owner on 087 123 4567', owner],
    ['Vermieter: Herr Muster', owner],
    ['Eigentümerin = Anna Muster', owner],
    ['Propriétaire : Anne Dupont', owner],
    ['La dueña: Ana García', owner],
    ['Proprietario: Mario Rossi', owner],
    ['Eigenaar: Jan de Vries, 06 12345678', owner],
    ['Proprietária: Ana Silva', owner],
    ['Właściciel: Jan Kowalski', owner],
    ['+48 601 234 567 (właścicielka)', owner],
    ...[
      'Au calme. Contactez Mme Claire Martin au 06 12 34 56 78.<br>Draps fournis.',
      'Contact M. Dupont au 0612345678',
      'Preguntar por Carmen López, 612 345 678.',
      'Llaves: Sra. García (tel. 612 345 678)',
      'Frau Weber unter Tel. 0171 9988776 hat die Schlüssel.',
      'Fam. Huber, +43 664 1234567',
      'Please ask for Maria on 07700 900123',
      'Mrs Penrose lets you in: 07700 900123',
      'Chiedere di Giulia al 333 1234567',
      'Sig.ra Rossi 333 1234567',
      'Dhr. de Vries, 06-12345678',
      'Senhora Silva: 912 345 678',
      'Pani Anna, tel. 601 234 567',
      '0171 9988776 (Herr Weber)',
    ].map((text) => [text, 'the name and the number of a person']),
    ...[
      'The key is under the flower pot.',
      'The spare keys are hidden behind the meter box',
      'Quiet. Keys will be left in the letterbox',
      'Der Schlüssel liegt unter der Fußmatte.',
      'Den Schlüssel finden Sie im Briefkasten',
      'La clé se trouve sous le pot de fleurs',
      'Les clefs sont dans la boîte aux lettres',
      'La llave está debajo de la maceta',
      'Las llaves están en el buzón.',
      'La chiave è sotto lo zerbino',
      'Le chiavi si trovano nella cassetta delle lettere',
      'De sleutel ligt onder de bloempot',
      'De sleutel zit in de brievenbus',
      'A chave está debaixo do capacho',
      'As chaves ficam na caixa de correio',
      'Klucz leży pod wycieraczką',
      'Klucze są w skrzynce na listy',
      'Spare key under the mat',
      'You find the keys behind the third flower pot',
      'The key hangs on the hook in the shed',
      'Keys are with the neighbour',
      'A chave está debaixo do tapete',
      'Der Schlüssel hängt am Haken im Schuppen',
      'Der Schlüssel ist beim Nachbarn',
      'Les clés sont chez la voisine',
      'La llave está debajo de la alfombra',
      'Las llaves están con el vecino',
      'Le chiavi sono dalla vicina',
      'De sleutel ligt bij de buren',
      'As chaves estão com a vizinha',
      'Klucze są u sąsiadki',
    ].map((text) => [text, 'the place of a key']),
    ...[
      'Keybox to the left of the front door, combination one nine eight four',
      'The key is in the lockbox, combination one nine eight four',
      'Code: vier sieben eins eins',
      'Le code est un, neuf, huit, quatre.',
    ].map((text) => [text, 'an access code']),
    ...[
      'Free? See https://a.example/calendar/ical/12.ics?s=abc',
      'Fore Street 3 (www.a.example/ical/12)',
      'webcal://a.example/1',
    ].map((text) => [text, 'the link of a calendar']),
    ...['Card 4111 1111 1111 1111', 'Amex: 3782-822463-10005.', 'Karte 5555555555554444 bis 2028'].map(
      (text) => [text, 'the number of a card'],
    ),
  ])('"%s" holds %s', (text, what) => expect(privateInformationIn(text)).toBe(what));

  it.each([
    'DE89370400440532013001',
    'Owner: lives next door',
    'The owner Anna welcomes you',
    'Owner-managed since 1998',
    'Call us on 087 123 4567',
    'Taxi Weber: 0761 123456',
    'Hotel Don Carlos, 952 12 34 56',
    'Eat at Restaurant Chez Marcel, 02 99 40 12 34, by the sea',
    'Mr Bean was filmed here in 1998. Reception: 0351 123456',
    'Frau Holle welcomes 12 guests from 15.03.2026 to 20.10.2026',
    'Das Haus der Familie Huber, 12 km nach Lienz, 120 m², 1250 m über dem Meer',
    'IE12 house of stone in 2021',
    'The key is handed over by the owner.',
    'Collect the key at the reception, behind the flower shop',
    'Key facts: in the garden, a brick oven',
    'A key feature is the view. Breakfast is served under the brick vault',
    'Die Schlüsselübergabe ist im Haus. Ziegel aus der Region',
    'Remise des clés sur place',
    'The neighbours are friendly, the keys are handed over by the owner',
    'The key to a good holiday is a barn with a view',
    'A key ring hangs in the hall. There is a shed',
    'Les clés du garage sont remises à l’arrivée',
    'Dress code: smart. Rooms for one two or three',
    'A combination of one, two, three, four bedroom flats',
    'The harbour is under the key tower; mats for yoga',
    'Programme on https://a.example/ical-guide and https://a.example/physics',
    'Send us an invitation.ics',
    'Card 4111 1111 1111 1112',
    'https://a.example/4111111111111111',
    'Licence VT-4111111111111111',
    '5.4111111111111111 km',
    '4111 1111 11111111',
  ])('"%s" holds nothing private', (text) => expect(privateInformationIn(text)).toBeUndefined());
});

describe('a column by its name', () => {
  it.each([
    ...[
      'Notes',
      'Alarm',
      'Wi-Fi',
      'Hinweise',
      'Remarques',
      'key safe',
      'Notas',
      'Opmerkingen',
      'Uwagi',
      'Observações',
    ],
    ...[
      'Interne Hinweise',
      'Bemerkungen Gäste',
      'Zugangsdaten',
      'Accès',
      'Llaves',
      'Chiavi',
      'Sleutels',
      'SSID',
    ],
    ...['Allarme', 'Handy privat', 'vertraulich', 'Osservazioni', 'Geburtsdatum'],
    ...[
      'WiFi Password',
      'wlan-passwort',
      'Türcode',
      'code d’accès',
      'clave wifi',
      'hasło',
      'DoorCode',
      'toegangscode',
    ],
    ...['owner_email', 'Vermieter Telefon', 'propriétaire', 'host.name', 'właściciel', 'ownername'],
    ...['IBAN', 'Kontonummer', 'iCal-Link', 'Kalender', 'Commission %', 'Provision', 'USt-ID', 'partita IVA'],
    ...['Internal notes', 'Schlüsselübergabe', 'notas internas'],
    ...['Name of the owner', "Landlord's name", 'Name des Eigentümers', 'Vermietername', 'Name Gastgeberin'],
    ...['Nom du propriétaire', 'Nombre de la dueña', 'Nome del locatore', 'Naam van de verhuurders'],
    ...['Nome do senhorio', 'Imię właściciela', 'nazwisko gospodarza', 'Ansprechpartner'],
    ...['Gäste-WLAN', 'Guest Wi-Fi', 'Wifi invités', 'WiFi huéspedes', 'Wifi ospiti', 'Wi-Fi gości'],
    ...['Einkaufspreis', 'EK-Preis', 'Purchase cost', 'Prix d’achat', 'Precio de compra'],
    ...['Inkoopprijs', 'Preço de custo', 'Cena zakupu', 'Commissions', 'Provisionen', 'Marge %'],
    ...['Front door code', 'Code Haustür', 'Torcode', 'Code immeuble', 'Código del portal', 'Cod. portone'],
    ...[
      'Codice cassetta',
      'Code voordeur',
      'Kluiscode',
      'Código do portão',
      'Kod do domofonu',
      'Kod domofonu',
    ],
    ...['Where are the keys?', 'Wo liegt der Schlüssel', 'Où sont les clés', '¿Dónde están las llaves?'],
    ...['Dove sono le chiavi', 'Waar ligt de sleutel?', 'Onde estão as chaves', 'Gdzie są klucze'],
    ...['Login Alloggiati Web', 'Benutzername', "Nom d'utilisateur", 'Nombre de usuario', 'Nome utente'],
    ...['Gebruikersnaam', 'Nome de utilizador', 'Nazwa użytkownika', 'Password', 'Senha', 'Wachtwoord'],
  ])('%s is private', (name) => expect(privateColumnReason(name)).toBeDefined());

  it.each([
    'Private pool',
    'Internal code',
    'Accessible',
    'Key',
    'Notable sights',
    'Doorman',
    'Wi-Fi speed',
    'Name',
    'Hostel',
    'Pin code',
    'Skonto',
    'Telefon',
    'Hotel',
    'Description',
    ...['WLAN-Tempo (Mbit/s)', 'Débit Wi-Fi', 'Preis', 'Endreinigung Kosten'],
  ])('%s is not', (name) => expect(privateColumnReason(name)).toBeUndefined());
});

const HEADER = 'ref,name,city,country,lat,lon,House rules,Wi-Fi,Notes';
const ROSE = 'a,Rose,Cork,IE,51.9,-8.4,No pets. Door code 1234#,yes,Owner is often late';
const LIME = 'b,Lime,Cork,IE,51.8,-8.4,No pets.,no,Sells soon';
const table = (...rows: string[]) => `${[HEADER, ...rows].join('\n')}\n`;

describe('an import', () => {
  it('leaves texts with codes out, by row, and keeps values of private columns out of the mapping', async () => {
    const workspace = createWorkspace();
    const { result, mapping } = await imported(workspace, 'houses.csv', table(ROSE, LIME));
    const written = readFileSync(mapping!, 'utf8');
    expect(written).not.toMatch(/1234|often|Sells/);
    expect(written).toContain('Notes: notes');
    expect(written).toContain('from: Wi-Fi, value: wifi');
    expect(result!.causes.filter(({ code }) => code === 'private-text')).toMatchObject([
      { code: 'private-text', field: 'policy house_rules', count: 1, examples: [{ at: 'line 2' }] },
    ]);
    const [rose, lime] = ['rose', 'lime'].map((name) =>
      readFileSync(join(workspace.content, `properties/ie/${name}.yaml`), 'utf8'),
    );
    expect(rose).not.toContain('1234');
    expect(lime).toContain('No pets.');
  });

  it('refuses a title with a code, and keeps all texts where guests may read them', async () => {
    const coded = table('a,Rose (door code 1234#),Cork,IE,51.9,-8.4,,,', LIME);
    const workspace = createWorkspace();
    const { result } = await imported(workspace, 'houses.csv', coded);
    expect(result!.causes.filter(({ severity }) => severity === 'error')).toMatchObject([
      {
        ...{ code: 'private-text', field: 'title', count: 1 },
        examples: [{ message: expect.stringContaining('. The property is left out, since') }],
      },
    ]);
    const kept = await imported(workspace, 'houses.csv', coded, { keepPrivate: true });
    expect(kept.result).toMatchObject({ written: 1, refused: 0 });
  });
});

describe('a bank account', () => {
  it.each([
    ['IBAN FR76 3000 4000 2598 0000 1234 567 pour la caution', true],
    ['Kaution auf Kontonummer: DE12 5001 0517 0648 4898 91', true],
    ['RIB : FR7630004000259800001234567', true],
    ['Lot FR76 3000 4000 2598 0000 1234 567', false],
    ['Account for fr12 and the house by the sea', false],
    ['The IBAN is given on request. Licence FR76 3000 4000 2598 0000 1234 567', false],
  ])('is private after its name, whatever its check digits: %s', (text, isPrivate) => {
    expect(privateInformationIn(text)).toBe(isPrivate ? 'a bank account' : undefined);
  });
});

describe('a person with a phone number', () => {
  it.each([
    ...[['Sylvie 06 55 44 33 21', true] as const, ['Marie-Line Dupont : +33 6 55 44 33 21', true] as const],
    ...[['06.55.44.33.21 (Sylvie)', true] as const, ['Mme Le Goff 0655443321', true] as const],
    ...[['Réception 04 95 21 00 00', false] as const, ['Tél. : 04 95 21 00 00', false] as const],
    ...[['Emergency +44 20 7946 0018', false] as const, ['60 € par séjour', false] as const],
    ['Cleaning is done on Saturdays, call Sylvie on 06 55 44 33 21', false] as const,
  ])('is private if the text is nothing else: %s', (text, isPrivate) => {
    expect(privateInformationIn(text)).toBe(isPrivate ? 'the name and the number of a person' : undefined);
  });

  it('makes its column private, and is left out of a policy', async () => {
    const rows = ['Sylvie 06 55 44 33 21', 'Paul 06 55 44 33 22', '60 €'].map(
      (cleaning, n) => `h-${n},Casa ${n},Calvi,FR,42.5,8.7,${cleaning}`,
    );
    const text = ['ref,name,city,country,lat,lon,Ménage', ...rows].join('\n');
    const proposal = await imported(createWorkspace(), 'a.csv', text);
    expect(proposal.unused).toMatchObject([{ secret: 'the name and the number of a person' }, {}]);
    const ask = async (proposed: object) =>
      ({ ...proposed, hotel_policy: [{ policy_type: { value: 'cleaning' }, detail: 'Ménage' }] }) as never;
    const { result } = await imported(createWorkspace(), 'a.csv', text, { ask });
    expect(result!.causes.find(({ code }) => code === 'private-text')).toMatchObject({ count: 2 });
  });
});

describe('a column by its name and its values', () => {
  const secretOf = async (name: string, ...cells: string[]) => {
    const rows = cells.map((cell, n) => `h-${n},House ${n},Cork,IE,51.9${n},-8.4,${cell}`);
    const text = `ref,name,town,country,lat,lon,${name}\n${rows.join('\n')}\n`;
    const { unused } = await imported(createWorkspace(), 'a.csv', text);
    return unused.find((column) => column.name === name)?.secret;
  };

  it.each([
    ['Pulizie', 'Maria 333 1234567', 'Anna'],
    ['Schoonmaak', 'Ilse de Vries', 'Anna'],
    ['Putzfrau', 'Frau Schmidt', 'Anna'],
    ['Contatto', 'Mario Rossi', 'Ida Bo'],
    ['Kontakt', 'Max', 'Ida'],
    ['Password', 'x', 'x'],
  ])('%s (%s) is private', async (name, ...cells) => expect(await secretOf(name, ...cells)).toBeDefined());

  it.each([
    ['Pulizie', '50', '60'],
    ['Pulizie', '50 €', '60 €'],
    ['Cleaning', 'yes', 'no'],
    ['Limpieza', 'Incluida', 'Incluida'],
    ['Cassaforte', 'si', 'no'],
  ])('%s (%s) is not', async (name, ...cells) => expect(await secretOf(name, ...cells)).toBeUndefined());
});

describe('the sentence with the code', () => {
  it.each([
    ['Firenze.<br>Mare a 300&nbsp;m. Il codice è 4711.', 'Firenze.<br>Mare a 300&nbsp;m.', '"Il codice è …"'],
    [
      'Op 300 m van zee. De code van het kluisje is 4711. Tuin.',
      'Op 300 m van zee.  Tuin.',
      '"De code van …"',
    ],
    [
      'Op 300 m. van zee. De code van kluisje nr. 4 is 4711. Tuin.',
      'Op 300 m. van zee.  Tuin.',
      '"De code van …"',
    ],
    [
      'A 100 m. Il codice è 4711. Da 1.250 € a St. Moritz.',
      'A 100 m.  Da 1.250 € a St. Moritz.',
      '"Il codice è …"',
    ],
    ['Code am Haus Nr. 12 in St. Anton lautet 4711. Garten.', 'Garten.', '"Code am Haus …"'],
    ['Bella. WLAN Passwort: geheim1234. Mare.', 'Bella.  Mare.', '"WLAN Passwort: …"'],
    ['Bella. PW Sommerhaus. Mare.', 'Bella.  Mare.', '"PW …"'],
    ['Bella. 4711 is the door code. Mare.', 'Bella.  Mare.', '"…"'],
    [
      'Bella. Il codice è 4711. Per il garage 9922. Mare.',
      'Bella.   Mare.',
      '"Il codice è …", "Per il garage …"',
    ],
  ])('of "%s" is left out, and named without the code', (description, rest, named) => {
    const terms = declaredTerms({ vocabulary: vocabularyFrom() });
    const { raw, findings } = withoutPrivateTexts({ description }, terms);
    expect(raw).toEqual({ description: rest });
    expect(findings[0]!.message).toContain(` left out (${named}), since everybody`);
  });
});
