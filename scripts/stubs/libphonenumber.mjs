/** Takes the place of libphonenumber-js in the bundle: only class-validator's IsPhoneNumber would call it, and nothing uses that. */
export function parsePhoneNumber() {
  throw new Error('phone numbers are not supported in this bundle');
}
