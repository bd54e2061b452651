/** Colours of a terminal, by what they are used for; plain text where there are none. */

/** Marks up a text for the terminal. */
export type Style = (text: string) => string;

/** The styles of a page and of messages. */
export interface Styles {
  readonly heading: Style;
  readonly link: Style;
  readonly quote: Style;
  readonly dim: Style;
  readonly good: Style;
  readonly warning: Style;
  readonly bad: Style;
}

/** @see ECMA-48 section 8.3.117, SGR */
const COLOURED: Styles = {
  heading: sgr('1;36', '22;39'),
  link: sgr('34', '39'),
  quote: sgr('3', '23'),
  dim: sgr('2', '22'),
  good: sgr('32', '39'),
  warning: sgr('33', '39'),
  bad: sgr('31', '39'),
};

const asIs: Style = (text) => text;
const PLAIN: Styles = { heading: asIs, link: asIs, quote: asIs, dim: asIs, good: asIs, warning: asIs, bad: asIs };

/** The styles where colours are shown, and where not. */
export function stylesOf(hasColours: boolean): Styles {
  return hasColours ? COLOURED : PLAIN;
}

function sgr(on: string, off: string): Style {
  return (text) => `\u001b[${on}m${text}\u001b[${off}m`;
}
