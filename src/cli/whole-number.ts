import { InvalidArgumentError } from 'commander';

/** Parses an option that is a whole number within limits. */
export const wholeNumber =
  (max: number, min = 0) =>
  (text: string): number => {
    const value = Number(text);
    if (!/^\d{1,16}$/.test(text) || value > max || value < min)
      throw new InvalidArgumentError(
        `It must be a whole number ${min > 0 ? `from ${min} ` : ''}up to ${max}.`,
      );
    return value;
  };
