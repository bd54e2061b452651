/** Who is calling. Light on purpose: what reads keys and tokens is loaded by auth.module.ts where it is configured. */
export { CallAdmission, type AdmissionRequest } from './call-admission.js';
export { Authenticator } from './authenticator.port.js';
export { scopeChallenge, type AuthRefusal } from './core/auth-refusal.js';
export type { TenantProblem, TenantTerms } from './core/tenants-file.js';
export { Challenges, type HttpChallenge } from './core/challenge.js';
export { presentedCredential, type Credential } from './core/credentials.js';
export { DEFAULT_TENANT, isSubjectName } from './core/names.js';
export { TenantsFileSource } from './io/tenants-file-source.js';
export { Tenants } from './tenants.js';
export { METADATA_PATH, ProtectedResource } from './core/protected-resource.js';
export { API_KEY_ID_BYTES, API_KEY_SECRET_BYTES, composeApiKey, hashApiKey } from './core/api-key.js';
export { apiKeyState, isoTime, type ApiKeyRecord } from './core/api-key-record.js';
export { plannedApiKey } from './core/new-api-key.js';
export { ApiKeyFile } from './io/api-key-file.js';
