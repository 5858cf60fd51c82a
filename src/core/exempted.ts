import { type Exemption, exemptionOf } from '../close/certificates/exemption-of.ts';
import type { Register } from '../close/certificates/register.ts';
import type { Sale } from '../close/sales/sale.ts';
import type { Statement } from '../read/shapes.ts';

/** A statement whose exemption is decided: its sale has the exemption type that is calculated and recorded. */
export type Exempted = Statement & {
  /** Absent for what takes back a locked sale: its exemption was decided as that was filed. */
  readonly exemption?: Exemption;
};

/** Decides the exemption of a sale by the register. What takes back a locked sale has the exemption of that. */
export const exempted = (statement: Statement, register: Register | undefined): Exempted => {
  const { sale, reverses } = statement;
  if (reverses) {
    const { exemption: asFiled } = reverses;
    return asFiled ? { ...statement, sale: withType(sale, asFiled.type) } : statement;
  }
  const exemption = exemptionOf(sale, register);
  return { ...statement, sale: withType(sale, exemption.type), exemption };
};

const withType = (sale: Sale, exemptionType: Sale['exemptionType']): Sale =>
  exemptionType === sale.exemptionType ? sale : { ...sale, exemptionType };
