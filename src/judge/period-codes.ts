/** `notice` changes nothing, `warning` was handled and should be checked, `error` kept something out of the month. */
export type Severity = 'notice' | 'warning' | 'error';

/** A code's name, what a person does about it, and how its record is posted if it can be. */
export type AboutCode = {
  readonly name: string;
  readonly todo: string;
  /** Of every finding of the code, unless what makes it says another. A remark about a file without one stands in Inputs alone. */
  readonly severity?: Severity;
  /** Whether it is posted unchanged, or with its tax as the seller's. */
  readonly posted?: 'unchanged' | 'as the seller’s';
};

/** Where a person answers: a column of decisions.csv. */
export const HERE = 'in the column decision of decisions.csv';
/** What becomes of records that were sent while something was read that is not read any more. */
export const DELETE_REST = `For what only the service still has, write “Delete the record” ${HERE}, with the reason.`;
const QUIET = `If it was quiet on purpose, write “Accept” ${HERE}, with the reason.`;
const TOTALS =
  'Compare the exports with the shop: add what is missing, or correct `expected` of the channel. Close again.';

/** The codes of findings about a period, a return, an account or a certificate. */
export const PERIOD_CODES: Readonly<Record<string, AboutCode>> = {
  'amended-leaves-credit': {
    severity: 'warning',
    name: 'Credit that an amended return leaves',
    todo: 'An amended return uses no credit that later periods have. If a later period opens with the amount, do nothing. If none does, because it was locked before, state the amount once as `added` of that balance in the registration, with the next open period.',
  },
  'amount-without-return': {
    name: 'Stated amount that no return uses',
    todo: 'State it in the registration for the period of the return that it belongs to.',
  },
  'bad-certificate': { name: 'Certificate that cannot be used', todo: 'Correct the row of the register.' },
  'bad-ledger-row': {
    name: 'Account balance that cannot be used',
    todo: 'Correct the row in the file of account balances and close again.',
  },
  'balance-unknown': {
    name: 'Balance of the period before not known',
    todo: 'Close the periods in between, the oldest first, and then this one; or state `opening` of its prepayments and credits in the registration.',
  },
  'certificate-other-reason': {
    severity: 'warning',
    name: 'Certificate for another reason',
    todo: 'Ask the customer which exemption applies, and correct the register or the shop.',
  },
  'credit-not-taken': {
    severity: 'warning',
    name: 'Credit of the period before not used',
    todo: 'If the state lets you use it here, state it as `added` under `credits` of the registration, with this period; if it refunds it, state 0.00 there.',
  },
  'decision-without-line': {
    severity: 'warning',
    name: 'Decision about nothing',
    todo: 'Check its key. If what it was about is corrected or gone, delete the row. Rows of locked periods may stay.',
  },
  'expected-gross': { name: 'Sales differ from those of the shop', todo: TOTALS },
  'expected-orders': { name: 'Number of orders differs from that of the shop', todo: TOTALS },
  'expected-refunds': { name: 'Number of refunds differs from that of the shop', todo: TOTALS },
  'expected-tax': { name: 'Tax differs from that of the shop', todo: TOTALS },
  'export-gone': {
    severity: 'warning',
    name: 'File of earlier sales that is gone',
    todo: 'Nothing, if what was answered is right. Put the file back, and its sales are posted again.',
  },
  'locked-records-missing': {
    severity: 'warning',
    name: 'Records of a locked period are missing',
    todo: 'Find out who removed them at the service. Nothing is sent for them; what was filed stands.',
  },
  'frequency-within-return': {
    name: 'Frequency that changes within a return',
    todo: 'Write the first day of a return of both frequencies as `from` in the `frequency` of the registration, as the notice of the state has it.',
  },
  'gone-since': {
    severity: 'notice',
    name: 'Records that waited, and are gone',
    todo: 'Nothing, if they are not sales. Put the file back if it was removed by mistake, and close again.',
  },
  'late-filed': {
    severity: 'notice',
    name: 'Late arrival, decided',
    todo: 'Nothing; it is filed with these books by decision.',
  },
  'late-order-refunded': {
    name: 'Refunds of an order that was corrected later',
    todo: `Compare the order with its refunds in the shop. If the order stands, correct it in the export. If nothing was sold, let a rule of the profile ignore its refund, too (docs/source-profiles.md): it is then reversed like the order. Close again. If more was given back than sold, write “Accept” ${HERE}, with the reason.`,
  },
  'ledger-difference': {
    name: 'Difference of the roll-forward',
    todo: `Compare the account with the sheet Roll-forward of filing-summary.xlsx; where no account of the file holds the tax, add the one that does. Correct what is wrong and close again. If the difference is explained, write “Accept” ${HERE}, with the reason.`,
  },
  'ledger-gap': {
    name: 'Month without an account balance',
    todo: 'Add the row of the month to the file of account balances and close again.',
  },
  'ledger-opening': {
    name: 'Opening balance that is not the last closing balance',
    todo: 'Find the entry that was posted to a closed month. Correct the account or the file of account balances and close again.',
  },
  'listed-not-shown': {
    name: 'Record that the service does not show',
    todo: 'Close again. Show it to the provider of the service if it stays.',
  },
  'no-channel-sales': {
    name: 'Channel without sales',
    todo: `Add the missing export and close again. ${QUIET}`,
  },
  'no-nexus': {
    name: 'Account without nexus',
    todo: 'Correct the nexus of the account of the service, so that it covers these days (`tieout account add NAME --nexus …` where you operate it yourself); or correct `since` of the registration, if that is wrong. Then close again, without `.tieout/answers.db` if the account had the state before. What else is said of the state goes away with it.',
  },
  'no-sales': {
    name: 'Period without sales',
    todo: `Add the exports of the period and close again. ${QUIET}`,
  },
  'number-in-use': {
    name: 'Number of another record',
    todo: `Find out of which sale the record is. Write “Same sale” ${HERE} if it is of the sale that has its number now, which is then put right there; “Delete the record” if it is of none. Each with the reason.`,
  },
  'paid-before-unknown': {
    name: 'Payment with a shorter return not known',
    todo: 'Close the periods that it names, the oldest first, and then this one; or state what was paid as `added` of the prepayments of this period in the registration.',
  },
  'possible-double': {
    name: 'Orders that two channels or files have',
    todo: `If they are other orders, write “Accept” ${HERE}, with the reason. If a spreadsheet saved a file a second time, take that copy out. If one export repeats the orders of the other, let a rule of its profile ignore them (docs/source-profiles.md) and close again, or take the channel out. ${DELETE_REST}`,
  },
  'recorded-not-posted': {
    name: 'Recorded, and not posted any more',
    todo: `The service has the record, and the exports no longer post it: decide first what they say of it. If it is not a sale any more, such as a voided order, write “Delete the record” ${HERE}, with the reason; “Keep the record” leaves it there and on no return.`,
  },
  'tax-given-back': {
    severity: 'warning',
    name: 'Tax given back that was paid before',
    todo: 'See what the return of the earlier sale paid. If it paid this tax and the state lets you take it off here, state it as `added` under `credits` of the registration, with this period; else amend the earlier return or claim the refund, and accept it.',
  },
  'todays-rates': {
    severity: 'warning',
    name: 'Rates of today',
    todo: 'Compare with rates of the day before you rely on it. If the service calculates as of the day of a sale and does not say so, state `asOf: honoured` under `service`, and close again.',
  },
};
