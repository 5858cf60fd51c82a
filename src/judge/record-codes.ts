import { type AboutCode, DELETE_REST, HERE } from './period-codes.ts';

const ADDRESS = 'Correct the address in the shop, export again and close again.';
/** The next step for what cannot be read. */
export const EXPORT_AGAIN = 'Correct the record in the shop or the file, export again and close again.';
const POST_OR_NOT = `Write “Post” ${HERE} if the sale stands, “Keep out” if it does not, each with the reason.`;
const WHO_REMITS = `Find out in the shop who remits the tax. Write “Post” ${HERE} if you do, “Keep out” if the marketplace does, each with the reason.`;

/** The codes of findings about records and files. */
export const RECORD_CODES: Readonly<Record<string, AboutCode>> = {
  adjustment: { name: 'Correction by the marketplace', todo: POST_OR_NOT, posted: 'unchanged' },
  'bad-cell': { name: 'Cell that cannot be read', todo: EXPORT_AGAIN },
  'bad-zip': { name: 'No ZIP code', todo: ADDRESS },
  'billing-address-used': { name: 'Billing address used', todo: 'Nothing if nothing was shipped.' },
  'cancelled-but-paid': { name: 'Cancelled order still paid', todo: POST_OR_NOT, posted: 'unchanged' },
  'cancelled-in-part': {
    name: 'Order cancelled in part',
    todo: `Compare it with the shop. If its amounts are without the cancelled items, take their rows out of the file and close again. ${POST_OR_NOT}`,
    posted: 'unchanged',
  },
  'cell-count': { name: 'Row with too many or too few cells', todo: EXPORT_AGAIN },
  claim: { name: 'Money back by the marketplace', todo: POST_OR_NOT, posted: 'unchanged' },
  'collector-unclear': { name: 'Unclear who remits the tax', todo: WHO_REMITS, posted: 'as the seller’s' },
  'conflicting-duplicate': {
    name: 'Record with two contents',
    todo: 'Ask the shop which of the two is right; leave the other out of the file and close again.',
  },
  'control-total': {
    name: 'Rows that do not add up to their file',
    todo: 'Show it to anyone who supports Tieout: rows of the file are not accounted for.',
  },
  'days-missing': {
    severity: 'warning',
    name: 'Days without a sale',
    todo: 'Check that the export covers the whole period.',
  },
  'delivery-service': { name: 'Sold through a delivery service', todo: WHO_REMITS, posted: 'unchanged' },
  'discount-on-shipping': {
    name: 'Discount larger than the goods',
    todo: 'Nothing if shipping was reduced.',
  },
  disputed: { name: 'Disputed payment', todo: POST_OR_NOT, posted: 'unchanged' },
  'exempt-with-tax': { name: 'Exempt, and taxed', todo: EXPORT_AGAIN },
  'fee-unclear': {
    name: 'Fee of an unknown kind',
    todo: `If the fee is a part of the price of what was sold, write “Post” ${HERE}; if not, “Keep out”, each with the reason. A fee with a usual name in the shop, such as Gift wrap or Handling, needs no decision.`,
    posted: 'unchanged',
  },
  foreign: { severity: 'notice', name: 'Shipped abroad', todo: 'Nothing; it is on no US return.' },
  'gift-card-unclear': { name: 'Gift card payment unclear', todo: POST_OR_NOT, posted: 'unchanged' },
  'in-person': { name: 'Sold in person on a marketplace', todo: WHO_REMITS, posted: 'as the seller’s' },
  'left-out': {
    severity: 'notice',
    name: 'File left out',
    todo: 'Nothing, if another file holds these sales.',
  },
  'lines-differ': { name: 'Lines do not add up', todo: POST_OR_NOT, posted: 'unchanged' },
  'mangled-id': {
    name: 'Order number damaged by a spreadsheet',
    todo: 'Export the file again and leave it as it was downloaded: a spreadsheet shortens long numbers when it saves them. Close again.',
  },
  'merged-id': {
    name: 'Two orders with one number',
    todo: 'If they are of two stores or registers, export each by itself and read it as a channel of its own. Otherwise correct the number in the shop or the file, and export again. Close again.',
  },
  'negative-line': { name: 'Negative line', todo: 'Nothing if it was a discount.' },
  'negative-order': { name: 'Negative order', todo: EXPORT_AGAIN },
  'negative-refund': {
    name: 'Negative refund',
    todo: 'Compare it with the shop. If refunds have rows without a minus in this export, set `amounts: positive` for them in its profile. Otherwise correct it, export again and close again.',
  },
  'newer-unknown': {
    name: 'Files that say different things',
    todo: `Ask the shop which of the two files is newer, and write “First file is newer” or “Second file is newer” ${HERE}, with the reason; or leave the older one out. If both orders are real, because two shops share the channel, give each shop a channel of its own. Close again.`,
  },
  'no-country': { name: 'Address without a country', todo: ADDRESS },
  'no-currency': { name: 'No currency', todo: EXPORT_AGAIN },
  'no-final-line-end': {
    severity: 'warning',
    name: 'File may be cut off',
    todo: 'Compare its last row with the shop.',
  },
  'no-id': { name: 'Record without a number', todo: EXPORT_AGAIN },
  'no-refund-column': {
    severity: 'error',
    name: 'Export without its column of refunds',
    todo: `Export it again with the column, or name the payments export in \`refundDates\`, and close again. If nothing was given back, write “Accept” ${HERE}, with the reason.`,
  },
  'no-rows': {
    severity: 'notice',
    name: 'File without rows',
    todo: 'Export it again if the shop had sales.',
  },
  'not-calculated': {
    name: 'Tax not calculated',
    todo: 'Correct what the service refuses, and close again.',
  },
  'not-read': {
    severity: 'notice',
    name: 'File that nothing reads',
    todo: 'If it holds sales or refunds, name it in `files` or `refundDates` of its channel, and a register in `certificates`, or account balances in `ledger`. If it is none, move it to another folder.',
  },
  'number-used-again': {
    name: 'Order number used again',
    todo: `Look both orders up in the shop. If the shop uses its numbers again, write \`numbers: restart\` for the channel and close again; if two shops share the channel, give each a channel of its own. If only these are two sales, write “Post” ${HERE}, with the reason; if they are one, leave the wrong one out of the file and close again.`,
    posted: 'unchanged',
  },
  'order-cells-differ': { name: 'Rows of an order that contradict', todo: EXPORT_AGAIN },
  'orphan-row': {
    name: 'Row without its order',
    todo: 'Export the file again, with the row in which the order begins, its number and its status, and close again.',
  },
  'other-report': {
    name: 'Record that another report has, too',
    todo: `Take one kind of report of each marketplace: move the files of the other to another folder, and close again. To have its sales from the other one instead, take the files of the first away. ${DELETE_REST} If it is a further shipment or refund of its order, export the order in the report that has the others; where the channel has a profile of your own since, give that the id of the profile before.`,
  },
  'over-refund': { name: 'Refunded more than sold', todo: 'Compare the refund with its order in the shop.' },
  'over-refunded': { name: 'Refunded more than paid', todo: EXPORT_AGAIN },
  'partly-paid': { name: 'Partly paid', todo: POST_OR_NOT, posted: 'unchanged' },
  'partly-refunded': {
    name: 'Refund of unknown parts',
    todo: 'If the refund has a row of its own, write goods, shipping and tax into that row. Otherwise export the refunds, or the payments, of the month as well. Close again.',
  },
  'place-unclear': {
    name: 'Place of the sale unclear',
    todo: `If the buyer picked it up, name the shipping method under \`pickup\` of the channel, or clear the ship-to address, and close again. If it was delivered, correct the ship-to address and export again. If nothing was shipped and the address shown is right, write “Post” ${HERE}, with the reason.`,
    posted: 'unchanged',
  },
  'read-by-two-channels': {
    name: 'Export that two channels read',
    todo: `Take the file out of one of the channels and close again. ${DELETE_REST}`,
  },
  'recorded-otherwise': {
    name: 'Recorded with other values',
    todo: 'If the configuration was changed by mistake, put it back and close again: nothing needs deleting. Otherwise delete the record in the service and close again, which sends it again.',
  },
  'refund-beyond-order': {
    name: 'Refund of more than is left of its order',
    todo: `Compare it with the order in the shop, and export both again. If more was given back than the order came to, write what it gives back of the order into the row of the payment and close again, or write “Keep out” ${HERE}, with the reason.`,
  },
  'refund-dates-differ': {
    name: 'Refund dates do not add up',
    todo: 'If less was repaid than was refunded, export the payments of all months of the order again; if more was, export the month of the order again, as it is older than the repayment. Close again.',
  },
  'refund-not-split': {
    name: 'Refund without a split',
    todo: `Write “Split by share” ${HERE} to divide it as its order is, or “Keep out” until the shop gives the split, each with the reason.`,
  },
  'refund-of-kept-out': {
    name: 'Refund of an order that is not counted',
    todo: 'Find out in the shop whether the order was a sale. If it was, correct what holds or ignores it, or decide that it is posted; if it was not, let a rule of the profile ignore its refund, too (docs/source-profiles.md). Close again.',
  },
  'refund-part-unknown': {
    name: 'Refund of one of several shipments',
    todo: `Find out in the shop which shipment was given back. If it is the first that the message names, write “Post” ${HERE}, with the reason. If it is another one, write its number in the row of the refund in place of that of the order, and close again.`,
    posted: 'unchanged',
  },
  'refund-prorated': { name: 'Refund divided like its order', todo: 'Nothing; it is recorded.' },
  'refund-undated': { name: 'Refund without a date', todo: 'Name the payments export in `refundDates`.' },
  'refund-without-number': {
    name: 'Refunds without a number of their own',
    todo: 'Ask the shop whether each of them was given back. If so, set `shape.parts: true` in the profile, which tells refunds of different days or times apart. As long as no month is locked, you can name the column of their number as `map.refundId`, and that of the order as `map.reference`, instead. If only one is right, leave the others out of the file. Close again.',
  },
  'refund-without-reference': {
    name: 'Refund that names no order',
    todo: `Name its order where docs/channels.md says for this export, export and close again. If no one knows its order, write “Keep out” ${HERE}, with the reason: its tax is then not taken off.`,
  },
  'repeated-line': {
    name: 'Line that stands twice',
    todo: `Look at the order in the shop. If it has the line twice, put the rows of the order beneath each other in the file and close again. If the file has the row twice, write “Ignore” ${HERE}, with the reason.`,
  },
  retrocharge: { name: 'Tax corrected after the sale', todo: WHO_REMITS, posted: 'unchanged' },
  'sales-not-read': {
    severity: 'error',
    name: 'Sales that nothing reads',
    todo: 'Name the file in `files` of a channel, or describe it first with `tieout profile init FILE`. If its sales do not belong here, move it to another folder.',
  },
  settled: {
    name: 'File settled by locked books',
    todo: 'Nothing: everything that it states is filed. What changes in the file is read again.',
  },
  'second-opinion-differs': {
    name: 'Two calculations differ',
    todo: 'Find out which is right, and tell the service or correct the tax content.',
  },
  'sold-in-person': { name: 'Sold in person', todo: 'Nothing if it was sold at your address.' },
  'state-only': { name: 'Address without a ZIP code', todo: 'Export the ZIP code if local tax matters.' },
  'tax-included': { name: 'Amounts include the tax', todo: 'Export amounts without tax, and close again.' },
  'tax-line-unreadable': { name: 'Tax line that cannot be read', todo: 'Compare the tax with the shop.' },
  'tax-lines-differ': { name: 'Tax lines do not add up', todo: 'Compare the tax with the shop.' },
  'tax-not-withheld': {
    name: 'Tax not withheld by the marketplace',
    todo: WHO_REMITS,
    posted: 'as the seller’s',
  },
  'too-many-rows': { name: 'Too many rows for one record', todo: EXPORT_AGAIN },
  'total-differs': { name: 'Parts do not add up to the total', todo: POST_OR_NOT, posted: 'unchanged' },
  undecided: {
    name: 'Row that the profile does not decide',
    todo: 'Edit the profile: its rule for these rows says `treat: review`. Write `order`, `refund` or `ignore`, and close again (docs/source-profiles.md).',
  },
  'unknown-country': { name: 'Unknown country', todo: ADDRESS },
  'unknown-location': {
    name: 'Place of sale without an address',
    todo: 'Give each place of business its address in `locations` of the channel. If the record names none of them, write the name of one into its column of locations. Close again.',
  },
  'unknown-fee': {
    name: 'Fee of unknown amount',
    todo: 'Look up the amount, and add it to the state in `registrations`, such as `deliveryFee: "0.28"`, or `deliveryFee: none` where you owe none. Then close again.',
  },
  'unknown-state': { name: 'Unknown state', todo: ADDRESS },
  'unmapped-status': {
    name: 'Status that Tieout does not know',
    todo: `If it is not a sale, write “Keep out” or “Ignore” ${HERE}, with the reason. If it is one, correct its status in the shop and export again, or name a profile of your own that extends the shipped one and repeats its \`rules\` with one for this status (docs/source-profiles.md).`,
  },
  'zip-not-in-country': {
    name: 'ZIP does not fit the country',
    todo: 'Correct the country in the shop or the file, where its column may hold the state. Export again and close again.',
  },
  'zip-not-in-state': { name: 'ZIP does not fit the state', todo: ADDRESS },
  'zip-zero-restored': { name: 'ZIP code completed', todo: 'Nothing; the state agrees.' },
};
