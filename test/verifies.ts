/**
 * Which tests verify which promise. Kept beside the tests, not in them: most are about more than one promise, and many are data.
 * test/contract/requirements.spec.ts holds this table to the tests that there are, so a test that is renamed is renamed here.
 *
 * To be in this table a test must fail when the promise is broken; read it before naming it.
 */
import type { RequirementId } from './requirements.js';

/** A test, or a group of them. */
export type Evidence =
  /** A recorded session of test/fixtures/scenarios. */
  | { readonly scenario: string }
  /** A case of test/fixtures/wire. */
  | { readonly wire: string }
  /** A scenario of the official suite that judges dist/ as it ships (test/conformance/runs.mjs). */
  | { readonly conformance: string }
  /** Tests of one file: `titles` are titles of tests or groups, or of the rows of a table, as they stand in the source. */
  | { readonly file: string; readonly titles: readonly string[] };

const scenarios = (...ids: readonly string[]): Evidence[] => ids.map((scenario) => ({ scenario }));
const wires = (...ids: readonly string[]): Evidence[] => ids.map((wire) => ({ wire }));
const conformance = (...ids: readonly string[]): Evidence[] => ids.map((id) => ({ conformance: id }));

/** @param file path below test/, without the ending */
const tests = (file: string, ...titles: readonly string[]): Evidence => ({ file, titles });

/** For each promise the tests that verify it. */
export const VERIFIED_BY: Readonly<Record<RequirementId, readonly Evidence[]>> = {
  // Tools: what is listed, and which arguments are taken

  'TOOLS-SERVER-NAME': [tests('contract/advertised-surface', 'names the server')],
  'TOOLS-REVISION-ECHO': [
    tests('contract/advertised-surface', 'speaks the protocol revision that the client offered'),
    tests('integration/http-endpoint', '%s is negotiated'),
  ],
  'TOOLS-CAPABILITY-FLAGS': [tests('contract/advertised-surface', 'offers %s with the recorded flags')],
  'TOOLS-INSTRUCTIONS-LENGTH': [tests('contract/tool-rules', 'are not cut off by any client')],
  'TOOLS-INSTRUCTIONS-POINTS': [
    tests(
      'contract/tool-rules',
      '1. which tool serves which scheme',
      '2. how to navigate',
      '3. what comes as metadata only',
      '4. how to answer a prompt',
      '5. how to go on',
      '6. how to search',
      '7. what a replay is',
      '8. what a changed certificate asks for',
      '9. what status 60 asks for',
      '10. that robots.txt is final',
      '11. what fetching is, and what is fetched',
    ),
  ],
  'TOOLS-ORDER': [tests('contract/advertised-surface', 'the recorded tools come first and in the recorded order')],
  'TOOLS-COMPATIBLE-SCHEMAS': [tests('contract/advertised-surface', '%s serves a caller of the recorded one')],
  'TOOLS-PORTABLE-INPUT-SCHEMA': [tests('contract/tool-rules', 'takes an object, without a combinator at the top')],
  'TOOLS-OBJECT-OUTPUT-SCHEMA': [
    tests('contract/tool-rules', 'gives an object, and every reference leads somewhere within the schema'),
  ],
  'TOOLS-RESULTS-FIT-SCHEMA': [tests('contract/wire-cases', 'wire cases')],
  'TOOLS-ANNOTATIONS': [tests('contract/tool-rules', 'says what it may do, completely')],
  'TOOLS-SNAPSHOT': [
    tests('contract/tool-snapshots', '%s is as its snapshot', 'there is no snapshot of a tool that is gone'),
  ],
  'TOOLS-LIST-SIZE': [tests('contract/tool-rules', 'the list of tools is small')],
  'TOOLS-LENIENT-ARGUMENTS': [...scenarios('gopher-offset-invalid')],
  'TOOLS-BAD-ARGUMENT-STRUCTURED': [
    tests('contract/advertised-surface', 'bad arguments are structured errors that name the argument'),
  ],
  'TOOLS-UNKNOWN-ARGUMENT-REFUSED': [
    tests('integration/http-endpoint', 'a bad argument is a structured result that names it'),
  ],
  'TOOLS-NARROWED-BY-OPERATOR': [tests('integration/mcp-narrowing', 'no header brings in, over %s, client %s')],
  'TOOLS-NARROWED-BY-REQUEST': [
    tests(
      'integration/mcp-narrowing',
      'some tools',
      'reading only',
      'a tool that is left out is unknown, and so are the pages that it would fetch',
    ),
  ],
  'TOOLS-BY-SCOPE': [
    tests('integration/tenants', '%s: exactly the tools that need no more are listed and run'),
    tests('unit/mcp/served-tools', 'each tool says which one it needs'),
  ],
  'SERVER-SCOPE-CHALLENGE': [
    tests(
      'integration/tenants',
      '%s: exactly the tools that need no more are listed and run',
      'a batch with one call that may not be made runs none of them',
    ),
  ],
  'SERVER-AUTH-REQUIRED': [tests('unit/config/auth-problems', 'does not start on %s while nobody is asked')],
  'SERVER-AUTH-CREDENTIAL': [
    tests(
      'integration/abuse',
      'that is missing gets 401 with a challenge, on every endpoint of MCP',
      'that is a key, but %s, gets 401',
      'without a credential is not read',
    ),
  ],
  'SERVER-AUTH-KEYS-HASHED': [
    tests('integration/key-command', 'prints a key once and keeps only its hash, in a file for its owner alone'),
  ],
  'SERVER-AUTH-KEY-REVOKED': [tests('unit/auth/api-key-authenticator', 'are refused within a second of being revoked')],
  'SERVER-AUTH-TOKENS': [
    tests('integration/abuse', 'that is a token, but %s, gets 401'),
    tests('integration/openid-provider', 'a token for this server is taken, one for another is not'),
  ],
  'SERVER-AUTH-ISSUER-AWAY': [
    tests('integration/openid-provider', 'may change its keys, and be away for a while'),
    tests('unit/auth/token-authenticator', 'are not fetched for every made-up key id'),
  ],
  'SERVER-AUTH-METADATA': [
    tests(
      'integration/openid-provider',
      'the client of the SDK goes from the challenge to the metadata to the provider and back',
    ),
  ],
  'SERVER-AUTH-SESSION-OWNER': [
    tests('integration/abuse', 'of somebody else is as unknown as one that never was'),
    tests('unit/mcp/sessions', 'is there for its owner alone, whatever the owner may do now'),
  ],
  'SERVER-AUTH-SLOW-REQUEST': [tests('integration/abuse', 'is cut off while it sends its body a byte at a time')],
  'SERVER-TENANT-NARROWS': [
    tests('integration/tenants', 'no tenant opens what it closes'),
    tests(
      'property/narrowing',
      'a visible tool is allowed by each of the scopes, the tenant and the wish',
      'no tenant contacts a host that the deployment refuses, and none that is denied',
    ),
  ],
  'SERVER-TENANT-UNKNOWN-REFUSED': [
    tests('integration/tenants', 'the tenant %s, which is not in the file, is refused'),
  ],
  'SERVER-TENANT-FILE-CHECKED': [
    tests('integration/tenants', 'a file with mistakes stops the start, and each is told'),
  ],
  'SERVER-TENANT-FILE-RELOADED': [tests('integration/tenants', 'a change of the file counts while the server runs')],
  'SERVER-TENANT-ISOLATION': [
    tests(
      'integration/tenants',
      'identities are presented for their tenant alone',
      'identities are listed to their tenant alone',
      'identities cannot be removed, nor told from ones that are not there',
      'answers that were obtained with an identity are cached for its tenant alone',
      'held bodies are not continued',
      'downloads under way are not joined: %s',
      'completions offer what one has visited oneself',
      'a session is not there for the other',
      'the policy shows the rules of the own tenant',
      'errors name neither the other tenant nor its rules',
    ),
  ],
  'SERVER-TENANT-CACHE': [
    tests(
      'integration/tenants',
      'anonymous pages are cached for each tenant apart',
      'are cached for all where the operator says so; those of an identity are not',
    ),
  ],
  'TOOLS-FORMAT-TEXT': [
    tests('unit/gemini/core/render', 'text numbers the links and lists them below'),
    tests('unit/gopher/core/render', 'a menu as text numbers its links'),
  ],
  'TOOLS-FORMAT-LINKS': [
    tests('unit/gemini/core/render', 'links gives each link once'),
    tests('unit/gopher/core/render', 'the links of a menu are those that can be fetched, windowed among themselves'),
  ],
  'TOOLS-FORMAT-OUTLINE': [
    tests('unit/gemini/core/render', 'outline gives headings with their offsets, and counts the links'),
    tests('unit/gopher/core/render', 'the outline of a menu is its links under the lines that introduce them'),
  ],

  // Results: their shape, whatever the tool

  'RESULT-TEXT-EQUALS-STRUCTURE': [
    tests('unit/mcp/tool-result', '%s gives the same JSON twice, the text indented by two'),
  ],
  'RESULT-IS-ERROR': [tests('unit/mcp/tool-result', 'is an error when the kind says so, and only then')],
  'RESULT-BATCH-SHAPE': [
    ...scenarios('gopher-batch'),
    tests('unit/mcp/tool-result', 'gives one block an item, wraps the list, and is no error whatever is in it'),
  ],
  'RESULT-BATCH-ORDER': [
    ...wires('gopher-batch-order'),
    tests('unit/fetch/pipeline', 'results keep the order of the URLs, and progress counts what is finished'),
  ],
  'RESULT-BATCH-LIMIT': [...scenarios('gopher-batch', 'gemini-batch-over-limit')],
  'RESULT-BATCH-EMPTY': [...scenarios('gopher-batch'), tests('unit/mcp/tool-result', 'an empty list has no block')],
  'RESULT-BATCH-DEADLINE': [
    tests(
      'unit/fetch/pipeline',
      'what does not end within the longest wait and one wire time together ends as a time-out',
    ),
  ],
  'RESULT-BATCH-PROGRESS': [
    tests('integration/mcp-progress', 'a batch tells how far it is, to the last item: %s, client %s'),
  ],
  'RESULT-MEMBER-ORDER': [
    tests('unit/gemini/core/render', 'of a text, in the order of the contract'),
    tests('unit/gopher/core/render', 'members stand in the order of results'),
  ],
  'RESULT-UNTRUSTED-MARK': [
    tests('protocol/third-protocol', 'is fetched through the same pipeline: window, marks of origin, held body, cache'),
  ],
  'RESULT-BYTE-BOUND': [
    ...wires('gemini-blank-line-flood'),
    tests('unit/fetch/pipeline', 'counts what every page gets beside its window'),
    tests('unit/gemini/core/render', 'the bytes of the members stay below their bound, which cuts no character'),
    tests('unit/gopher/core/render', 'fit into %i bytes, full as can be'),
  ],
  'RESULT-INCOMPLETE-MARK': [
    tests('unit/gopher/gopher.protocol', 'a body that ended early is a document with the reason'),
    tests('unit/gemini/gemini.protocol', 'a body that ends early (%s) is delivered and marked'),
  ],
  'RESULT-CHARSET-TOLD': [tests('unit/gopher/core/document', 'a text says how it was decoded and how long it is')],
  'RESULT-CACHE-STAMP': [
    ...scenarios('gopher-cache'),
    tests('unit/fetch/pipeline', 'answers a second fetch, stamped with its age, and tells when it was downloaded'),
  ],
  'RESULT-QUERY-NOT-ECHOED': [
    ...scenarios('gemini-secret-echo'),
    tests('unit/gemini/core/url', 'no message quotes %s'),
  ],
  'RESULT-USERINFO-NOT-ECHOED': [
    tests('unit/gemini/gemini.protocol', 'a refused URL shows neither query nor userinfo'),
    tests('property/gopher-url', 'no echo shows a password'),
  ],

  // Errors: what each code means

  'ERROR-INVALID-REQUEST': [...scenarios('gopher-url-forms', 'gemini-url-forms')],
  'ERROR-WRONG-TOOL-HINT': [
    tests('unit/gopher/core/url', 'refusals'),
    tests('unit/gemini/core/url', 'another scheme', 'the web'),
  ],
  'ERROR-BLOCKED': [...scenarios('gopher-blocked-addresses', 'gopher-blocked-ports', 'gemini-blocked')],
  'ERROR-DNS': [
    tests('unit/safety/io/node-dns-resolver', 'that fails with %s is a DNS_ERROR without library text'),
    tests('integration/error-codes', 'for a name that does not resolve is a DNS_ERROR'),
  ],
  'ERROR-TIMEOUT': [
    ...scenarios('gopher-timeout', 'gemini-timeout'),
    tests('integration/gopher-dialer', 'and sent nothing has failed, in the seconds of the setting'),
  ],
  'ERROR-REFUSED': [...wires('gopher-connection-refused', 'gemini-connection-refused')],
  'ERROR-RESET': [...wires('gopher-reset-midway', 'gemini-reset-midbody')],
  'ERROR-NOT-FETCHABLE': [
    ...scenarios('gopher-not-fetchable'),
    tests('unit/gopher/gopher.protocol', 'type %s is for another client, which is told where'),
  ],
  'ERROR-BLOCKED-BY-ROBOTS': [
    ...scenarios('gopher-robots', 'gemini-robots-plain'),
    tests('unit/safety/robots-gate', 'refuses with what the model has to know'),
  ],
  'ERROR-ROBOTS-UNAVAILABLE': [
    ...scenarios(
      'gemini-robots-41',
      'gemini-robots-malformed',
      'gemini-robots-refused',
      'gemini-robots-timeout',
      'gemini-robots-tls',
    ),
  ],
  'ERROR-SLOW-DOWN': [
    ...scenarios('gemini-slow-down'),
    tests('unit/safety/core/slow-down', 'a refusal says whose demand it is'),
  ],
  'ERROR-TLS': [...scenarios('gemini-transport-errors', 'gemini-tls11-only'), ...wires('gemini-plain-tcp')],
  'ERROR-PROTOCOL': [...scenarios('gemini-malformed')],
  'ERROR-INVALID-REDIRECT': [...scenarios('gemini-redirect')],
  'ERROR-TEMPORARY': [...scenarios('gemini-status-errors')],
  'ERROR-PERMANENT': [...scenarios('gemini-status-errors')],
  'ERROR-CONTENT-FILTERED': [...scenarios('gemini-denied-mime')],
  'ERROR-CERTIFICATE-CHANGED': [
    ...scenarios('gemini-tofu-flow'),
    tests(
      'unit/trust/trust.service',
      'refuses another certificate with the facts to decide by, and tells who keeps its pages',
    ),
  ],
  'ERROR-CERTIFICATE-EXPIRED': [...scenarios('gemini-cert-expired-reject')],
  'ERROR-CERTIFICATE-NOT-YET-VALID': [...scenarios('gemini-cert-not-yet-valid')],
  'ERROR-STORE-UNAVAILABLE': [...scenarios('gemini-store-unwritable', 'gemini-tofu-corrupt-store')],
  'ERROR-TOFU-DISABLED': [...scenarios('gemini-tofu-disabled')],
  'ERROR-CLIENT-CERTS-DISABLED': [...scenarios('gemini-client-cert-disabled')],
  'ERROR-FINGERPRINT-MISMATCH': [
    ...scenarios('gemini-client-cert-flow'),
    tests('unit/trust/trust.service', 'removal: another fingerprint is refused without revealing the stored one'),
  ],
  'ERROR-CERTIFICATE-EXISTS': [
    ...scenarios('gemini-client-cert-flow'),
    tests('unit/cert/identity.service', 'is refused when %s is covered already: %s'),
  ],
  'ERROR-USER-DECLINED': [...scenarios('gemini-elicit-decline', 'gemini-elicit-accept-false')],
  'ERROR-GOPHER': [
    ...wires('gopher-text-error-line'),
    tests('integration/mcp-resources', 'an error line of a server is data, and never the message'),
    tests('unit/gopher/core/document', 'fails a request of type %s'),
  ],
  'ERROR-CERTIFICATE-UNVERIFIED': [tests('unit/trust/trust.service', 'CERTIFICATE_UNVERIFIED')],
  'ERROR-UNAUTHORIZED': [
    tests('integration/abuse', 'that is missing gets 401 with a challenge, on every endpoint of MCP'),
  ],
  'ERROR-AUTHENTICATION-UNAVAILABLE': [
    tests(
      'integration/error-codes',
      'whose token cannot be checked while the issuer is away is AUTHENTICATION_UNAVAILABLE',
    ),
    tests('unit/auth/core/challenge', 'is none when it is our fault'),
  ],
  'ERROR-FORBIDDEN': [tests('integration/abuse', 'that is good for nothing here gets 403 and the scope to ask for')],
  'ERROR-QUOTA-EXCEEDED': [
    tests(
      'integration/limits',
      'that is used up is 429 with the time to come again, in the header and in the error',
      'is a result where an answer has no status',
    ),
  ],
  'ERROR-OVERLOADED': [tests('integration/limits', 'runs some, lets some wait, and refuses the rest at once with 503')],
  'ERROR-INTERNAL': [tests('unit/fetch/pipeline', 'an internal fault tells its cause to the log alone')],
  'ERROR-NO-ADDRESS': [
    tests('unit/safety/core/address-policy', 'the message on %s names host and class (%s), never the address'),
    tests('integration/gopher-dialer', 'a closed port is refused, and no address is named'),
  ],
  'ERROR-NO-PATH': [tests('integration/trust-store', 'failures name the setting and no path')],
  'ERROR-REFERENCE': [tests('contract/config-reference', 'the generated pages are those that the sources give')],

  // Settings and command line

  'CONFIG-DEFAULTS': [tests('unit/config/load-config', 'an empty environment gives the documented defaults')],
  'CONFIG-0.10-VARIABLES': [tests('contract/config-reference', '%s still has an effect')],
  'CONFIG-REFERENCE': [
    tests('contract/config-reference', 'the reference has a row for %s', 'the reference has a row for --%s'),
  ],
  'CONFIG-BOOLEANS': [tests('unit/config/value-syntax', '%j is true', '%j is false', '%j is neither')],
  'CONFIG-NUMBERS': [tests('unit/config/value-syntax', 'integers', 'decimals')],
  'CONFIG-LISTS': [tests('unit/config/value-syntax', '%j has the entries %j')],
  'CONFIG-BLANK-IS-UNSET': [tests('unit/config/load-config', 'blanks in %s leave the default in place')],
  'CONFIG-NO-EMPTY-RESTRICTION': [tests('unit/config/load-config', 'values that are refused')],
  'CONFIG-ZERO-TTL': [
    ...scenarios('gopher-cache-off'),
    tests('unit/config/load-config', 'a lifetime of zero turns the cache off, whatever CACHE_ENABLED says'),
  ],
  'CONFIG-ALL-PROBLEMS': [
    tests('unit/config/load-config', 'all problems of all sections come at once, sections and settings in order'),
  ],
  'CONFIG-SAFE-PROBLEM-LINES': [
    tests('unit/config/load-config', 'a hostile value stays on its line, escaped and shortened'),
  ],
  'CONFIG-SECRET-FILES': [
    tests(
      'unit/config/secret-files',
      'is its value %s',
      'that is %s is a problem that quotes neither path nor content',
      'in %s is in no problem, whether it can be used or not',
    ),
  ],
  'CONFIG-SECRETS-HIDDEN': [tests('unit/config/setting', 'a secret is not quoted, not even in part')],
  'CONFIG-NAMES-CASE-INSENSITIVE': [
    tests('unit/config/load-config', 'names are case-insensitive, and the upper-case spelling counts'),
  ],
  'CONFIG-ENV-FILE': [
    tests(
      'unit/config/load-config',
      'the environment goes before the .env file, in whatever case',
      'its use is told when it has something of ours, and foreign names in it are left alone',
    ),
  ],
  'CONFIG-FLAGS-FIRST': [tests('unit/config/load-config', 'flags go before everything else')],
  'CONFIG-UNKNOWN-NAMES': [tests('unit/config/load-config', '%s is unknown: %s, nearest %s')],
  'CONFIG-CLOSED-PORTS-REMARK': [
    tests('unit/config/load-config', 'listed ports that stay closed are named, by protocol'),
  ],
  'CONFIG-OPEN-BIND-WARNING': [tests('unit/config/load-config', '%s on %s warns about open doors: %s')],
  'CONFIG-HOST-ENTRIES': [tests('unit/config/host-entries', 'entries of ALLOWED_HOSTS')],
  'CONFIG-PRINT': [
    tests('unit/config/describe-config', 'what is printed is a .env file that gives the same settings: %s'),
  ],
  'CONFIG-SAMPLES': [tests('contract/config-reference', '%s loads without a remark but those that belong to it')],
  'CLI-FLAGS': [tests('unit/bin/arguments', 'what is asked for', 'what is refused, with usage')],
  'CLI-HELP': [tests('unit/bin/command-list', 'help names every flag and command and fits a terminal')],
  'CLI-COMMAND-HELP': [tests('unit/cli/run-command', 'of $path names every option and fits a terminal')],
  'CLI-COMMAND-ARGUMENTS': [tests('unit/cli/run-command', '%j is refused', '%j names no command of a group')],
  'CLI-COMMAND-SUGGESTED': [
    tests('unit/cli/unknown-name', 'an unknown command'),
    tests('e2e/cli-tour', 'names the command that was meant'),
  ],
  'CLI-FETCH-PAGE': [
    tests('unit/cli/fetch.command', 'a page', 'is coloured where colours are shown'),
    tests('e2e/cli-tour', 'greets with a menu of numbered links'),
  ],
  'CLI-FETCH-OPTIONS': [
    tests(
      'unit/cli/fetch.command',
      'what is asked of the tool',
      'is JSON for programs, and its exit code tells a failure',
    ),
    tests('e2e/cli-tour', 'is searched', 'has a long text that says how to go on', 'asks, and takes the answer'),
  ],
  'CLI-FETCH-PROGRESS': [
    tests('unit/cli/fetch.command', 'a slow fetch shows that it is under way, and wipes it when it ends'),
  ],
  'CLI-TERMINAL-SAFE': [
    tests(
      'unit/cli/fetch.command',
      'of a menu has numbered links and the kinds of its items, and nothing that a terminal acts on',
    ),
    tests('e2e/cli-tour', 'can do nothing to the terminal'),
  ],
  'CLI-TRUST': [
    tests('unit/cli/trust.command', 'trust list', 'trust pin', 'trust remove'),
    tests(
      'e2e/cli-tour',
      'refuses after somebody pinned another certificate, and is trusted again after that pin is removed',
    ),
  ],
  'CLI-IDENTITY': [
    tests('unit/cli/identity.command', 'identity list', 'a change'),
    tests('e2e/cli-tour', 'lets those in whose identity it knows'),
  ],
  'CLI-CONSENT': [
    tests(
      'unit/cli/trust.command',
      'asks the person, and carries out what was agreed to',
      'changes nothing after the answer %j',
      'needs --yes where nobody can be asked',
    ),
    tests('unit/cli/identity.command', '%j is not carried out after a no', '%j needs --yes where nobody can be asked'),
    tests('unit/cli/ask', 'a question'),
  ],
  'CLI-DOCTOR': [
    tests(
      'unit/cli/doctor.command',
      'the machine',
      'the settings',
      'the stores',
      'the network',
      'has a line for each finding, and what to do below it',
    ),
    tests('e2e/cli-tour', 'finds nothing wrong with this machine that is worse than a warning'),
  ],
  'CLI-DOCTOR-REDIS': [
    tests(
      'redis/doctor',
      'that runs answers; after it was stopped it does not',
      'that wants another password does not count as answering',
      'is not what takes a connection and says nothing',
    ),
  ],
  'CLI-DEMO': [
    tests(
      'integration/demo',
      'that leads to the hole itself is answered with an item of its type',
      'that leads to the demo is answered as its page says',
    ),
    tests('e2e/cli-tour', 'the demo ends at Ctrl+C and leaves nothing behind'),
  ],
  'CLI-TOUR': [tests('e2e/cli-tour', 'the Gopher hole', 'the Gemini capsule')],
  'CLI-COMPLETION': [tests('unit/cli/completion-scripts', '%s accepts its script')],
  'CLI-START-WITHOUT-COMMANDS': [
    tests('contract/loaded-code', 'loads nothing of HTTP, metrics, audit, traces and commands over stdio'),
  ],

  // Gopher

  'GOPHER-URL-DEFAULT-TYPE': [...wires('gopher-url-without-path')],
  'GOPHER-URL-TYPE-AND-SELECTOR': [...wires('gopher-selector-leading-slash-kept', 'gopher-selector-no-leading-slash')],
  'GOPHER-URL-RAW-BYTES': [
    tests('unit/gopher/core/url', 'bytes that are not UTF-8 stay what they are and show as U+FFFD'),
  ],
  'GOPHER-URL-QUESTION-MARK': [...wires('gopher-url-question-mark')],
  'GOPHER-URL-CONTROLS-REFUSED': [
    ...wires('gopher-request-injection'),
    tests('property/gopher-url', 'a request is one line, with at most the one TAB of a search'),
  ],
  'GOPHER-URL-BOUNDS': [...scenarios('gopher-url-forms'), tests('unit/gopher/core/url', 'bounds count code points')],
  'GOPHER-URL-IPV6': [...scenarios('gopher-ipv6')],
  'GOPHER-URL-CANONICAL': [
    ...wires('gopher-cache-spellings'),
    tests('property/gopher-url', 'the canonical URL asks for the same and is its own canonical URL'),
  ],
  'GOPHER-REQUEST-LINE': [tests('unit/gopher/core/request', '%s asks with %j')],
  'GOPHER-SEARCH-ARGUMENT': [...scenarios('gopher-search')],
  'GOPHER-SEARCH-TAB-FORM': [...wires('gopher-search-url-tab')],
  'GOPHER-SEARCH-EMPTY': [tests('unit/gopher/core/url', 'no search, an empty one and another one are three resources')],
  'GOPHER-SEARCH-IGNORED': [...scenarios('gopher-search-ignored')],
  'GOPHER-TYPE-DISPATCH': [...scenarios('gopher-type-dispatch', 'gopher-binary')],
  'GOPHER-BINARY-SIGNATURES': [...scenarios('gopher-binary'), tests('unit/common/mime-signatures', 'signatures')],
  'GOPHER-BINARY-AS-TEXT': [tests('unit/gopher/core/document', 'an image under type %s is reported as binary')],
  'GOPHER-MENU-TERMINATOR': [
    ...scenarios('gopher-menu-line-endings'),
    tests('unit/gopher/core/menu-lines', 'a lone dot ends the menu'),
  ],
  'GOPHER-MENU-TERMINATOR-NO-CLOSE': [
    ...wires('gopher-menu-terminator-no-close'),
    tests('unit/gopher/core/response-reader', 'menu %j is over at its lone dot, whatever follows'),
  ],
  'GOPHER-MENU-NO-TERMINATOR': [...wires('gopher-menu-no-terminator')],
  'GOPHER-MENU-LINE-ENDS': [
    ...scenarios('gopher-menu-line-endings'),
    ...wires('gopher-menu-lf-only', 'gopher-menu-mixed-line-ends'),
  ],
  'GOPHER-MENU-FIELDS': [tests('unit/gopher/core/menu', 'a complete line', 'fields of Gopher+ are ignored')],
  'GOPHER-MENU-LENIENT': [
    ...wires('gopher-menu-info-short'),
    tests('unit/gopher/core/menu', 'two fields: this server', 'junk is text'),
  ],
  'GOPHER-MENU-EMPTY-HOST': [...wires('gopher-menu-empty-host')],
  'GOPHER-MENU-BAD-PORT': [...wires('gopher-menu-port-garbage', 'gopher-menu-port-spaces')],
  'GOPHER-MENU-INFO-LAYOUT': [...wires('gopher-menu-ascii-art')],
  'GOPHER-MENU-ERROR-ITEM': [...wires('gopher-menu-error-item-no-link')],
  'GOPHER-MENU-WEB-LINKS': [...wires('gopher-menu-hurl-slash', 'gopher-menu-h-get')],
  'GOPHER-MENU-TELNET-LINKS': [...wires('gopher-menu-telnet-items')],
  'GOPHER-MENU-UNUSUAL-TYPES': [...wires('gopher-menu-unusual-types')],
  'GOPHER-MENU-CONTROL-TYPE': [...wires('gopher-menu-control-type')],
  'GOPHER-MENU-HOST-INJECTION': [
    ...wires('gopher-menu-host-injection'),
    tests('unit/gopher/core/menu-link', 'link of a menu item'),
  ],
  'GOPHER-MENU-SELECTOR-BYTES': [...scenarios('gopher-menu-latin1'), ...wires('gopher-menu-latin1-roundtrip')],
  'GOPHER-MENU-WINDOW': [...scenarios('gopher-menu-windows'), ...wires('gopher-menu-window')],
  'GOPHER-MENU-UNLIMITED': [...scenarios('gopher-menu-unlimited')],
  'GOPHER-TEXT-DOT-STUFFING': [
    ...scenarios('gopher-text-framing'),
    tests('unit/gopher/core/text', 'framing is undone'),
  ],
  'GOPHER-TEXT-UNFRAMED': [...wires('gopher-text-unframed-dots', 'gopher-text-lone-dot-inside')],
  'GOPHER-TEXT-BLANK-AFTER-DOT': [...wires('gopher-text-blank-after-terminator')],
  'GOPHER-TEXT-CHARSET': [
    ...wires('gopher-text-utf16-bom', 'gopher-text-one-bad-byte'),
    tests('unit/common/text/charset', 'without a label'),
  ],
  'GOPHER-TEXT-BOM': [...wires('gopher-text-utf8-bom')],
  'GOPHER-TEXT-WINDOW': [...scenarios('gopher-text-windows'), ...wires('gopher-text-window-walk')],
  'GOPHER-TEXT-SPLIT-PACKETS': [
    ...wires('gopher-text-split-packets'),
    tests('property/gopher-text', 'cuts between chunks change nothing'),
  ],
  'GOPHER-ADDRESS-FAILOVER': [
    tests(
      'integration/gopher-dialer',
      'the next address is tried when one does not connect',
      'and also when one takes longer than its share of the time',
    ),
  ],
  'GOPHER-SIZE-CAP': [
    ...scenarios('gopher-size-cap'),
    tests(
      'integration/gopher-dialer',
      'cuts a longer body and leaves',
      'lets a body of exactly its size pass when the server closes',
    ),
  ],
  'GOPHER-DEADLINE': [...wires('gopher-slow-drip')],

  // Gemini

  'GEMINI-REQUEST-LINE': [tests('unit/gemini/core/url', 'no path', 'a fragment')],
  'GEMINI-REQUEST-1024': [
    ...wires('gemini-url-limits'),
    tests(
      'unit/gemini/core/url',
      'the limit holds for the bytes on the wire: escapes count, fragments and dot segments do not',
    ),
  ],
  'GEMINI-REQUEST-NO-USERINFO': [...wires('gemini-url-userinfo')],
  'GEMINI-REQUEST-DOT-SEGMENTS': [...wires('gemini-url-dot-segments')],
  'GEMINI-REQUEST-ENCODING': [
    ...wires('gemini-query-kept-encoded'),
    tests('unit/gemini/core/url', 'characters beyond ASCII'),
  ],
  'GEMINI-REQUEST-IDN': [tests('unit/gemini/core/url', 'a host beyond ASCII, sharp s kept')],
  'GEMINI-TLS-VERSIONS': [...scenarios('gemini-tls11-only'), ...wires('gemini-tls12-only', 'gemini-tls13-only')],
  'GEMINI-TLS-SNI': [...wires('gemini-sni-name', 'gemini-sni-ip-literal')],
  'GEMINI-TLS-KEYS': [
    ...wires('gemini-cert-ed25519'),
    tests('integration/certificate-zoo', 'certificates that are pinned and give the page'),
  ],
  'GEMINI-TLS-WITHHOLD': [tests('integration/gemini-dialer', 'a refusal withholds the request')],
  'GEMINI-TLS-ADDRESS-ORDER': [
    tests(
      'integration/gemini-dialer',
      'IPv4 is tried first, the others follow when one refuses',
      'one that does not shake hands in its share of the time gives way',
    ),
  ],
  'GEMINI-TLS-FINGERPRINT': [...wires('gemini-cert-fingerprint')],
  'GEMINI-CLOSE-NOTIFY': [
    ...wires('gemini-no-close-notify'),
    tests('integration/gemini-dialer', 'close_notify is told from a bare end, every time (%s)'),
  ],
  'GEMINI-HEADER-CRLF': [...wires('gemini-header-bare-lf')],
  'GEMINI-HEADER-FORM': [
    ...wires('gemini-bad-status-lines'),
    tests('unit/gemini/core/response-reader', 'malformed responses'),
  ],
  'GEMINI-HEADER-UTF8': [...wires('gemini-header-invalid-utf8')],
  'GEMINI-HEADER-SPLIT': [
    ...wires('gemini-header-split'),
    tests('property/gemini-response', 'the cuts between chunks make no difference'),
  ],
  'GEMINI-HEADER-ENDLESS': [...wires('gemini-header-endless')],
  'GEMINI-HEADER-LONG-FIELD': [
    tests('unit/gemini/core/response-reader', 'a long field of a success', 'a long field of a failure, cut'),
  ],
  'GEMINI-HEADER-BARE-FAILURE': [...wires('gemini-failure-without-text')],
  'GEMINI-NO-BODY-OUTSIDE-2X': [...wires('gemini-nonsuccess-no-close')],
  'GEMINI-ANSWER-BEFORE-REQUEST': [...wires('gemini-response-before-request')],
  'GEMINI-STATUS-FIRST-DIGIT': [...wires('gemini-unknown-second-digit')],
  'GEMINI-STATUS-INPUT': [...wires('gemini-input-prompts')],
  'GEMINI-INPUT-ANSWER': [...scenarios('gemini-input'), ...wires('gemini-input-replaces-query')],
  'GEMINI-INPUT-EMPTY': [...wires('gemini-input-empty-answer')],
  'GEMINI-INPUT-TOO-LONG': [...wires('gemini-input-too-long')],
  'GEMINI-REDIRECT-REPORTED': [...wires('gemini-redirect-relative')],
  'GEMINI-REDIRECT-PERMANENT': [tests('unit/gemini/core/redirect', 'status %i: permanent %s')],
  'GEMINI-REDIRECT-CROSS-HOST': [
    ...wires('gemini-redirect-other-scheme'),
    tests('unit/gemini/core/redirect', 'targets'),
  ],
  'GEMINI-REDIRECT-SELF': [...wires('gemini-redirect-empty-or-self', 'gemini-redirect-self-spellings')],
  'GEMINI-REDIRECT-UNPARSEABLE': [...wires('gemini-redirect-unparseable')],
  'GEMINI-REDIRECT-NO-QUERY-CARRIED': [
    tests('unit/gemini/core/redirect', 'a query of the request does not travel into the target, and may be dropped'),
  ],
  'GEMINI-STATUS-44': [
    ...wires('gemini-slow-down', 'gemini-slow-down-doubles'),
    tests('unit/safety/host-pacer', 'is left alone for 15 seconds, twice as long each further time, and 300 at most'),
  ],
  'GEMINI-STATUS-6X': [...wires('gemini-certificate-statuses')],
  'GEMINI-MIME-DEFAULT': [...scenarios('gemini-mime-fallback'), ...wires('gemini-empty-meta-success')],
  'GEMINI-MIME-PARAMETERS': [...wires('gemini-mime-parameters', 'gemini-mime-quoted-semicolon')],
  'GEMINI-MIME-BROKEN-PARAMETERS': [...wires('gemini-mime-malformed')],
  'GEMINI-MIME-LANG': [...scenarios('gemini-success-text'), tests('unit/gemini/core/mime', 'parseMime')],
  'GEMINI-MIME-TEXT': [...wires('gemini-text-subtypes')],
  'GEMINI-MIME-TEXT-LIKE': [...wires('gemini-text-like-applications')],
  'GEMINI-MIME-BINARY': [...scenarios('gemini-binary'), tests('unit/gemini/core/media', 'the final type')],
  'GEMINI-MIME-DENIED': [
    ...scenarios('gemini-denied-mime'),
    tests(
      'unit/gemini/gemini.protocol',
      'a denied type is refused at its header: a body that never ends is not waited for',
    ),
  ],
  'GEMINI-CHARSET-DECLARED': [...wires('gemini-charsets-common', 'gemini-charsets-rare')],
  'GEMINI-CHARSET-FALSE': [
    ...wires('gemini-charset-utf8-lie-cp437'),
    tests('unit/common/text/charset', '%s is left behind'),
  ],
  'GEMINI-CHARSET-UNKNOWN': [...wires('gemini-charset-escape-codec')],
  'GEMINI-BODY-BOM': [...wires('gemini-body-bom')],
  'GEMINI-LINE-ENDS': [...wires('gemini-lines-crlf-lf-cr')],
  'GEMTEXT-LINE-TYPES': [...scenarios('gemini-gemtext'), tests('unit/gemini/core/gemtext', 'kinds of lines')],
  'GEMTEXT-LINKS': [...wires('gemini-link-forms')],
  'GEMTEXT-LINK-EMPTY': [...wires('gemini-link-empty')],
  'GEMTEXT-LINK-BROKEN': [...wires('gemini-link-broken-url')],
  'GEMTEXT-LINK-RESOLVED': [
    tests('unit/gemini/core/reference', 'relative: %s'),
    tests('property/gemini-url', 'paths resolve as other implementations resolve them'),
  ],
  'GEMTEXT-LINK-UNFETCHABLE': [tests('unit/gemini/core/gemtext', 'a link that no tool of ours fetches says so: %s')],
  'GEMTEXT-PREFORMATTED': [
    tests('unit/gemini/core/gemtext', 'everything between two fences stays as it is', 'an opening fence: %j'),
  ],
  'GEMTEXT-WINDOW-LINES': [...scenarios('gemini-gemtext-windows'), ...wires('gemini-long-line-walk')],
  'GEMTEXT-WINDOW-STATE': [
    ...wires('gemini-window-inside-fence'),
    tests('unit/gemini/core/gemtext', 'reading from within'),
  ],
  'GEMTEXT-WINDOWS-COMPLETE': [tests('property/gemini-gemtext', 'put together they are the page')],
  'GEMINI-LINEAR-TIME': [
    ...wires('gemini-whitespace-flood'),
    tests('property/gemini-gemtext', 'floods are handled in linear time'),
  ],
  'GEMINI-SIZE-CAP': [
    ...wires('gemini-oversize'),
    tests('unit/gemini/gemini.protocol', 'the size limit counts header and body'),
  ],
  'GEMINI-DEADLINE': [...wires('gemini-no-answer', 'gemini-stall-midbody')],

  // Cache and held bodies

  'CACHE-LIFETIME': [
    ...scenarios('gemini-cache-expiry'),
    tests('unit/common/lru-ttl-cache', 'an entry is served up to its last millisecond and not after'),
  ],
  'CACHE-LRU': [
    ...scenarios('gopher-cache-lru'),
    tests('unit/common/lru-ttl-cache', 'the least recently stored entry goes first'),
  ],
  'CACHE-BYTES': [
    tests(
      'property/common-cache',
      'both bounds hold after every step, and nothing is served that a plain model would not serve',
    ),
  ],
  'CACHE-REFRESH': [
    ...scenarios('gopher-cache'),
    tests('unit/fetch/pipeline', 'is not asked by a refresh, which drops every window and fills it anew'),
  ],
  'CACHE-NO-ERRORS': [
    ...scenarios('gemini-cache'),
    tests(
      'unit/fetch/pipeline',
      'keeps neither errors, nor answers of one time, nor bodies that ended early, nor what has no key',
    ),
  ],
  'CACHE-NO-QUERY': [...scenarios('gemini-text-windows'), ...wires('gemini-query-not-cached')],
  'CACHE-IDENTITY': [
    ...wires('gemini-cache-identity'),
    tests('unit/fetch/pipeline', 'never crosses identities: an answer is kept under the one that was presented'),
  ],
  'CACHE-PIN-CHANGE': [tests('unit/fetch/pipeline', 'forgets a host whose pin changed')],
  'CACHE-HELD-BODIES': [...scenarios('gopher-held-body-slot', 'gemini-held-body-slot')],
  'CACHE-IN-FLIGHT': [
    tests('unit/fetch/in-flight', 'gives callers of one resource one download, and callers of another their own'),
  ],
  'CACHE-ROBOTS-FIRST': [
    ...scenarios('gemini-robots-vs-cache'),
    tests('unit/fetch/pipeline', 'robots comes before the cache: a rule withholds what was cached before'),
  ],

  // Trust in servers

  'TRUST-FIRST-USE': [
    ...scenarios('gemini-tofu-flow'),
    tests('unit/trust/trust.service', 'pins at first use, warns once, and says nothing afterwards'),
  ],
  'TRUST-PER-PORT': [tests('unit/trust/trust.service', 'keeps ports apart')],
  'TRUST-HOST-SPELLING': [
    ...scenarios('gemini-tofu-flow'),
    tests('unit/trust/core/pin-record', 'names the host as it is normalised'),
  ],
  'TRUST-CHANGED': [...wires('gemini-tofu-changed-and-recovered')],
  'TRUST-EXPIRED-WARNING': [
    ...scenarios('gemini-cert-expired', 'gemini-cert-expired-reject'),
    ...wires('gemini-cert-expired'),
  ],
  'TRUST-NOT-YET-VALID': [
    tests('unit/trust/core/decide-pin', 'tolerates a start within the skew, and not a millisecond more'),
  ],
  'TRUST-FAR-END': [...wires('gemini-cert-year-9999')],
  'TRUST-RENEWAL-EXPIRED': [...wires('gemini-tofu-expired-pin-renewal')],
  'TRUST-RENEWAL-SAME-KEY': [...wires('gemini-tofu-same-key-renewal')],
  'TRUST-STRICT-DEFAULT': [tests('property/trust', 'under the strict policy never lets another certificate pass')],
  'TRUST-NO-CERTIFICATE': [
    tests('unit/trust/trust.service', 'refuses a certificate that is %s, and pins nothing', 'missing'),
  ],
  'TRUST-PROBE-REMARK': [
    tests('e2e/real-certificates', 'the remark reaches the caller also when the robots probe made the first contact'),
  ],
  'TRUST-LIST': [
    tests('unit/trust/trust.service', 'shows entries by host and port, with instants and whether they have run out'),
  ],
  'TRUST-REMOVE': [
    tests(
      'unit/trust/trust.service',
      'removal: nothing pinned is no error and no question',
      'removal: asks, then removes, and the next connection pins anew',
    ),
  ],
  'TRUST-PIN': [
    tests(
      'unit/trust/trust.service',
      'pinning: a new pin is the only certificate accepted',
      'pinning: the certificate that is pinned already is no change and no question',
    ),
  ],
  'TRUST-ARGUMENTS': [...scenarios('gemini-trust-invalid')],
  'TRUST-FILE-FORMAT': [
    tests('integration/trust-store', 'has the format that gopher-mcp 0.10 reads, and only its owner may'),
  ],
  'TRUST-FILE-LEGACY': [
    ...scenarios('gemini-tofu-legacy-store'),
    tests(
      'unit/file-store/core/state-locations',
      'uses an older pin file in place, and judges the identities by themselves',
    ),
  ],
  'TRUST-FILE-FAIL-CLOSED': [tests('integration/trust-store', 'with %s is refused and never overwritten')],
  'TRUST-FILE-ATOMIC': [
    tests(
      'integration/trust-processes',
      'a process killed at any moment loses no pin that it reported, and leaves a whole file and a lock that is broken at once',
    ),
  ],
  'TRUST-FILE-MERGE': [
    tests(
      'integration/trust-processes',
      'two processes that write at once lose none of their pins',
      'a long-running process brings no removed pin back',
    ),
  ],
  'TRUST-SHARED-ONE-PIN': [
    tests(
      'redis/pins',
      'that meet a capsule 200 times at once make one pin, and all answers agree with it',
      'that meet it with the same certificate all pass, and only one of them pinned it',
    ),
  ],
  'TRUST-SHARED-REMOVED': [
    tests('redis/pins', 'never undo a removal, whatever they remember and whenever they write it'),
  ],
  'TRUST-SHARED-FAIL-CLOSED': [
    tests(
      'redis/pins',
      'that is %s every answer is a failure within two seconds, and it recovers',
      'that is full nothing is pinned, a pin is still found, and one can be removed',
    ),
    tests('redis/identities', 'that is stopped every answer is a failure within two seconds, and it recovers'),
  ],
  'TRUST-LOCK-LIMIT': [
    tests('integration/file-store-lock', 'is given up after five seconds, and leaves nothing of the attempt'),
  ],

  // Client identities

  'IDENTITY-SCOPE': [
    tests('unit/cert/core/scope', 'coversPath'),
    tests(
      'unit/cert/identity.service',
      'presents the narrowest identity that covers the request, on its host and port alone',
    ),
  ],
  'IDENTITY-NEVER-UNASKED': [
    tests(
      'e2e/real-certificates',
      'is removed only by its own fingerprint, and then the zone asks again, for cached pages too',
    ),
  ],
  'IDENTITY-CREATE': [
    ...scenarios('gemini-client-cert-flow'),
    tests('e2e/real-certificates', 'is not replaced by a second one'),
  ],
  'IDENTITY-REMOVE': [
    tests(
      'unit/cert/identity.service',
      'acts on the identity that covers the URL, and says that it is wider',
      'says when the key could not be destroyed',
    ),
  ],
  'IDENTITY-FALLBACK': [
    tests('unit/cert/identity.service', 'falls back to a wider identity when the files of the narrowest are gone'),
  ],
  'IDENTITY-KEYGONE': [...scenarios('gemini-client-cert-keygone')],
  'IDENTITY-TLS12-WARNING': [...scenarios('gemini-client-cert-tls12')],
  'IDENTITY-CERTIFICATE': [
    tests(
      'integration/cert-minter',
      'tells nothing of host, person or moment but its validity',
      'is for TLS clients, and differs from the next one',
    ),
  ],
  'IDENTITY-ENCRYPTED': [
    tests(
      'integration/cert-store',
      'are encrypted where there is one, and only they',
      'that are plain are read where there is a state key as well',
      'that were swapped between identities do not open',
    ),
    tests('redis/identities', 'holds no private key that could be read'),
  ],
  'IDENTITY-REKEY': [
    tests(
      'redis/identity-rekey',
      'the keys of all tenants come under the new state key, and a second run finds nothing to do',
      'survive processes that are killed in the middle: each key opens with one of the two, and a last run finishes',
    ),
  ],
  'IDENTITY-SHARED': [
    tests('redis/identities', 'that make an identity for one scope at once keep one, and the others are refused'),
  ],
  'CLI-STORE-MOVES': [
    tests(
      'redis/store-command',
      'is imported elsewhere without a loss, private keys encrypted all the way',
      'leaves a different pin and a different identity in place, and names them',
      'to Redis and back to other files loses nothing',
    ),
  ],
  'IDENTITY-KEY-TYPES': [tests('unit/cert/identity.service', 'makes RSA keys unless asked otherwise')],
  'IDENTITY-FILES': [
    tests(
      'integration/cert-store',
      'are registered in the format that gopher-mcp 0.10 reads',
      'are for their owner alone',
    ),
  ],
  'IDENTITY-LIST': [
    tests('unit/cert/identity.service', 'shows scopes as URLs, by host, port and path, and whether they can be used'),
  ],
  'IDENTITY-BROKEN-REGISTRY': [
    tests(
      'integration/cert-store',
      'is no obstacle to fetches, is logged once, and is reported by the tools',
      'is never overwritten',
    ),
  ],
  'IDENTITY-CONSENT': [
    ...scenarios('gemini-elicit-accept'),
    tests(
      'integration/mcp-elicitation',
      'is made after a yes, and the question names what would change',
      'is not made after %s',
    ),
  ],

  // What is not connected to, and how often

  'SAFETY-ADDRESS-CLASSES': [
    ...wires('gopher-ssrf-blocked'),
    tests('unit/common/net/ip', 'classes, with the first and the last address of each network'),
  ],
  'SAFETY-ADDRESS-EMBEDDED': [
    ...wires('gopher-ssrf-embedded-ipv4'),
    tests('property/common-net', 'an inside IPv4 address is refused in whatever wraps it'),
  ],
  'SAFETY-ADDRESS-SPELLINGS': [
    tests('integration/ssrf', 'an inside address is refused', 'what merely looks like one is connected to'),
    ...wires('gopher-next-url-percent-host-ssrf'),
  ],
  'SAFETY-ADDRESS-ALL': [tests('unit/safety/core/address-policy', 'one inside address at place %i refuses the host')],
  'SAFETY-ADDRESS-PINNED': [
    tests('unit/fetch/pipeline', 'the probe and its fetch share one turn and one look-up'),
    tests(
      'unit/gemini/gemini.protocol',
      'sends the request line to the addresses it is given, and tells the connection',
    ),
  ],
  'SAFETY-ADDRESS-REBINDING': [
    tests(
      'integration/ssrf',
      'is asked once, and the address that was judged is the one connected to (%s)',
      'is judged again at the next fetch, also where its robots.txt is known (%s)',
      'by a redirect is told and not followed: %s',
    ),
  ],
  'SAFETY-WIRE-FAULTS': [
    tests(
      'integration/wire-faults',
      'of a server that takes the connection',
      'behind %d bytes of a page',
      'the alert %s in place of the handshake',
      'once the request may have been seen there is no second try',
      'in the middle of a %s body leaves nothing',
    ),
  ],
  'SAFETY-EVENT-LOOP': [
    tests('integration/event-loop', 'at default caps', 'with the caps on windows off'),
    tests('unit/mcp/tool-result', 'is written as it would be at once, after work that can be interrupted'),
  ],
  'SAFETY-SECRETS-KEPT': [
    tests(
      'integration/leaks',
      '%s is in no result, no line of the log, no metric and no file',
      'search terms are in no message of ours and no metric, and in the log at DEBUG alone',
    ),
    tests('unit/traffic-check', 'a secret is found'),
  ],
  'SAFETY-LOCAL-OVERRIDE': [
    tests('unit/safety/core/address-policy', 'with local hosts allowed', '%s serves credentials and stays refused'),
  ],
  'SAFETY-NETWORK-LISTS': [
    tests('unit/safety/core/address-policy', 'allowed networks', 'they go before every permission'),
  ],
  'SAFETY-PORTS-DANGEROUS': [
    ...scenarios('gopher-blocked-ports'),
    tests(
      'unit/safety/core/port-policy',
      'a dangerous port stays closed when listed, and the message says what lives there',
    ),
  ],
  'SAFETY-PORTS-LISTED': [...scenarios('gopher-allowed-ports')],
  'SAFETY-HOSTS-LISTED': [
    ...scenarios('gopher-allowed-hosts', 'gemini-allowed-hosts'),
    tests('unit/safety/core/host-policy', 'domain entry "%s" and host "%s": allowed %s'),
  ],
  'SAFETY-HOST-NORMALISED': [
    tests('unit/common/net/host', 'normalizeHost'),
    tests('property/common-net', 'is idempotent'),
  ],
  'SAFETY-DNS-BOUNDED': [
    tests(
      'unit/safety/io/node-dns-resolver',
      'are eight at most; the next one goes out when one is done',
      'that outlasts the deadline is a FETCH_ERROR, reason timeout',
    ),
  ],
  'SAFETY-PACING': [
    ...scenarios('gopher-rate-limit'),
    tests('unit/safety/host-pacer', 'starts requests to one host an interval apart, in the order they came'),
  ],
  'SAFETY-PACING-OWN-WAITS': [
    ...scenarios('gemini-rate-limit'),
    tests('unit/safety/host-pacer', 'refuses at once who would wait longer than allowed, and those in line go on'),
  ],
  'SAFETY-PAUSE-HOLDS': [
    tests('unit/safety/host-pacer', 'counts for those who wait already, who keep their order and their distance'),
  ],
  'SAFETY-PAUSE-SHORT': [
    ...scenarios('gemini-slow-down-short'),
    tests('unit/safety/host-pacer', 'is waited out when it ends within the limit'),
  ],
  'SAFETY-SLOTS': [
    tests('unit/safety/concurrency-slots', 'are given out up to the limit, then to whoever waits longest'),
  ],
  'SAFETY-DEADLINE': [
    tests('unit/common/deadline', 'aborts its signal when the budget is spent, and says so'),
    tests('unit/fetch/pipeline', 'waiting for a turn costs no wire time'),
  ],

  // robots.txt

  'ROBOTS-OBEYED': [...scenarios('gemini-robots-plain'), ...wires('gopher-robots-disallow')],
  'ROBOTS-GRAMMAR': [...wires('gemini-robots-group-semantics'), tests('unit/safety/core/robots-rules', 'the grammar')],
  'ROBOTS-GROUPS': [
    tests(
      'unit/safety/core/robots-rules',
      'all groups that name us count together',
      'a group that names us switches the one for everybody off, even if it is empty',
    ),
  ],
  'ROBOTS-VERSIONED-AGENT': [tests('unit/safety/core/robots-rules', '%s is us')],
  'ROBOTS-WEBPROXY': [...scenarios('gemini-robots-gemini'), ...wires('gemini-robots-webproxy')],
  'ROBOTS-AI-TOKENS': [
    ...scenarios('gopher-robots-no-ai-tokens'),
    ...wires('gemini-robots-ai-token'),
    tests('unit/safety/core/robots-rules', 'groups that name an AI crawler'),
  ],
  'ROBOTS-MATCHING': [
    ...scenarios('gopher-robots-shapes'),
    tests('property/safety-robots', 'matching agrees with the plain meaning of a rule'),
  ],
  'ROBOTS-ESCAPES': [
    ...scenarios('gopher-robots'),
    tests('property/safety-robots', 'an escape never hides a path from a rule'),
  ],
  'ROBOTS-LINEAR': [
    ...wires('gemini-robots-pattern-flood'),
    tests('property/safety-robots', 'matching takes linear time: %s'),
  ],
  'ROBOTS-BOM': [...wires('gopher-robots-bom', 'gemini-robots-as-gemtext')],
  'ROBOTS-ABSENT': [...scenarios('gemini-robots-missing', 'gemini-robots-other'), ...wires('gemini-robots-absent')],
  'ROBOTS-PAGE-INSTEAD': [...scenarios('gopher-robots-error-menu'), ...wires('gemini-robots-broken-page')],
  'ROBOTS-REDIRECT': [...wires('gemini-robots-redirect')],
  'ROBOTS-GOPHER-FAIL-OPEN': [
    ...scenarios('gopher-robots-failopen'),
    tests(
      'unit/safety/robots-gate',
      'takes half of the time at most and no second try, so that the fetch still happens',
    ),
  ],
  'ROBOTS-GEMINI-FAIL-CLOSED': [
    ...scenarios('gemini-robots-41'),
    tests('unit/safety/robots-gate', 'refuses, names the cause, and says when to come back'),
  ],
  'ROBOTS-BACKOFF': [...scenarios('gemini-robots-41', 'gemini-robots-backoff-zero')],
  'ROBOTS-CACHED': [
    tests(
      'unit/safety/robots-gate',
      'decides by its rules and is asked for once in its lifetime',
      'belongs to one host and one port',
      'goes on to apply when it cannot be read again (%s)',
    ),
  ],
  'ROBOTS-SURFACED': [
    ...scenarios('gemini-robots-cert-changed', 'gemini-robots-store-unwritable'),
    tests('unit/safety/robots-probe', '%s surfaces unchanged'),
  ],

  // What a model is shown

  'TEXT-HIDDEN-REMOVED': [
    ...wires('gopher-text-unicode-hygiene', 'gemini-unicode-hygiene'),
    tests('unit/common/text/sanitize', 'what is dropped'),
  ],
  'TEXT-VISIBLE-KEPT': [tests('unit/common/text/sanitize', 'what is kept')],
  'TEXT-ESCAPE-SEQUENCES': [...wires('gopher-text-ansi', 'gemini-ansi-stripped')],
  'TEXT-VARIATION-PAYLOAD': [...wires('gopher-text-variation-selector-payload')],
  'TEXT-OVERSTRIKE': [...wires('gopher-text-overstrike')],
  'TEXT-NUL': [...wires('gemini-nul-in-body')],
  'TEXT-OFFSETS': [
    ...scenarios('gopher-text-windows'),
    tests('property/common-text', 'are counted as string iteration counts them'),
  ],

  // The protocol's edge

  'MCP-REVISIONS': [tests('integration/http-endpoint', '%s is negotiated', 'it is discovered')],
  'MCP-BATCHES': [
    tests('integration/http-endpoint', 'a batch of 2025-03-26 is answered with one array, its notifications with none'),
  ],
  'MCP-STATELESS-RESULTS': [
    tests('integration/http-endpoint', 'a list carries its result type and how long it may be kept'),
    ...conformance('caching'),
  ],
  'MCP-STATELESS-HEADERS': [
    tests('integration/http-endpoint', '%s is refused'),
    ...conformance('http-header-validation'),
  ],
  'MCP-SESSIONS': [
    tests('integration/http-endpoint', 'a client opens a session, works in it, ends it'),
    ...conformance('server-session-lifecycle'),
  ],
  'MCP-HTTP-STATUSES': [
    tests(
      'integration/http-endpoint',
      'the envelope of a request',
      'a body over the limit is 413, malformed JSON -32700, something else -32600',
    ),
  ],
  'MCP-DNS-REBINDING': [
    tests('integration/http-endpoint', 'a foreign Host', 'bare loopback name'),
    ...conformance('dns-rebinding-protection'),
  ],
  'MCP-ERROR-CODES': [
    tests('integration/http-endpoint', 'unknown methods, tools and resources have their codes'),
    tests('contract/advertised-surface', 'protocol errors'),
    ...conformance('sep-2164-resource-not-found'),
  ],
  'MCP-BAD-PARAMETERS': [tests('integration/http-endpoint', 'of %s are -32602')],
  'MCP-STDIO-FRAMING': [
    tests('contract/scenarios', 'recorded scenarios'),
    tests('unit/mcp/stdio-transport', 'answers the line %s with its error and goes on'),
  ],
  'MCP-SSE-TRANSPORT': [
    tests(
      'integration/sse-endpoint',
      'the stream says first where to post, a message is accepted, its answer comes over the stream',
    ),
  ],
  'MCP-CANCELLATION': [tests('integration/mcp-cancellation', 'ends the fetch', 'ends every fetch of a batch')],
  'MCP-DISCONNECT': [tests('integration/mcp-cancellation', 'a client that goes away')],
  'MCP-ELICITATION': [
    tests(
      'integration/mcp-elicitation',
      'is made at once where nobody can be asked',
      'a person who does not answer in time has not agreed: %s, client %s',
    ),
  ],
  'MCP-LOGGING': [
    tests('integration/mcp-logging', 'a client that never asked gets none', 'a level keeps what is below it away'),
    ...conformance('logging-set-level'),
  ],
  'MCP-TRACE-CONTEXT': [tests('integration/mcp-logging', 'trace context')],
  'MCP-RESOURCE-TEMPLATES': [
    tests(
      'integration/mcp-resources',
      'each protocol has its template',
      'a menu is read as plain text with numbered links',
      '%s is an error with our code',
    ),
  ],
  'MCP-COMPLETIONS': [
    tests('integration/mcp-resources', 'completions come from the pages that were read', 'visits belong to one caller'),
  ],
  'MCP-PROMPTS': [
    tests('contract/advertised-surface', '%s gives what was recorded'),
    tests('e2e/clients/behaviour', 'gets a prompt with its argument, and none without it'),
  ],
  'MCP-CLIENTS': [
    tests('e2e/clients/behaviour', 'lists tools, resources, templates and prompts'),
    tests('e2e/clients/inspector', 'finds no tool that a client could not use'),
  ],
  'MCP-MANY-CLIENTS': [
    tests(
      'unit/mcp/request-hub',
      'the same id of two clients makes two requests, each answered to its own',
      'has an id that nobody can guess, and is answered from its session alone, once',
    ),
  ],

  // The process

  'SERVER-HEALTH': [tests('integration/http-endpoint', 'health answers outside the Host check')],
  'SERVER-POLICY': [
    tests(
      'unit/config/describe-config',
      '%s lists every setting, sorted by name',
      'a path shows only whether it is set',
    ),
    tests('contract/advertised-surface', 'the policy is readable text without a path of this machine'),
  ],
  'SERVER-SIGNALS': [tests('unit/bin/stop', 'that gets %s closes and ends with 0')],
  'SERVER-STOP-LIMIT': [
    tests('unit/bin/stop', 'that does not close in time ends with 1', 'that gets a second signal ends at once with 1'),
  ],
  'SERVER-LOG-LINES': [
    tests(
      'unit/logging/open-log',
      'are one line each, whatever they hold',
      'are plain lines when structured logging is off',
    ),
  ],
  'SERVER-LOG-LEVEL': [tests('unit/logging/open-log', 'the threshold')],
  'SERVER-LOG-FILE': [
    tests('integration/logging/log-file', 'has the same lines as stderr, after what was there (structured: %s)'),
  ],
  'SERVER-LOG-NO-SEARCH': [tests('unit/observability/fetch-log', 'at %s: %j, without what was asked for')],
  'SERVER-REQUEST-ID': [
    tests(
      'integration/request-log',
      'a request has the same id in its answer, in the access log and in the log of its fetch, and the trace of its caller',
    ),
    tests('unit/mcp/request-id', 'is one of ours instead of one %s'),
  ],
  'SERVER-AUDIT-LINES': [
    tests(
      'integration/audit-endpoint',
      'each call has one line: who, what, how it ended',
      'what was refused, failed, or is not there has a line as well',
      'who may not call has a line of its own, without the credential',
    ),
  ],
  'SERVER-AUDIT-SAFE': [
    tests('integration/audit-endpoint', 'no line holds what a person typed: queries, search terms, userinfo'),
    tests(
      'unit/audit/core/audit-line',
      'holds %s as text, in printable ASCII or letters',
      'has a bound, whatever callers send',
    ),
  ],
  'SERVER-AUDIT-FAULTS': [
    tests('integration/audit-endpoint', 'a file that cannot be opened stops the start'),
    tests('unit/audit/audit-trail', 'lines beyond the bound are lost, and the audit says how many'),
  ],
  'SERVER-AUDIT-ROTATION': [tests('integration/audit-file', 'and %s is opened anew at the next line')],
  'SERVER-REPLICAS-ONE-SERVER': [
    tests(
      'redis/replicas',
      'a %s client whose every request lands on another replica',
      'a cancellation reaches the replica that runs the call',
      'a session that ends at one replica has ended at all, whoever asks for it',
    ),
  ],
  'SERVER-REPLICAS-PAGES': [
    tests(
      'redis/replicas',
      'a page that many want at once is fetched once by all replicas',
      'a page that one replica has is there at all, and a refresh through one is seen through all',
      'the parts of a long text come from one download, whichever replica renders them',
    ),
  ],
  'SERVER-REPLICAS-PACE': [
    tests('redis/pacing', 'four replicas at one host', 'without Redis'),
    tests('redis/fleet', 'a host sees the starts of four replicas, each with a full line, an interval apart'),
  ],
  'SERVER-REPLICAS-TROUBLE': [
    tests('redis/connection', 'a connection to Redis that answers'),
    tests(
      'redis/trouble',
      'calls cost at most 50 ms more than without Redis, and readiness says degraded, when Redis',
      'a Redis that comes back empty is filled again, and one that lost a single page as well',
    ),
  ],
  'SERVER-REPLICAS-KILLED': [
    tests(
      'redis/fleet',
      'a replica that is killed leaves no lock, no place in line and no session behind for longer than these last',
    ),
  ],
  'SERVER-AUDIT-CHAIN': [
    tests('unit/audit/core/chain', 'breaks at %s'),
    tests(
      'integration/audit-verify',
      'what a server wrote fits, over restarts and moved files',
      'lines that are missing at the end are counted',
    ),
  ],
  'SERVER-TRACES': [
    tests(
      'integration/traces',
      'the trace in the message goes before that of the HTTP request',
      'a span knows its session and its revision, and tells no secret',
    ),
    tests('e2e/traces', 'the spans of the last calls arrive before the end'),
  ],
  'SERVER-TRACES-OPTIONAL': [
    tests('contract/loaded-code', 'loads nothing of HTTP, metrics, audit, traces and commands over stdio'),
    tests('e2e/traces', 'a collector that %s does not hold up the end'),
  ],
  'SERVER-PROTOCOLS-APART': [
    tests('protocol/third-protocol', 'stands behind the same guards'),
    tests('architecture/import-rules', 'src/ breaks no rule'),
  ],
};
