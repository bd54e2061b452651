/** Injection token of Gemini's {@link FetchPipeline}. */
export const GeminiPipeline = Symbol('GeminiPipeline');
