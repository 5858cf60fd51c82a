import { ServiceRefusal } from '../../contract/refusal.ts';
import { DESCRIPTION_LENGTH_MAX, type TransactionKind } from '../../contract/transaction.ts';
import type { TaxContent } from '../content/tax-content.ts';
import { checkZip, normaliseAddress } from '../engine/address.ts';
import type { Account } from '../ledger/account.ts';
import { type Draft, FROM_COUNTRY_DEFAULT } from './record.ts';

/** The input of a rule. */
export type Recording = {
  readonly kind: TransactionKind;
  readonly draft: Draft;
  readonly account: Account;
  readonly content: TaxContent;
};

/** A requirement for every recorded transaction. @throws {ServiceRefusal} when it is not met */
export type RecordingRule = (recording: Recording) => void;

/** Clients confuse a refund with its order when both have the same id, so it is a conflict like any other. */
const refundHasAnIdOfItsOwn: RecordingRule = ({ kind, draft }) => {
  if (kind === 'refund' && draft.transaction_id === draft.transaction_reference_id) {
    throw new ServiceRefusal(422, 'transaction_id must differ from transaction_reference_id');
  }
};

const descriptionsAreShort: RecordingRule = ({ draft }) => {
  for (const [index, { description }] of (draft.line_items ?? []).entries()) {
    if (description !== undefined && description.length > DESCRIPTION_LENGTH_MAX) {
      throw new ServiceRefusal(
        400,
        `line_items[${index}].description must be at most ${DESCRIPTION_LENGTH_MAX} characters`,
      );
    }
  }
};

/** A country alone is not an address: every record gets the default one, which says nothing about the seller. */
const shipsFromSomewhere: RecordingRule = ({ draft, account }) => {
  const parts = [draft.from_zip, draft.from_state, draft.from_city, draft.from_street];
  const isGiven =
    parts.some((part) => part !== undefined) ||
    (draft.from_country ?? FROM_COUNTRY_DEFAULT) !== FROM_COUNTRY_DEFAULT;
  if (!isGiven && account.address === undefined) {
    throw new ServiceRefusal(400, 'no from address was sent, and no address is on file');
  }
};

const zipsAreUsedInTheirStates: RecordingRule = ({ draft, content }) => {
  const { to_country: country, to_zip: zip, to_state: state } = draft;
  checkZip(content, 'to', normaliseAddress({ country, zip, state }), { zip, state, isCountryGiven: true });
  const from = { zip: draft.from_zip, state: draft.from_state };
  const isCountryGiven = draft.from_country !== undefined;
  const origin = normaliseAddress({ country: draft.from_country ?? FROM_COUNTRY_DEFAULT, ...from });
  checkZip(content, 'from', origin, { ...from, isCountryGiven });
};

const EXEMPT_TYPES: ReadonlySet<string> = new Set(['wholesale', 'government', 'other']);

/** Tax on an exempt sale is a contradiction: the caller has to decide which of the two is wrong. */
const exemptSalesCarryNoTax: RecordingRule = ({ draft }) => {
  const { exemption_type: type, sales_tax: tax, line_items: lines = [] } = draft;
  if (type === undefined || !EXEMPT_TYPES.has(type)) return;
  if (tax === 0 && lines.every((line) => (line.sales_tax ?? 0) === 0)) return;
  throw new ServiceRefusal(400, `sales_tax must be zero when exemption_type is ${type}`);
};

/** The rules of every version, in the order in which they are checked. */
export const RECORDING_RULES: readonly RecordingRule[] = [
  refundHasAnIdOfItsOwn,
  descriptionsAreShort,
  shipsFromSomewhere,
  zipsAreUsedInTheirStates,
  exemptSalesCarryNoTax,
];
