/** Takes the place of the MCP SDK's platform shims in the bundle: the same names, without ajv. */
export { default as process } from 'node:process';

/** Never validates: a server that reaches this was not given its own `jsonSchemaValidator`. */
export class DefaultJsonSchemaValidator {
  getValidator() {
    throw new Error('the server has no jsonSchemaValidator of its own');
  }
}
