import { contradictionOf } from '../contract/contradiction-of.ts';
import { ServiceRefusal } from '../contract/refusal.ts';
import type { TaxService } from '../contract/tax-service.ts';

/**
 * Let no calculation in that contradicts itself: it is asked for once more, and refused when the second answer does so
 * too. `onContradiction` is told of each such answer.
 *
 * @throws {ServiceRefusal} 200, as what was answered is not a calculation
 */
export const withSoundAnswers = (service: TaxService, onContradiction: () => void): TaxService => ({
  ...service,
  calculateTax: async (request) => {
    const first = await service.calculateTax(request);
    if (contradictionOf(first, request) === undefined) return first;
    onContradiction();
    const second = await service.calculateTax(request);
    const why = contradictionOf(second, request);
    if (why === undefined) return second;
    onContradiction();
    throw new ServiceRefusal(
      200,
      `its answer contradicts itself, asked twice: ${why}. Nothing of it is used; show it to the provider of the service and close again`,
      'OK',
    );
  },
});
