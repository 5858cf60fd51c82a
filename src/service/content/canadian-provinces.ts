type Province = {
  readonly code: string;
  /** First letters of its postal codes (Canada Post, Addressing Guidelines); `X` is shared and decides nothing. */
  readonly letters: string;
  /** Whether its tax and the federal one are levied as one (Excise Tax Act, schedule VIII). */
  readonly harmonized: boolean;
};

const PROVINCES: readonly Province[] = [
  { code: 'AB', letters: 'T', harmonized: false },
  { code: 'BC', letters: 'V', harmonized: false },
  { code: 'MB', letters: 'R', harmonized: false },
  { code: 'NB', letters: 'E', harmonized: true },
  { code: 'NL', letters: 'A', harmonized: true },
  { code: 'NS', letters: 'B', harmonized: true },
  { code: 'NT', letters: '', harmonized: false },
  { code: 'NU', letters: '', harmonized: false },
  { code: 'ON', letters: 'KLMNP', harmonized: true },
  { code: 'PE', letters: 'C', harmonized: true },
  { code: 'QC', letters: 'GHJ', harmonized: false },
  { code: 'SK', letters: 'S', harmonized: false },
  { code: 'YT', letters: 'Y', harmonized: false },
];

/** The province of a postal code; `undefined` where the code alone does not say. */
export const provinceOfPostalCode = (postalCode: string): string | undefined => {
  const letter = postalCode.trim().charAt(0).toUpperCase();
  return letter === '' ? undefined : PROVINCES.find(({ letters }) => letters.includes(letter))?.code;
};

export const isHarmonized = (province: string): boolean =>
  PROVINCES.find(({ code }) => code === province)?.harmonized === true;
