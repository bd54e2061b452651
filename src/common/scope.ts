/** What a caller may be allowed; a gateway hands them out, everybody else has all. */
export const SCOPES = ['smallweb:read', 'smallweb:trust', 'smallweb:identity'] as const;

/** `read`: fetch pages. `trust`: list and change pins. `identity`: list, make and remove client identities. */
export type Scope = (typeof SCOPES)[number];
