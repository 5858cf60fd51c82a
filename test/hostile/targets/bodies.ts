import fc from 'fast-check';
import { loadContent } from '../../../src/content/load-content.ts';
import { ServiceRefusal } from '../../../src/contract/refusal.ts';
import { wireTax } from '../../../src/contract/wire.ts';
import { connect } from '../../../src/database/connect.ts';
import { systemClock } from '../../../src/kernel/calendar.ts';
import { openLedger } from '../../../src/ledger/ledger.ts';
import { ROUTES } from '../../../src/service/routes.ts';
import { type EmbeddedTaxService, embeddedTaxService } from '../../../src/service/tax-service.ts';
import { ORDER, REFUND, SANTA_MONICA } from '../../contract/samples.ts';
import { damagedText } from '../damaged-text.ts';
import { type FuzzTarget, fuzzRun, inTime } from '../fuzz-target.ts';

const REQUEST = {
  ...ORDER,
  nexus_addresses: [
    {
      id: 'a',
      country: 'US',
      zip: '90404',
      state: 'CA',
      city: 'Santa Monica',
      street: '1',
    },
  ],
  calculation_date: '2026-10-15',
  explain: true,
};

/** Texts that are JSON or not; a third of them damaged in places only where the JSON stays whole. */
const bodyOf = (whole: object): fc.Arbitrary<string> => {
  const text = JSON.stringify(whole);
  return damagedText(text).map((bytes) => bytes.toString());
};

/** What a field may hold instead, as JSON. */
const VALUES = [
  ...['null', 'true', '""', '" "', '0', '-0', '-1', '1e400', '1e21', '0.00005', '9007199254740993', '[{}]'],
  ...[
    '"1,000.00"',
    '"NaN"',
    '"\\u0000"',
    '"\\ud800"',
    '"99999-0000"',
    '"2026-02-30"',
    '"US"',
    '"ca"',
    '"TX"',
  ],
  ...['"0000-01-01T24:00:00+99:99"', '"00000"', '"20010"', '"99999"', '{}', '[]', '[[]]', '[null]'],
  '{"__proto__":{"amount":1}}',
] as const;

/** A body with other values in some of its fields; it is always JSON. */
const exchanged = (whole: object): fc.Arbitrary<string> => {
  const fields = (JSON.stringify(whole).match(/"[a-z_]+":(?:"[^"]*"|[\d.]+|true)/g) ?? []).length;
  const change = fc.tuple(fc.nat({ max: fields - 1 }), fc.constantFrom(...VALUES));
  return fc.array(change, { minLength: 1, maxLength: 4 }).map((changes) => {
    const values = new Map(changes);
    let field = -1;
    return JSON.stringify(whole).replace(/("[a-z_]+":)("[^"]*"|[\d.]+|true)/g, (all, name: string) => {
      field += 1;
      const value = values.get(field);
      return value === undefined ? all : `${name}${value}`;
    });
  });
};

const KINDS = { calculation: REQUEST, order: ORDER, refund: REFUND };
type Kind = keyof typeof KINDS;

const answerTo = (service: EmbeddedTaxService, operation: string, body: never): Promise<object> => {
  const answer = ROUTES.find(({ id }) => id === operation)?.answer;
  if (!answer) throw new Error(`the interface has no ${operation}`);
  return answer(service, { id: '', query: {} as never, body });
};

/** Bodies of calculations, orders and refunds, given to the service itself: each is answered or refused by its interface. */
export const bodies: FuzzTarget = {
  name: 'bodies',
  share: 70_000,
  open: async () => {
    const database = await connect('sqlite::memory:');
    const ledger = await openLedger(database);
    const { id: accountId } = await ledger.accounts.ensure({ name: 'fuzzed', ...SANTA_MONICA });
    const service = embeddedTaxService({ ledger, accountId, content: loadContent(), clock: systemClock });
    const answers: Readonly<Record<Kind, (body: never) => Promise<object>>> = {
      calculation: async (body) => wireTax(await service.calculateTax(body)),
      order: (body) => answerTo(service, 'createOrder', body),
      refund: (body) => answerTo(service, 'createRefund', body),
    };
    const body = fc.oneof(
      ...(Object.keys(KINDS) as Kind[]).flatMap((kind) => [
        bodyOf(KINDS[kind]).map((text) => ({ kind, text })),
        { weight: 3, arbitrary: exchanged(KINDS[kind]).map((text) => ({ kind, text })) },
      ]),
    );
    return {
      run: fuzzRun(body, async ({ kind, text }) => {
        const read = jsonIn(text);
        if (read === undefined) return;
        try {
          JSON.stringify(await inTime(answers[kind](read as never)));
        } catch (error) {
          if (!(error instanceof ServiceRefusal) || error.status < 400 || error.status >= 500) throw error;
        }
      }),
      close: () => database.close(),
    };
  },
};

const jsonIn = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    // The server refuses it before anybody reads it.
    return undefined;
  }
};
