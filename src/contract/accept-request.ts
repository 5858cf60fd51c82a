import { parseDate } from '../kernel/calendar.ts';
import { accept, ENTRIES_MAX } from './accept.ts';
import { amountOf, ExemptionType, isKeepable } from './scalars.ts';
import { isQuantity, type TaxLineItem, TaxRequest } from './tax-request.ts';
import { CODE_MAX, TEXT_MAX, ZIP_MAX } from './transaction.ts';

/**
 * Read the body of a calculation as its schema does. In nearly all bodies, texts have no surrounding blanks and absent
 * values are absent keys; reading those by hand is several times as fast. The schema reads the others.
 *
 * @throws {ServiceRefusal} 400, 406, 422
 */
export const acceptRequest = (input: unknown): TaxRequest =>
  (isFields(input) ? plainRequest(input) : undefined) ?? accept(TaxRequest, input);

type Fields = Readonly<Record<string, unknown>>;

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Read a plain body; `undefined` when the schema has to read it. */
const plainRequest = (sent: Fields): TaxRequest | undefined => {
  for (const name in sent) if (name !== 'line_items' && Array.isArray(sent[name])) return undefined;
  const { from_country, from_zip, from_state, from_city, from_street, customer_id } = sent;
  const { to_country, to_zip, to_state, to_city, to_street, exemption_type: type, explain } = sent;
  if (sent['nexus_addresses'] !== undefined) return undefined;
  const shipping = amountOf(sent['shipping']);
  const amount = amountOf(sent['amount']);
  const lines = sent['line_items'] === undefined ? undefined : plainLines(sent['line_items']);
  const date = typeof sent['calculation_date'] === 'string' ? parseDate(sent['calculation_date']) : undefined;
  if (
    !isCountry(to_country) ||
    !(from_country === undefined || isCountry(from_country)) ||
    !(isText(from_zip, ZIP_MAX) && isText(from_state, CODE_MAX)) ||
    !(isText(from_city, TEXT_MAX) && isText(from_street, TEXT_MAX)) ||
    !(isText(to_zip, ZIP_MAX) && isText(to_state, CODE_MAX)) ||
    !(isText(to_city, TEXT_MAX) && isText(to_street, TEXT_MAX)) ||
    !isText(customer_id, TEXT_MAX) ||
    !(type === undefined || isExemptionType(type)) ||
    !(explain === undefined || typeof explain === 'boolean') ||
    shipping === undefined ||
    (amount === undefined ? sent['amount'] !== undefined || !lines?.length : false) ||
    (lines === undefined && sent['line_items'] !== undefined) ||
    (date === undefined && sent['calculation_date'] !== undefined)
  )
    return undefined;
  const country = to_country.toUpperCase();
  if ((country === 'US' && !to_zip) || ((country === 'US' || country === 'CA') && !to_state))
    return undefined;
  return {
    from_country: from_country?.toUpperCase(),
    from_zip: from_zip || undefined,
    from_state: from_state?.toUpperCase() || undefined,
    from_city: from_city || undefined,
    from_street: from_street || undefined,
    to_country: country,
    to_zip: to_zip || undefined,
    to_state: to_state?.toUpperCase() || undefined,
    to_city: to_city || undefined,
    to_street: to_street || undefined,
    amount,
    shipping,
    customer_id: customer_id || undefined,
    exemption_type: type,
    nexus_addresses: undefined,
    line_items: lines,
    calculation_date: date,
    explain,
  };
};

const plainLines = (sent: unknown): TaxLineItem[] | undefined => {
  if (!Array.isArray(sent) || sent.length > ENTRIES_MAX) return undefined;
  const lines: TaxLineItem[] = [];
  for (const line of sent) {
    const plain = isFields(line) ? plainLine(line) : undefined;
    if (plain === undefined) return undefined;
    lines.push(plain);
  }
  return lines;
};

const plainLine = (sent: Fields): TaxLineItem | undefined => {
  const { id, quantity = 1, product_tax_code: code, unit_price, discount } = sent;
  const [price, less] = [amountOf(unit_price), amountOf(discount)];
  const isPlain =
    isText(id, TEXT_MAX) &&
    typeof quantity === 'number' &&
    isQuantity(quantity) &&
    isText(code, CODE_MAX) &&
    (price !== undefined || unit_price === undefined) &&
    (less !== undefined || discount === undefined);
  if (!isPlain) return undefined;
  return {
    id: id || undefined,
    quantity,
    product_tax_code: code || undefined,
    unit_price: price,
    discount: less,
  };
};

const isText = (value: unknown, lengthMax: number): value is string | undefined =>
  value === undefined ||
  (typeof value === 'string' && value.length <= lengthMax && value === value.trim() && isKeepable(value));

const COUNTRY = /^[A-Za-z]{2}$/;

const isCountry = (value: unknown): value is string => typeof value === 'string' && COUNTRY.test(value);

const isExemptionType = (value: unknown): value is ExemptionType =>
  (ExemptionType.options as readonly unknown[]).includes(value);
