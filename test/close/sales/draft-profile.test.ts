import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { draftProfile } from '../../../src/close/sales/draft/draft-profile.ts';
import { guessColumns } from '../../../src/close/sales/draft/guess-columns.ts';
import { trialsIn } from '../../samples/exports/list-sample.ts';
import { folderOf, surveyed } from './files/on-disk.ts';
import { recordLines } from './record-lines.ts';

const draftOf = async (text: string) => {
  const folder = await folderOf({ 'orders.csv': text });
  const [file] = await surveyed(folder, 'orders.csv');
  if (!file) throw new Error('there is no file');
  return { folder, draft: await draftProfile(file) };
};

/** What a file becomes under the draft that its own header and rows give. */
const drafted = async (text: string) => {
  const { folder, draft } = await draftOf(text);
  await writeFile(join(folder, 'draft.yaml'), draft);
  return recordLines(await trialsIn(folder, ['orders.csv'], { profile: 'draft.yaml' }));
};

test('a report of Walmart, with costs of each line and a status to decide', async () => {
  const text = `PO#,Order#,Order Date,Customer Shipping Address,City,State,Zip,SKU,Item Description,Qty,Item Cost,Shipping Cost,Tax,Status
1801,7001,2026-10-05,"1 Main St, Oakland",Oakland,CA,94610,MUG,Mug,2,20.00,5.00,2.15,Delivered
1801,7001,2026-10-05,"1 Main St, Oakland",Oakland,CA,94610,CUP,Cup,1,10.00,0.00,1.08,Delivered
1802,7002,2026-10-25,"2 Main St, Boston",Boston,MA,02108,MUG,Mug,1,20.00,5.00,1.25,Cancelled
`;
  expect(await drafted(text)).toEqual([
    '7001 review undecided 2026-10-05 US CA 94610 55.00 shipping 5.00 tax 3.23: 2 x 20.00, 1 x 10.00',
    '7002 review undecided 2026-10-25 US MA 02108 25.00 shipping 5.00 tax 1.25: 1 x 20.00',
  ]);
});

test('invoices of QuickBooks, with a ZIP that lost its zero', async () => {
  const text = `Num,Date,Customer,Shipping address,Shipping city,Shipping state,Shipping zip code,Product/Service,Qty,Sales Price,Sales Tax Amount,Invoice Total
1001,10/25/2026,Ann,1 Main St,Oakland,CA,94610,Mug,2,20.00,4.30,44.30
1002,10/05/2026,Bob,2 Main St,Boston,MA,2108,Cup,1,10.00,0.63,10.63
`;
  expect(await drafted(text)).toEqual([
    '1001 accepted 2026-10-25 US CA 94610 40.00 tax 4.30: 2 x 20.00',
    '1002 warning zip-zero-restored 2026-10-05 US MA 02108 10.00 tax 0.63: 1 x 10.00',
  ]);
});

test('invoices of Xero, with words that stand close together and the day first', async () => {
  const text = `*ContactName,EmailAddress,POAddressLine1,POCity,PORegion,POPostalCode,POCountry,*InvoiceNumber,*InvoiceDate,*DueDate,Total,InventoryItemCode,*Description,*Quantity,*UnitAmount,Discount,*TaxType,TaxAmount,Currency
Ann,a@b.c,1 Main St,Oakland,CA,94610,US,INV-1,05/10/2026,04/11/2026,54.30,MUG,Mug,2,20.00,,Sales Tax,4.30,USD
Ann,a@b.c,1 Main St,Oakland,CA,94610,US,INV-1,05/10/2026,04/11/2026,54.30,CUP,Cup,1,10.00,,Sales Tax,0.00,USD
Bob,b@b.c,2 Main St,Boston,MA,02108,US,INV-2,25/10/2026,24/11/2026,10.63,CUP,Cup,1,10.00,,Sales Tax,0.63,USD
`;
  expect(await drafted(text)).toEqual([
    'INV-1 accepted 2026-10-05 US CA 94610 50.00 tax 4.30: 2 x 20.00, 1 x 10.00',
    'INV-2 accepted 2026-10-25 US MA 02108 10.00 tax 0.63: 1 x 10.00',
  ]);
});

test('orders without lines are worth what their total has beside shipping and tax', async () => {
  const text = `order_id,order_date,ship_country,ship_state,ship_zip,shipping_cost,sales_tax,order_total
7001,2026-10-05,US,CA,94610,5.00,4.30,49.30
7002,2026-10-06,US,MA,02108,5.00,1.25,26.25
`;
  expect(await drafted(text)).toEqual([
    '7001 accepted 2026-10-05 US CA 94610 45.00 shipping 5.00 tax 4.30',
    '7002 accepted 2026-10-06 US MA 02108 25.00 shipping 5.00 tax 1.25',
  ]);
});

test('a register of documents: types, times of their own, two lines an order, refunds as rows, a sum at the end', async () => {
  const text = `Sales Register
Doc No;Doc Type;Orig Doc;Doc Date;Doc Time;Doc Status;Cust No;Ship Town;Ship St;Ship Post Code;Ship Country;Item No;Item Text;Qty;Line Disc;Line Net;Line Tax;Freight;Freight Tax;Doc Disc;Doc Total;Curr
SI-1;INV;;13.10.2026;23:40;Posted;C-1;Seattle;WA;98101;USA;POT;Pot;1;12.00;108.00;11.18;15.00;1.55;6.00;149.59;USD
SI-1;INV;;13.10.2026;23:40;Posted;C-1;Seattle;WA;98101;USA;MUG;Mug;1;;18.00;1.86;;;;;USD
SI-2;INV;;14.10.2026;08:00;Void;C-1;Seattle;WA;98101;USA;MUG;Mug;2;;36.00;3.72;;;;39.72;USD
CM-9;CRM;SI-1;25.10.2026;11:00;Posted;C-1;Seattle;WA;98101;USA;;Goodwill;;;-18.00;-1.86;;;;-19.86;USD
Totals;;;;;;;;;;;;;;;144.00;14.90;;;;;
`;
  expect(await drafted(text)).toEqual([
    'SI-1 review undecided 2026-10-13 US WA 98101 135.00 shipping 15.00 tax 14.59: 1 x 120.00 - 17.14, 1 x 18.00 - 0.86',
    'SI-2 review undecided 2026-10-14 US WA 98101 36.00 tax 3.72: 2 x 18.00',
    'CM-9 refund of SI-1 review undecided 2026-10-25 US WA 98101 18.00 tax 1.86: 1 x 18.00',
    '- ignored footer',
  ]);
});

test('a date is known by its cells where no column is called so', async () => {
  const text = `Sale #,Sold,Deliver state,Deliver postcode,Deliver country,Row,Article,Units,Row discount,Row amount,Row tax,Shipping
B-1,"Oct 3, 2026 4:05:00 PM",IL,60601,US,1,Soap,3,$0.00,$18.00,$1.85,$5.00
B-1,"Oct 3, 2026 4:05:00 PM",IL,60601,US,2,Oil,1,$1.00,$15.20,$1.67,$5.00
`;
  expect(await drafted(text)).toEqual([
    'B-1 accepted 2026-10-03 US IL 60601 38.20 shipping 5.00 tax 3.52: 3 x 6.00, 1 x 16.20 - 1.00',
  ]);
});

test('a grouped report of QuickBooks: sums and notes are not rows, and the kinds of documents are asked about', async () => {
  const text = `Example Shop LLC,,,,,,,,,
Sales by Customer Detail,,,,,,,,,
"September 1-30, 2026",,,,,,,,,

,Transaction date,Transaction type,Num,Product/Service full name,Description,Quantity,Sales price,Amount,Balance
Ada Example,,,,,,,,,
,09/03/2026,Invoice,2001,Mugs:Blue,Blue mug,2.00,20.00,40.00,40.00
,09/12/2026,Credit Memo,2003,Mugs:Blue,Return,1.00,-20.00,-20.00,20.00
Total for Ada Example,,,,,,3.00,,$20.00,
TOTAL,,,,,,3.00,,$20.00,

"Accrual basis Tuesday, October 6, 2026",,,,,,,,,
`;
  const { draft } = await draftOf(text);
  expect(draft).toContain('footer: ["^(grand )?totals?\\\\b", "^(accrual|cash) basis\\\\b"] # DECIDE');
  expect(draft).toMatch(/in: \["Credit Memo"\] \}\], treat: review, as: refund/);
  expect(draft).toContain('total: "Amount" # DECIDE: is this the total of the order?');
  expect(await drafted(text)).toEqual([
    '- rejected unmapped-status',
    '2001 review unknown-state undecided 2026-09-03 US 40.00: 2 x 20.00',
    '2003-refund refund of 2003 review unknown-state undecided 2026-09-12 US 20.00: 1 x 20.00',
    '- ignored footer',
    '- ignored footer',
    '- ignored footer',
  ]);
});

test('orders of TikTok: the row that explains the columns is not an order, and the total is that of the order', async () => {
  const text = `Order ID,Order Status,Seller SKU,Product Name,Quantity,SKU Unit Original Price,SKU Subtotal Before Discount,SKU Subtotal After Discount,Shipping Fee After Discount,Taxes,Order Amount,Order Refund Amount,Created Time,Country,State,City,Zipcode
Platform unique order ID.,Current order status.,,,SKU sold quantity in the order.,,,,,,,,Order created time.,,,,
"577001\t",Completed,MUG-B,Blue mug,1,25.00,25.00,23.00,4.99,2.24,60.23,0.00,"09/03/2026 9:30:33 AM\t",United States,Texas,Austin,78701
"577001\t",Completed,CUP-B,Blue cup,1,30.00,30.00,30.00,4.99,2.24,60.23,0.00,"09/03/2026 9:30:33 AM\t",United States,Texas,Austin,78701
`;
  const { draft } = await draftOf(text);
  expect(draft).toContain('total: "Order Amount"\n');
  expect(draft).toMatch(/goods: .*"SKU Subtotal After Discount".* # DECIDE/);
  expect(draft).not.toContain('"Current order status."');
  expect(await drafted(text)).toEqual([
    '- ignored footer',
    '577001 review total-differs undecided 2026-09-03 US TX 78701 53.00 tax 2.24: 1 x 25.00 - 0.91, 1 x 30.00 - 1.09',
  ]);
});

test('movements of PayPal: an e-mail address is not a street, and nothing unsure goes unasked', async () => {
  const header =
    '"Date","Time","TimeZone","Name","Type","Status","Currency","Gross","Fee","Net","From Email Address","To Email Address","Transaction ID","Shipping Address","Sales Tax","Invoice Number","Town/City","Zip/Postal Code","Country"';
  const sale =
    '"09/02/2026","10:01:22","PDT","Ada","Express Checkout Payment","Completed","USD","108.25","-3.63","104.62","a@example.com","b@example.com","8AB1","1 Main St, Oakland","8.25","1001","Oakland","94610","United States"';
  const { draft } = await draftOf(`${header}\n${sale}\n`);
  expect(draft).toContain('street: "Shipping Address"\n');
  expect(draft).not.toMatch(/^ {4}(street|city): .*Email/m);
  for (const unsure of ['"Transaction ID"]', '"Gross"', '"Zip/Postal Code"', '"Town/City"'])
    expect(draft.split('\n').some((line) => line.includes(`${unsure} # DECIDE`))).toBe(true);
  expect(draft).toContain('columns: ["Date", "Time"]');
});

test.for([
  [
    'Bestellnr.;Bestelldatum;Lieferstraße;Lieferort;PLZ;Bundesstaat;Land;Bezeichnung;Menge;Zeilensumme;Versandkosten;Umsatzsteuer;Gesamtbetrag;Währung',
    '05.10.26 09:15',
    'German',
  ],
  [
    'Numéro de commande;Date de commande;Adresse de livraison;Ville;Code postal;State;Pays;Description;Quantité;Total ligne;Frais de port;TVA;Montant total;Devise',
    '2026/10/05',
    'French',
  ],
  [
    'Número de pedido;Fecha;Dirección;Ciudad;Código postal;State;País;Descripción;Cantidad;Line total;Gastos de envío;Impuestos;Importe total;Moneda',
    '25-10-2026',
    'Spanish',
  ],
] as const)('columns with names in another language: $2', async ([header, day]) => {
  const line = `7001;${day};1 Main St;Oakland;94610;CA;US;Mug;2;40,00;5,00;4,30;49,30;USD`;
  const [record] = await drafted(`${header}\n${line}\n`);
  expect(record).toMatch(/^7001 accepted 2026-10-\d\d US CA 94610 45\.00 shipping 5\.00 tax 4\.30/);
});

test('a number that comes again with no other item is an order or a refund of its own, and is asked about', async () => {
  const text = `order_id,order_date,ship_country,ship_state,ship_zip,sku,qty,unit price,sales_tax,order_total,Warehouse
7001,2026-10-05,US,CA,94610,MUG,1,40.00,4.30,44.30,East
7001,2026-10-09,US,CA,94610,MUG,1,-40.00,-4.30,-44.30,East
7002,2026-10-06,US,MA,02108,CUP,1,20.00,1.25,21.25,West
`;
  const { draft } = await draftOf(text);
  expect(draft).toContain('\n  kind: order-per-row\n');
  expect(draft).toContain('\n# DECIDE: 1 of the rows has the number and the item of the row before');
  expect(draft).toContain('\n  salesTax: { orZero: "sales_tax" }\n');
  expect(draft).toContain('\n# Not used below: Warehouse. DECIDE: does');
});

test('a spreadsheet of a wholesale desk: an order of two items is one order, and each column has its question', async () => {
  const sample = new URL('../../../samples/harbor-and-pine/desk_orders.csv', import.meta.url);
  const { draft } = await draftOf(await readFile(sample, 'utf8'));
  expect(draft).toContain('  kind: line-repeat\n  key: ["Order"]\n');
  expect(draft).not.toContain('Not used below');
  expect(draft).toContain('  refundId: "Order"\n  reference: "Of" # DECIDE');
  expect(draft).toContain('#   - { when: [{ column: "Exempt", in: ["government"] }], type: government }\n');
  expect(draft).toContain('#   - { when: [{ column: "Exempt", in: ["resale"] }], type: wholesale }\n');
  expect(draft).toContain('# marketplace: { when: [{ column: "Platform", is: filled }] }\n');
  expect(draft).toContain('# marketplaceTax: { orZero: "Platform tax" }\n');
});

test('receipts of a till, without any place, and with one that was given back', async () => {
  const text = `Date,Receipt,Item,Qty,Net,Tax,Total
2026-10-03,1001,Mug,1,12.00,0.99,12.99
2026-10-07,1002,Mug,-1,-12.00,-0.99,-12.99
`;
  const { draft } = await draftOf(text);
  expect(draft).toContain('# DECIDE: 1 of 2 rows has an amount below zero. Are these refunds?');
  expect(draft).toContain('  # inPerson: { column: "Receipt", is: filled }');
  expect(await drafted(text)).toEqual([
    expect.stringMatching(/^1001 review unknown-state 2026-10-03 .* 12.00 tax 0.99/),
    expect.stringMatching(/^1002-refund refund of 1002 review unknown-state 2026-10-07 US 12.00 tax 0.99/),
  ]);
});

test('sales with a state and without a ZIP code', async () => {
  const text = `Date,Receipt,State,Tax,Total
2026-10-03,1001,CA,0.99,12.99
`;
  const { folder, draft } = await draftOf(text);
  expect(draft).toContain('  # stateIsEnough: true');
  await writeFile(join(folder, 'draft.yaml'), draft.replace('# stateIsEnough', 'stateIsEnough'));
  expect(recordLines(await trialsIn(folder, ['orders.csv'], { profile: 'draft.yaml' }))).toEqual([
    expect.stringMatching(/^1001 warning \S+ 2026-10-03 US CA /),
  ]);
});

/** The same as `drafted`, of a draft that a person has changed. */
const corrected = async (text: string, changes: readonly (readonly [string | RegExp, string])[]) => {
  const { folder, draft } = await draftOf(text);
  const changed = changes.reduce((before, [from, to]) => before.replace(from, to), draft);
  await writeFile(join(folder, 'draft.yaml'), changed);
  return recordLines(await trialsIn(folder, ['orders.csv'], { profile: 'draft.yaml' }));
};

const NO_STATE = [/state: "[\w ]+" # DECIDE.*/, 'state: { constant: "" }'] as const;

test('a column of states is the state, whatever it is called: a sale is not made at the address of the seller then', async () => {
  const text = `Receipt,Date,Dest,Item,Qty,Price,Tax,Total
1001,2026-10-03,CA,Mug,1,10.00,0.78,10.78
1002,2026-10-04,,Mug,1,10.00,0.78,10.78
1003,2026-10-05,NV,Mug,1,10.00,0.84,10.84
`;
  const { draft } = await draftOf(text);
  expect(draft).toContain('    state: "Dest" # DECIDE: is this the state?\n');
  expect(draft).not.toContain('# inPerson: { column: "Receipt"');
  expect(draft).toContain('  # location: "Dest"\n');
});

test('a sale in person is held where a column of the state that the profile does not name has another one', async () => {
  const text = `Receipt,Date,Store_State,Bill State,Item,Qty,Price,Tax,Total
1001,2026-10-03,CA,NV,Mug,1,10.00,0.78,10.78
1002,2026-10-04,,NV,Mug,1,10.00,0.78,10.78
1003,2026-10-05,nevada,CA,Mug,1,10.00,0.84,10.84
`;
  const inPerson = (test: string) => ['# location: "Store_State"', `inPerson: ${test}`] as const;
  const any = '{ column: Receipt, is: filled }';
  expect(await corrected(text, [inPerson(any), NO_STATE])).toEqual([
    expect.stringMatching(/^1001 warning sold-in-person /),
    expect.stringMatching(/^1002 warning sold-in-person /),
    expect.stringMatching(/^1003 review other-state sold-in-person /),
  ]);
  const named = '{ all: [{ column: Receipt, is: filled }, { column: Store_State, matches: "" }] }';
  expect((await corrected(text, [inPerson(named), NO_STATE])).at(-1)).toMatch(
    /^1003 warning sold-in-person /,
  );
});

test.for([
  ['Before tax,Tax', { goods: 'Before tax', tax: 'Tax' }],
  ['Total before tax,Tax,Grand total', { goods: 'Total before tax', tax: 'Tax', total: 'Grand total' }],
  ['Total before tax,Tax rate', { goods: 'Total before tax' }],
  ['Pre-tax amount,Total incl. tax', { goods: 'Pre-tax amount', total: 'Total incl. tax' }],
  ['PretaxTotal,Tax code', { goods: 'PretaxTotal' }],
  ['Amount excl. sales tax,Sales tax', { goods: 'Amount excl. sales tax', tax: 'Sales tax' }],
  ['Summe ohne MwSt,MwSt', { goods: 'Summe ohne MwSt', tax: 'MwSt' }],
  ['Discount before tax,Unit price ex tax', { unitPrice: 'Unit price ex tax' }],
] as const)('an amount before tax is never the tax: %s', ([columns, expected]) => {
  const { goods, tax, total, unitPrice } = guessColumns(['Receipt', 'Date', ...columns.split(',')]).guess;
  expect({ goods, tax, total, unitPrice }).toEqual({
    goods: undefined,
    tax: undefined,
    total: undefined,
    unitPrice: undefined,
    ...expected,
  });
});

test('a till with two shops: which shop it was, and which receipt is given back, are known by their names', async () => {
  const text = `Transaction #,Date,Store,Store State,Total Before Tax,Tax,Grand Total,Refund Of,Refund reason
T100,2026-10-03,Reno,NV,10.00,0.83,10.83,,
T103,2026-10-04,Reno,NV,-10.00,-0.83,-10.83,T99,broken
`;
  const { draft } = await draftOf(text);
  expect(draft).toContain('  # location: "Store"\n');
  expect(draft).toContain('  reference: "Refund Of" # DECIDE');
  expect(draft).not.toMatch(/^ {2}refunded: /m);
});

test('the tax of a state is not its name, and shipping before tax is shipping', () => {
  const columns = ['Receipt', 'Date', 'State tax', 'City tax amount', 'Tax collected', 'Shipping (excl tax)'];
  expect(guessColumns(columns).guess).toMatchObject({ shipping: 'Shipping (excl tax)' });
  expect(guessColumns(columns).guess).not.toHaveProperty('state');
  expect(guessColumns(columns).guess).not.toHaveProperty('city');
});

test('keys for which no column was found are named with what they are for, and each works without its #', async () => {
  const text = `Receipt,Date,State,Zip,Other,Tax
1001,2026-10-03,CA,94610,,0.99
`;
  const { folder, draft } = await draftOf(text);
  const offered = draft.split('\n').filter((line) => /^ {2}# \w+: .*COLUMN/.test(line));
  expect(offered.map((line) => line.trim().split(':')[0])).toEqual(
    'refundId,reference,refunded,customer,location,inPerson,goods,total,fees,exemption,marketplace'
      .split(',')
      .map((key) => `# ${key}`),
  );
  const used = offered.reduce(
    (before, line) => before.replace(line, line.replace('# ', '').replace('COLUMN', 'Other')),
    draft,
  );
  await writeFile(join(folder, 'draft.yaml'), used.replace('goods: "Other"', 'goods: { orZero: "Other" }'));
  const trials = await trialsIn(folder, ['orders.csv'], { profile: 'draft.yaml' });
  expect(trials).toMatchObject([{ profile: 'own.orders@1', totals: { rows: 1 } }]);
});

test('a refund that names no order is held under its own number, not refused', async () => {
  const text = `Receipt,Date,Type,Original receipt,State,Zip,Tax,Total
1001,2026-10-03,Sale,,CA,94610,1.08,11.08
1002,2026-10-04,Refund,1001,CA,94610,-1.08,-11.08
1003,2026-10-05,Refund,,CA,94610,-1.08,-11.08
`;
  const changes = [
    [/(in: \["Sale"\] \}\], treat: )review.*/, '$1order }'],
    [/(in: \["Refund"\] \}\], treat: )review.*/, '$1refund }'],
  ] as const;
  expect(await corrected(text, changes)).toEqual([
    '1001 accepted 2026-10-03 US CA 94610 10.00 tax 1.08',
    '1002 refund of 1001 accepted 2026-10-04 US CA 94610 10.00 tax 1.08',
    '1003 refund of nothing named review refund-without-reference 2026-10-05 US CA 94610 10.00 tax 1.08',
  ]);
  expect(await corrected(text, [...changes, [/ {2}refundId: .*\n/, '']])).toEqual([
    '1001 accepted 2026-10-03 US CA 94610 10.00 tax 1.08',
    '1001-refund refund of 1001 accepted 2026-10-04 US CA 94610 10.00 tax 1.08',
    '1003-refund refund of nothing named review refund-without-reference 2026-10-05 US CA 94610 10.00 tax 1.08',
  ]);
});

test('a draft can be tried before a person says which column is the date', async () => {
  const text = 'Order,State,Zip,Tax,Total\n1001,CA,94610,1.08,11.08\n';
  expect(await corrected(text, [])).toEqual([expect.stringContaining('1001 rejected')]);
});

test('columns of one name, and names with line breaks, are named as a reader of the file names them', async () => {
  const { draft } = await draftOf(
    'Order,Date,"Ship\nState",Zip,Tax,Tax,Order Total\n1,2026-10-13,CA,95814,8.75,0.88,119.63\n',
  );
  expect(draft).toContain('columns: ["Order", "Date", "Ship State", "Zip", "Tax", "Order Total"]\n');
  expect(draft).toContain('Not used below: Tax (2). DECIDE');
});

test('a price beside a quantity may be that of all of them', async () => {
  const text = (price: string) =>
    `Order,Date,State,Zip,Item,Qty,${price},Tax,Total\n1,2026-10-13,CA,95814,Lamp,2,100.00,8.75,108.75\n1,2026-10-20,CA,95814,Lamp,-1,-50.00,-4.38,-54.38\n`;
  const { draft } = await draftOf(text('Price'));
  expect(draft).toContain('unitPrice: "Price" # DECIDE: is this the price of one unit?\n');
  expect((await draftOf(text('Unit Price'))).draft).toContain('unitPrice: "Unit Price"\n');
});
