/** Scenarios of the suite that judge dist/ as it ships, by protocol revision. */
export declare const OF_THE_PRODUCT: Readonly<Record<string, readonly string[]>>;
