/**
 * Members of the Streamlined Sales and Use Tax Agreement, Tennessee as an associate (streamlinedsalestax.org, state
 * membership; unchanged since Ohio became a full member in 2014). Look-ups name the country for them and not for others.
 */
const MEMBERS: ReadonlySet<string> = new Set(
  'AR GA IA IN KS KY MI MN NC ND NE NJ NV OH OK RI SD TN UT VT WA WI WV WY'.split(' '),
);

export const isSstMember = (state: string): boolean => MEMBERS.has(state);
