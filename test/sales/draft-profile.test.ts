import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { recordLines, trialsIn } from '../samples/exports/list-sample.ts';
import { tieout } from '../support/tieout.ts';
import { folderOf } from './files/on-disk.ts';

/** The draft of a file, as `profile init` prints it. */
const draftOf = async (text: string) => {
  const folder = await folderOf({ 'orders.csv': text });
  const ran = await tieout(['profile', 'init', join(folder, 'orders.csv')]);
  expect(ran).toMatchObject({ code: 0, stderr: '' });
  return { folder, draft: ran.stdout };
};

type Change = readonly [string | RegExp, string];

/** What a file becomes under its own draft, which a person may have changed. */
const drafted = async (text: string, changes: readonly Change[] = []) => {
  const { folder, draft } = await draftOf(text);
  const changed = changes.reduce((before, [from, to]) => before.replace(from, to), draft);
  await writeFile(join(folder, 'draft.yaml'), changed);
  return recordLines(await trialsIn(folder, ['orders.csv'], { profile: 'draft.yaml' }));
};

const GUMROAD = `Purchase ID,Item Name,Do not contact?,Purchase Date,Purchase Time (UTC timezone),Subtotal ($),Taxes ($),Tax Type,Shipping ($),Sale Price ($),Fees ($),Net Total ($),Tax Included in Price?,City,Zip Code,State,Country,Refunded?,Partial Refund ($),Fully Refunded?,Order Number,Item Price ($),Quantity,Payment Type,Buyer Currency
p1==,Template,0,2026-10-02,2026-10-02 10:00:00 UTC,20.0,1.75,Sales tax,4.0,20.0,2.5,10.0,0,Sacramento,95814,CA,United States,0,0.0,0,1001,20.0,1,Card,
p2==,Template,0,2026-10-12,2026-10-12 10:00:00 UTC,40.0,2.5,Sales tax,0.0,40.0,4.5,10.0,0,Cambridge,02139,MA,United States,1,10.0,0,1004,40.0,1,Card,
p3==,Template,0,2026-10-15,2026-10-15 10:00:00 UTC,25.0,2.19,Sales tax,0.0,25.0,3.0,10.0,0,Sacramento,95814,CA,United States,0,0.0,0,1005,25.0,5,Card,
Totals,,,,,85.0,6.44,,4.0,85.0,10.0,30.0,,,,,,,10.0,,,85.0,,,
`;

/** The answer that every row is a sale. */
const ALL_SOLD: Change = [/^ {2}- \{ when: (.*?), treat: review.*$/m, '  - { when: $1, treat: order }'];

test('finds the amounts, asks for what no column looks like, and leaves the row of totals out', async () => {
  const { draft } = await draftOf(GUMROAD);
  for (const line of [
    'goods: { orZero: "Subtotal ($)" }\n',
    'shipping: { orZero: "Shipping ($)" }\n',
    'currency: { constant: USD } # DECIDE: are all amounts in US dollars?',
    'street: { constant: "" } # DECIDE: which column is it?',
  ])
    expect(draft).toContain(`  ${line}`);
  expect((await drafted(GUMROAD))[0]).toMatch(/^1001 review undecided /);
  expect(await drafted(GUMROAD, [ALL_SOLD])).toEqual([
    '1001 accepted 2026-10-02 US CA 95814 24.00 shipping 4.00 tax 1.75',
    '1004 accepted 2026-10-12 US MA 02139 40.00 tax 2.50',
    '1005 accepted 2026-10-15 US CA 95814 25.00 tax 2.19',
    '- ignored footer',
  ]);
});

test('a refund that names no order is held under its own number, not refused', async () => {
  const text = `Receipt,Date,Type,Original receipt,State,Zip,Tax,Total
1001,2026-10-03,Sale,,CA,94610,1.08,11.08
1002,2026-10-04,Refund,1001,CA,94610,-1.08,-11.08
1003,2026-10-05,Refund,,CA,94610,-1.08,-11.08
`;
  const rule = (kind: string, treat: string): string =>
    `  - { when: [{ column: Type, in: [${kind}] }], treat: ${treat} }`;
  const kinds: Change = [/^ {2}- \{ when: .*$/m, `${rule('Sale', 'order')}\n${rule('Refund', 'refund')}`];
  const ids = (refundId: string): Change => [
    '  shipTo:',
    `${refundId}  reference: "Original receipt"\n  shipTo:`,
  ];
  expect(await drafted(text, [kinds, ids('  refundId: "Receipt"\n')])).toEqual([
    '1001 accepted 2026-10-03 US CA 94610 10.00 tax 1.08',
    '1002 refund of 1001 accepted 2026-10-04 US CA 94610 10.00 tax 1.08',
    '1003 refund of nothing named review refund-without-reference 2026-10-05 US CA 94610 10.00 tax 1.08',
  ]);
  expect((await drafted(text, [kinds, ids('')])).at(-1)).toMatch(
    /^1003-refund refund of nothing named review refund-without-reference /,
  );
});

test('sales with a state and without a ZIP code', async () => {
  const text = 'Date,Receipt,State,Tax,Total\n2026-10-03,1001,CA,0.99,12.99\n';
  const changes: readonly Change[] = [ALL_SOLD, ['  shipTo:', '  stateIsEnough: true\n  shipTo:']];
  expect(await drafted(text, changes)).toEqual([
    expect.stringMatching(/^1001 warning \S+ 2026-10-03 US CA 90000 12\.00 tax 0\.99/),
  ]);
});
