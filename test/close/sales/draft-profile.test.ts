import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { draftProfile } from '../../../src/close/sales/draft/draft-profile.ts';
import { trialsIn } from '../../samples/exports/list-sample.ts';
import { folderOf, surveyed } from './files/on-disk.ts';
import { recordLines } from './record-lines.ts';

/** What a file becomes under the draft that its own header and rows give. */
const drafted = async (text: string) => {
  const folder = await folderOf({ 'orders.csv': text });
  const [file] = await surveyed(folder, 'orders.csv');
  if (!file) throw new Error('there is no file');
  await writeFile(join(folder, 'draft.yaml'), await draftProfile(file));
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
