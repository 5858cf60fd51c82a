import type { Exemption } from '../certificates/exemption-of.ts';
import type { Register } from '../certificates/register.ts';
import { settleExemption } from '../certificates/settle-exemption.ts';
import type { StoredSale } from './sales-of.ts';

/** A sale whose exemption is decided: its exemption type is what is calculated with and recorded. */
export type SettledSale = StoredSale & { readonly exemption: Exemption };

/** Pages of sales with their exemption decided by the register. */
export async function* settled(
  pages: AsyncIterable<readonly StoredSale[]>,
  register: Register | undefined,
): AsyncGenerator<readonly SettledSale[]> {
  for await (const page of pages) yield page.map((stored) => settleExemption(stored, register));
}
