import { isExempting } from '../../certificates/exemption-reason.ts';
import type { Sale } from '../../sales/sale.ts';
import type { ClosePorts } from '../run/close-ports.ts';
import { nothingDue } from './calculations.ts';

/** Whether tax would be due on a sale if it were not exempt. */
export const isRelieved = (ports: ClosePorts, sale: Sale): boolean =>
  isExempting(sale.exemptionType) && nothingDue(ports, sale) === undefined;
