import { InvalidArgumentError } from 'commander';

/** Read an option that is a whole number from zero up to a limit. */
export const wholeNumber =
  (max: number) =>
  (text: string): number => {
    const value = Number(text);
    if (!/^\d{1,16}$/.test(text) || value > max)
      throw new InvalidArgumentError(`It must be a whole number up to ${max}.`);
    return value;
  };
