/** How clients reach the server. `sse` is the older HTTP transport. */
export const TRANSPORTS = ['stdio', 'sse', 'streamable-http'] as const;

/** A member of {@link TRANSPORTS}. */
export type Transport = (typeof TRANSPORTS)[number];
