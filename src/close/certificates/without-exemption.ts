import type { Sale } from '../sales/sale.ts';

/** The sale as fully taxable. It is recalculated this way to find the tax that its exemption relieves. */
export const withoutExemption = (sale: Sale): Sale => ({ ...sale, exemptionType: 'non_exempt' });
