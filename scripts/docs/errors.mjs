/** docs/errors.md: the stable codes and reasons, from src/common/error-codes.ts. */
export const target = 'docs/errors.md';

const ORIGINS = {
  caller: 'the request, or the person asked',
  peer: 'the server, or the way to it',
  policy: "the operator's settings, or the host's wishes",
  local: 'this server',
};

export async function render(load) {
  const { ERROR_CODES, FAILURE_REASONS } = await load('src/common/error-codes.ts');
  const rows = Object.entries(ERROR_CODES).map(
    ([code, { origin, meaning }]) => `| \`${code}\` | ${ORIGINS[origin]} | ${meaning} |`,
  );
  return `<!-- Generated from src/common/error-codes.ts by "npm run docs". -->

# Error codes

A failed call is a tool result with \`isError\` and \`kind: "error"\`. Match on \`error.code\`; \`error.message\` is written for people and may
change. A peer's own words appear in \`error.meta\` alone and are untrusted. Where there is something to do next, \`error.next_step\` says it.

| code | lies with | meaning |
| --- | --- | --- |
${rows.join('\n')}

\`error.reason\`, where present, says more exactly what went wrong: ${FAILURE_REASONS.map((reason) => `\`${reason}\``).join(', ')}.
The list may grow.
`;
}
