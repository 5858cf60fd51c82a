import { ServiceRefusal } from '../../contract/refusal.ts';
import type { TaxContent } from '../content/tax-content.ts';
import { parseZip, statesOfZip } from '../content/zip-code.ts';
import type { FullAddress } from './address.ts';

/**
 * A ZIP must be one, and must be used in its state. Callers match on the wording.
 *
 * @throws {ServiceRefusal} 406 for a malformed ZIP, 400 when ZIP and state contradict each other
 */
export const checkZip = (
  content: TaxContent,
  side: 'to' | 'from',
  address: FullAddress,
  stated: {
    readonly zip: string | undefined;
    readonly state: string | undefined;
    /** `false` where the country was only assumed: a postal code of another country says nothing then. */
    readonly isCountryGiven?: boolean;
  },
): void => {
  if (address.country !== 'US' || stated.zip === undefined) return;
  const zip = parseZip(stated.zip);
  if (!zip) {
    if (stated.isCountryGiven === false) return;
    throw new ServiceRefusal(406, `${side}_zip ${stated.zip} isn't a valid postal code for US`);
  }
  if (address.state === '' || statesOfZip(content, zip.zip5).includes(address.state)) return;
  throw new ServiceRefusal(
    400,
    `${side}_zip ${stated.zip} is not used within ${side}_state ${stated.state ?? address.state}`,
  );
};
