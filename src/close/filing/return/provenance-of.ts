import { partsOf } from '../expression/expression.ts';
import type { FormLine, ReturnForm } from '../law/return-form.ts';
import { FIGURES, isFigureName } from './figures.ts';

/** Where a line's amount comes from, as a sentence for the auditor who follows it. */
export const provenanceOf = ({ formula }: FormLine, form: ReturnForm): string => {
  const sources: string[] = [];
  for (const part of partsOf(formula.expression)) {
    switch (part.kind) {
      case 'figure':
        if (isFigureName(part.name)) sources.push(FIGURES[part.name].from);
        break;
      case 'line':
        sources.push(`Line ${part.line}`);
        break;
      case 'rate':
        sources.push(`Rate ${part.name}`);
        break;
      case 'taxable-at':
        sources.push(`Jurisdictions: Taxable of level state at the rate ${part.rate}`);
        break;
      case 'schedule': {
        const schedule = form.schedules.find(({ name }) => name === part.schedule);
        sources.push(`${schedule?.title ?? part.schedule}: total ${part.column}`);
        break;
      }
      default:
    }
  }
  return [...new Set(sources)].join('; ') || 'Nothing is known of it: enter it by hand where it applies';
};
