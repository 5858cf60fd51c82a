import type { Money } from '../kernel/money.ts';
import type { AboutCode } from './period-codes.ts';

/**
 * Why collected and expected differ, or why a record needs attention, and what a person does about it.
 * The codes are stable; auditors quote them. `docs/reasons.md` is printed from this table. `part` says where the variance
 * is not the seller's: a gap of the tax content, or unexplained.
 */
export const REASONS = {
  R01: {
    name: 'Rounding',
    meaning:
      'The shop rounded each line or each jurisdiction, or gave back an order in parts; the tax is rounded once per order.',
    todo: 'Nothing; the cents cancel out. Set the shop to round per order if they do not.',
  },
  R02: {
    name: 'Rate differs',
    meaning: 'The shop applied other rates than those in force at the place on the day.',
    todo: 'Update the rates of the shop. Remit any excess; pay any shortfall yourself. If you elected one rate for the whole state, say so with `oneRate` of the registration.',
  },
  R03: {
    name: 'Wrong jurisdiction',
    meaning: 'The shop taxed by a neighbouring place, as happens where one ZIP code has several.',
    todo: 'Check which place is right, and give the shop full addresses or a boundary file. Where the export has no ZIP codes, say in its source profile where the sales were made.',
  },
  R04: {
    name: 'Sourcing',
    meaning: 'The shop taxed by the place of the seller where the buyer’s counts, or the other way round.',
    todo: 'Correct the sourcing rule of the shop for the state. Where the export has no ZIP codes, say in its source profile where the sales were made.',
  },
  R05: {
    name: 'Product taxability',
    meaning: 'The shop taxed or freed an item against its product category.',
    todo: 'Correct the category of the item in the shop, or `categories` of tieout.yaml.',
  },
  R06: {
    name: 'Freight taxability',
    meaning: 'The shop taxed shipping where it is not taxable, or the other way round.',
    todo: 'Correct the shipping rule of the shop for the state.',
  },
  R07: {
    name: 'Exempt customer taxed',
    meaning: 'Tax was charged to a customer whose exemption is on file.',
    todo: 'Remit it, or decide to give it back to the customer; mark the customer exempt in the shop.',
  },
  R08: {
    name: 'Exemption not supported',
    meaning: 'No tax was charged because an exemption was claimed, and none is on file that holds.',
    todo: 'Ask the customer for the certificate and enter it in the register, or accept the exemption with the reason. To pay the tax, take the exemption off in the shop, export again and close again.',
  },
  R09: {
    name: 'Marketplace remits',
    meaning: 'The seller charged tax on a sale whose tax the marketplace collects and remits.',
    todo: 'Give the tax back to the buyer; switch off tax on that channel. If an order is held because each remits what it collected, give the rows of one of them an order number of their own in a copy of the file, and close again; where one row has both, write “Keep out” in the column decision of decisions.csv, with the reason.',
  },
  R10: {
    name: 'No nexus but collected',
    meaning: 'Tax was charged where the seller has no duty to collect.',
    todo: 'If you are registered there, add the state to `registrations` and close again. If not, refund the customers, or register and remit: the tax is not the seller’s to keep. If a refund gave back tax that a return had paid, claim it from the state.',
  },
  R11: {
    name: 'Nexus but not collected',
    meaning: 'No tax was charged where the seller must collect.',
    todo: 'Bill the tax to the buyer, or bear it; switch on the state in the shop. If the shop charges tax on other sales there, correct the category of the item, its price rule or the shipping rule instead.',
  },
  R12: {
    name: 'Registration within the period',
    meaning: 'The duty to collect began inside the period, and the shop began before or after that day.',
    todo: 'Check the day of registration against the state; remit what was charged before it.',
  },
  R13: {
    name: 'Refund timing',
    meaning: 'The refund gave back tax at the rates of its own day instead of those of its order.',
    todo: 'Accept it, since a refund mirrors its order, or settle the difference with the buyer.',
  },
  R14: {
    name: 'Refund without original',
    meaning: 'A refund whose order is not among those that could be read from the exports.',
    todo: 'Export the month of the order as well, so that the refund can follow its order.',
  },
  R15: {
    name: 'Discount base',
    meaning: 'The shop taxed the price before a discount that lowers it, or after one that does not.',
    todo: 'Correct how the shop treats that kind of discount.',
  },
  R16: {
    name: 'Period edge',
    meaning: 'The day in UTC is another than the business date, and with it the period or the rates.',
    todo: 'Nothing, if the time zone of the configuration is right.',
  },
  R17: {
    name: 'Late arrival',
    meaning: 'The sale belongs to a period that was closed before it arrived.',
    todo: 'Amend the return of that period, or carry the sale into the next one.',
  },
  R18: {
    name: 'Duplicate',
    meaning: 'The record came more than once.',
    todo: 'Nothing where it was counted once; otherwise leave the wrong one out of the file.',
  },
  R19: {
    name: 'Missing in service',
    meaning: 'The sale was sent, or should have been, and the service does not hold it.',
    todo: 'Run the close again, which sends it; if it vanishes again, ask the service why.',
  },
  R20: {
    name: 'Extra in service',
    meaning: 'The service holds a record that no export explains.',
    todo: 'If the exports lack its sale, such as one of an earlier export, export it again. Only otherwise find who wrote it, and write “Delete the record” in the column decision of decisions.csv, or “Keep the record”, which leaves it on no return, each with the reason.',
  },
  R21: {
    name: 'Price or holiday rule',
    meaning: 'The shop applied a threshold, a cap or a tax holiday in another way.',
    todo: 'Correct the price rule or the days of the holiday in the shop.',
  },
  R22: {
    name: 'Form rounding',
    meaning:
      'The form computes the tax itself, as taxable amount times rate or in whole dollars, and rounds it differently from the sales.',
    todo: 'Nothing; it comes from the form.',
  },
  R23: {
    name: 'Manual override',
    meaning: 'A person set the tax of this record by hand, and said why.',
    todo: 'Keep what the decision rests on with the papers of the month.',
  },
  R24: {
    name: 'Currency',
    meaning: 'The sale is in another currency; it is shown and never converted.',
    todo: 'It is not part of these returns. Where tax is due, add it to the return in US dollars by hand, and write “Accept” in the column decision of decisions.csv, with the reason.',
  },
  R25: {
    name: 'Tax-inclusive price',
    meaning: 'The shop took the tax out of the price instead of adding it.',
    todo: 'Set the shop to prices without tax for the United States.',
  },
  R26: {
    name: 'Rate missing in Tieout',
    meaning: 'The tax content lacks a local rate of the place; tax lines of the shop state it.',
    todo: 'Check the rate, import it, and close again. Until then the return takes the tax that was charged.',
    part: 'gap',
  },
  R27: {
    name: 'Implied rate',
    meaning: 'The tax content is not complete for the place, and its sales agree on one higher rate.',
    todo: 'Look the rate up and import it; if it is wrong, the shop charged too much.',
    part: 'gap',
  },
  R28: {
    name: 'Place not known',
    meaning: 'The export names the state and no place in it: the taxes of the place cannot be checked.',
    todo: 'Export the ZIP codes, or accept what was collected above the tax that every place has.',
    part: 'gap',
  },
  R29: {
    name: 'Tax not given back',
    meaning: 'A refund gave back goods or shipping of a taxed order, and none of its tax.',
    todo: 'Give the tax back to the customer; let the shop refund tax with the goods.',
  },
  R99: {
    name: 'Unexplained',
    meaning: 'No rule explains the amount.',
    todo: 'Run `tieout show FOLDER RECORD --json`: its calculation has the rate of each jurisdiction and the tax of each line. Compare them with the rate that the shop charges at the place and with the categories of the items. Correct the one that is wrong and close again.',
    part: 'unexplained',
  },
} as const;
export type ReasonCode = keyof typeof REASONS;

/**
 * The number of reasons that a sale has at most: one change, or the two that tax lines state, and a rounding. Detail has a
 * place for each, and every sum is made from these.
 */
export const REASONS_MAX = 3;

/** A part of a variance with its proof. The parts of one sale add up to collected minus expected, to the cent. */
export type Reason = {
  readonly code: ReasonCode;
  readonly amount: Money;
  /** The change in the recomputation, and its result. */
  readonly proof: string;
};

/** The parts of a variance: what the shop charged differently, right or wrong; gaps of Tieout's tax content; or unexplained. */
export type VariancePart = 'seller' | 'gap' | 'unexplained';

/** The part that a reason belongs to: the seller's unless the table says another. */
export const partOf = (code: ReasonCode): VariancePart => {
  const about: AboutCode & { readonly part?: VariancePart } = REASONS[code];
  return about.part ?? 'seller';
};
