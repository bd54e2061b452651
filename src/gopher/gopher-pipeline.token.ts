/** Injection token of Gopher's {@link FetchPipeline}. */
export const GopherPipeline = Symbol('GopherPipeline');
