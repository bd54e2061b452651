export default function globalSetup(): void;
export function globalTeardown(): void;
/** One line for each secret of the records, a JSON document a line, that came out. */
export function leaksIn(text: string): string[];
