/**
 * What the server promises: one id for each promise, in words of ours, with its source in parentheses. `gopher-mcp 0.10` as a source
 * means that the promise is kept because a client of that version relies on it, `addition to` it that the promise is new here.
 *
 * The tests that hold the server to them are named in verifies.ts; test/contract/requirements.spec.ts fails when there are none.
 */
export const REQUIREMENTS = {
  // Tools: what is listed, and which arguments are taken

  'TOOLS-SERVER-NAME': 'the server introduces itself as gopher-mcp with the version of the package (gopher-mcp 0.10)',
  'TOOLS-REVISION-ECHO':
    'a protocol revision that the client offers and the server knows is the one spoken (MCP 2025-11-25, lifecycle)',
  'TOOLS-CAPABILITY-FLAGS':
    'tools, resources and prompts are offered without subscriptions and change notices (gopher-mcp 0.10)',
  'TOOLS-INSTRUCTIONS-LENGTH':
    'the instructions have at most 2,048 characters, since some clients cut there (practice of clients)',
  'TOOLS-INSTRUCTIONS-POINTS':
    'the instructions say which tool serves what, how to go on, what needs consent, and what is untrusted (gopher-mcp 0.10)',
  'TOOLS-ORDER': 'the eight tools of gopher-mcp 0.10 come first, in its order (gopher-mcp 0.10)',
  'TOOLS-COMPATIBLE-SCHEMAS':
    'the schemas serve a caller of gopher-mcp 0.10: same names, types, defaults, result fields (gopher-mcp 0.10)',
  'TOOLS-PORTABLE-INPUT-SCHEMA':
    'an input schema is an object without a combinator at the top, which some clients refuse (practice of clients)',
  'TOOLS-OBJECT-OUTPUT-SCHEMA':
    'an output schema is an object whose references all lead into it (MCP 2025-11-25, tools)',
  'TOOLS-RESULTS-FIT-SCHEMA': 'every result fits the output schema of its tool (MCP 2025-11-25, tools)',
  'TOOLS-ANNOTATIONS':
    'every tool says whether it only reads, destroys, may be repeated, and reaches outside (MCP 2025-11-25, tools)',
  'TOOLS-SNAPSHOT':
    'the definition of every tool is committed, so that a change shows in review (addition to gopher-mcp 0.10)',
  'TOOLS-LIST-SIZE': "the list of tools stays small for a model's context (addition to gopher-mcp 0.10)",
  'TOOLS-LENIENT-ARGUMENTS': 'a number may come as text, and a boolean as yes, no, on, off, 1 or 0 (gopher-mcp 0.10)',
  'TOOLS-BAD-ARGUMENT-STRUCTURED':
    'an argument that does not fit is a structured INVALID_REQUEST that names it (docs/errors.md)',
  'TOOLS-UNKNOWN-ARGUMENT-REFUSED': 'an argument that there is not is refused instead of swallowed (docs/errors.md)',
  'TOOLS-NARROWED-BY-OPERATOR':
    'the operator limits which tools are listed and callable, and no request widens that (docs/configuration.md)',
  'TOOLS-NARROWED-BY-REQUEST': 'a request header narrows further what its sender sees (docs/configuration.md)',
  'TOOLS-BY-SCOPE': 'a caller sees and runs the tools and pages that its scopes cover (docs/operations.md)',
  'SERVER-SCOPE-CHALLENGE':
    'a call beyond the scopes of its caller is answered with 403 and a challenge, before anything runs (docs/operations.md)',
  'SERVER-AUTH-REQUIRED':
    'a server that must never be open does not start over HTTP while nobody is asked who they are (docs/operations.md)',
  'SERVER-AUTH-CREDENTIAL':
    'a request without a good credential is answered with 401 and a challenge, before its body is read (docs/operations.md)',
  'SERVER-AUTH-KEYS-HASHED': 'API keys are shown once and stored as hashes (docs/operations.md)',
  'SERVER-AUTH-KEY-REVOKED': 'a revoked key is refused within a second, without a restart (docs/operations.md)',
  'SERVER-AUTH-TOKENS':
    'a token counts only if its signature, algorithm, issuer, audience and times are good (docs/operations.md)',
  'SERVER-AUTH-ISSUER-AWAY':
    'tokens are checked through a change of keys and an outage of the issuer (docs/operations.md)',
  'SERVER-AUTH-METADATA': 'a client finds the authorisation server by itself (RFC 9728)',
  'SERVER-AUTH-SESSION-OWNER': 'a session of another caller is as unknown as one that never was (docs/operations.md)',
  'SERVER-AUTH-SLOW-REQUEST': 'a request that arrives too slowly is cut off (docs/operations.md)',
  'SERVER-TENANT-NARROWS': 'the rules of a tenant only narrow what the deployment offers (docs/operations.md)',
  'SERVER-TENANT-UNKNOWN-REFUSED': 'a tenant that the file does not name is refused (docs/operations.md)',
  'SERVER-TENANT-FILE-CHECKED':
    'a mistake in the file of tenants stops the start and is told with its field (docs/operations.md)',
  'SERVER-TENANT-FILE-RELOADED': 'a change of the file of tenants counts while the server runs (docs/operations.md)',
  'SERVER-TENANT-ISOLATION':
    "no tenant sees another's identities, completions, sessions, rules, or answers obtained with an identity (docs/operations.md)",
  'SERVER-TENANT-CACHE':
    'anonymous pages are cached for each tenant apart unless a setting says otherwise (docs/operations.md)',
  'TOOLS-FORMAT-TEXT': 'format "text" gives a page as plain text with numbered links (addition to gopher-mcp 0.10)',
  'TOOLS-FORMAT-LINKS': 'format "links" gives the links of a page alone (addition to gopher-mcp 0.10)',
  'TOOLS-FORMAT-OUTLINE':
    'format "outline" gives the headings of a page and where they stand (addition to gopher-mcp 0.10)',

  // Results: their shape, whatever the tool

  'RESULT-TEXT-EQUALS-STRUCTURE':
    'the text block holds the same JSON as the structured content, indented by two (gopher-mcp 0.10)',
  'RESULT-IS-ERROR': 'isError is set exactly when the kind is "error" (gopher-mcp 0.10)',
  'RESULT-BATCH-SHAPE':
    'a batch is { result: [...] } with one text block an item, and no error as a whole (gopher-mcp 0.10)',
  'RESULT-BATCH-ORDER': 'item i of a batch belongs to URL i; a bad URL spoils its own item only (gopher-mcp 0.10)',
  'RESULT-BATCH-LIMIT': 'more than 50 URLs give one INVALID_REQUEST each, and nothing is fetched (gopher-mcp 0.10)',
  'RESULT-BATCH-EMPTY': 'an empty list gives an empty result without a text block (gopher-mcp 0.10)',
  'RESULT-BATCH-DEADLINE': 'a batch as a whole has a deadline (docs/configuration.md)',
  'RESULT-BATCH-PROGRESS': 'with a progress token, each finished item of a batch is told (MCP 2025-11-25, progress)',
  'RESULT-MEMBER-ORDER': 'the members of a result stand in the order of the contract (gopher-mcp 0.10)',
  'RESULT-UNTRUSTED-MARK': 'a fetch result says that its content is untrusted and whose it is (README)',
  'RESULT-BYTE-BOUND': 'a result is bounded in bytes, not only in characters or items (docs/configuration.md)',
  'RESULT-INCOMPLETE-MARK': 'a body that ended early is given as far as it came, with the reason (docs/errors.md)',
  'RESULT-CHARSET-TOLD': 'a text tells how it was decoded, and whether bytes were lost (gopher-mcp 0.10)',
  'RESULT-CACHE-STAMP': 'a replay says that it is one, when it was downloaded and how old it is (gopher-mcp 0.10)',
  'RESULT-QUERY-NOT-ECHOED': 'no result repeats the query of a Gemini URL (gopher-mcp 0.10)',
  'RESULT-USERINFO-NOT-ECHOED': 'no result repeats a user name or password (docs/errors.md)',

  // Errors: what each code means

  'ERROR-INVALID-REQUEST': "INVALID_REQUEST: the caller's URL or argument is wrong; nothing is sent (docs/errors.md)",
  'ERROR-WRONG-TOOL-HINT':
    'a URL of the other protocol is refused with the tool that takes it, a web URL with word that it is not served (gopher-mcp 0.10)',
  'ERROR-BLOCKED': 'BLOCKED: an address class or port that is not connected to (docs/errors.md)',
  'ERROR-DNS': 'DNS_ERROR: the name does not resolve, in words of ours (docs/errors.md)',
  'ERROR-TIMEOUT': 'FETCH_ERROR, reason timeout: the time is spent, quoted as configured (docs/errors.md)',
  'ERROR-REFUSED': 'FETCH_ERROR: nobody listens at the port (docs/errors.md)',
  'ERROR-RESET': 'FETCH_ERROR: a connection that is reset is an error, not a short document (docs/errors.md)',
  'ERROR-NOT-FETCHABLE':
    'NOT_FETCHABLE: an interactive Gopher item is not dialled, and another client is told where (RFC 1436 §3.8)',
  'ERROR-BLOCKED-BY-ROBOTS': 'BLOCKED_BY_ROBOTS: a rule forbids it, which is final (docs/errors.md)',
  'ERROR-ROBOTS-UNAVAILABLE':
    'ROBOTS_UNAVAILABLE: a Gemini policy could not be read, and the cause is told (docs/errors.md)',
  'ERROR-SLOW-DOWN': 'SLOW_DOWN: the wait is too long; it says how long, and whose demand it is (docs/errors.md)',
  'ERROR-TLS': 'TLS_ERROR: the handshake fails, or there is no TLS (docs/errors.md)',
  'ERROR-PROTOCOL': "PROTOCOL_ERROR: a Gemini header that cannot be read is the server's fault (docs/errors.md)",
  'ERROR-INVALID-REDIRECT': 'INVALID_REDIRECT: a target that is empty, unreadable or the same request (docs/errors.md)',
  'ERROR-TEMPORARY':
    "TEMPORARY_ERROR for 4x: the server's words, the status, what to do next (Gemini 0.24.1, status codes)",
  'ERROR-PERMANENT': "PERMANENT_ERROR for 5x: the server's words and the status (Gemini 0.24.1, status codes)",
  'ERROR-CONTENT-FILTERED': 'CONTENT_FILTERED: the operator denies the media type (docs/errors.md)',
  'ERROR-CERTIFICATE-CHANGED':
    'CERTIFICATE_CHANGED: another certificate than the pinned one, with the facts to decide by (docs/errors.md)',
  'ERROR-CERTIFICATE-EXPIRED': 'CERTIFICATE_EXPIRED where the operator refuses those (docs/errors.md)',
  'ERROR-CERTIFICATE-NOT-YET-VALID': 'CERTIFICATE_NOT_YET_VALID: valid only from a time ahead (docs/errors.md)',
  'ERROR-STORE-UNAVAILABLE': 'CERTIFICATE_STORE_UNAVAILABLE: pins cannot be read or written (docs/errors.md)',
  'ERROR-TOFU-DISABLED': 'TOFU_DISABLED: trust tools while pins are off (docs/errors.md)',
  'ERROR-CLIENT-CERTS-DISABLED': 'CLIENT_CERTS_DISABLED: identity tools while identities are off (docs/errors.md)',
  'ERROR-FINGERPRINT-MISMATCH':
    "FINGERPRINT_MISMATCH: a removal names another fingerprint; a pin's own is not revealed (docs/errors.md)",
  'ERROR-CERTIFICATE-EXISTS': 'CERTIFICATE_EXISTS: an identity covers the scope already (docs/errors.md)',
  'ERROR-USER-DECLINED': 'USER_DECLINED: the person did not say yes, and nothing changed (docs/errors.md)',
  'ERROR-GOPHER': 'GOPHER_ERROR: a file request was answered by a lone type-3 line (RFC 1436 §3.8)',
  'ERROR-CERTIFICATE-UNVERIFIED':
    'CERTIFICATE_UNVERIFIED: a server without a certificate cannot be pinned, and nothing is read (docs/errors.md)',
  'ERROR-UNAUTHORIZED': 'UNAUTHORIZED: who is calling is not shown, or not in a way that counts (docs/errors.md)',
  'ERROR-AUTHENTICATION-UNAVAILABLE':
    'AUTHENTICATION_UNAVAILABLE: a token cannot be checked now, which is 503 and no fault of it (docs/errors.md)',
  'ERROR-FORBIDDEN': 'FORBIDDEN: the caller is known, and may not do this (docs/errors.md)',
  'ERROR-QUOTA-EXCEEDED': 'QUOTA_EXCEEDED: too much in this minute, and when to come again (docs/errors.md)',
  'ERROR-OVERLOADED': 'OVERLOADED: more calls than are taken at once are refused at once (docs/errors.md)',
  'ERROR-INTERNAL': 'a fault of ours tells its cause to the log alone (docs/errors.md)',
  'ERROR-NO-ADDRESS': 'no message names a resolved address (docs/errors.md)',
  'ERROR-NO-PATH': 'no message names a path of the machine (docs/errors.md)',
  'ERROR-REFERENCE': 'every code, and what follows from it, is in the generated reference (docs/errors.md)',

  // Settings and command line

  'CONFIG-DEFAULTS': 'without any variable the documented defaults hold (docs/configuration.md)',
  'CONFIG-0.10-VARIABLES': 'every variable of gopher-mcp 0.10 is still one (gopher-mcp 0.10)',
  'CONFIG-REFERENCE': 'every variable and flag is in the reference (docs/configuration.md)',
  'CONFIG-BOOLEANS': 'booleans take 1, true, t, yes, y, on and their opposites, in any case (docs/configuration.md)',
  'CONFIG-NUMBERS': 'whole numbers take blanks, underscores and ".0"; fractions take exponents (docs/configuration.md)',
  'CONFIG-LISTS': 'lists are separated by commas, or a JSON array (docs/configuration.md)',
  'CONFIG-BLANK-IS-UNSET': 'a blank value is as if unset, but for lists that restrict (docs/configuration.md)',
  'CONFIG-NO-EMPTY-RESTRICTION':
    'a list of hosts, ports or networks that yields no entry stops the start (docs/configuration.md)',
  'CONFIG-ZERO-TTL': 'a cache lifetime of zero turns the cache off (docs/configuration.md)',
  'CONFIG-ALL-PROBLEMS':
    'all problems are told at once, one line each, with name, requirement and value (docs/configuration.md)',
  'CONFIG-SAFE-PROBLEM-LINES': 'a hostile value stays on its line, escaped and shortened (docs/configuration.md)',
  'CONFIG-SECRET-FILES': 'a secret can come from a file, and neither is quoted (docs/configuration.md)',
  'CONFIG-SECRETS-HIDDEN': 'a secret is never quoted (docs/configuration.md)',
  'CONFIG-NAMES-CASE-INSENSITIVE': 'names of variables are case-insensitive (docs/configuration.md)',
  'CONFIG-ENV-FILE':
    'a .env file in the working directory is read, after the environment, and its use is told (docs/configuration.md)',
  'CONFIG-FLAGS-FIRST': 'a flag goes before a variable (docs/configuration.md)',
  'CONFIG-UNKNOWN-NAMES':
    'an unknown name with our prefix is remarked on, with the nearest that there is (docs/configuration.md)',
  'CONFIG-CLOSED-PORTS-REMARK': 'a listed port that stays closed is remarked on (docs/configuration.md)',
  'CONFIG-OPEN-BIND-WARNING': 'an endpoint that is open to the network is warned about (docs/configuration.md)',
  'CONFIG-HOST-ENTRIES':
    'hosts in lists are normalised, and a URL or "*." pasted in is refused with a hint (docs/configuration.md)',
  'CONFIG-PRINT': '--print-config prints settings that can be read back (docs/configuration.md)',
  'CONFIG-SAMPLES': 'the sample environments are valid (docs/configuration.md)',
  'CLI-FLAGS': 'the command line takes its flags and refuses others with usage (docs/configuration.md)',
  'CLI-HELP': '--help names every flag (docs/configuration.md)',
  'CLI-COMMAND-HELP': '--help of every command names all its options (docs/cli.md)',
  'CLI-COMMAND-ARGUMENTS': 'a command refuses what it does not take, with its usage (docs/cli.md)',
  'CLI-COMMAND-SUGGESTED': 'a command that is mistyped is answered with the one that was meant (docs/cli.md)',
  'CLI-FETCH-PAGE': '"fetch" shows a page with numbered links, in colours where there are any (docs/cli.md)',
  'CLI-FETCH-OPTIONS': '"fetch" takes --search, --input, --offset, --format, --refresh and --json (docs/cli.md)',
  'CLI-FETCH-PROGRESS': '"fetch" shows that a slow server is waited for (docs/cli.md)',
  'CLI-TERMINAL-SAFE': 'nothing that a stranger wrote can act on the terminal (docs/cli.md)',
  'CLI-TRUST': '"trust" lists, sets and removes pins (docs/cli.md)',
  'CLI-IDENTITY': '"identity" lists, makes and removes identities (docs/cli.md)',
  'CLI-CONSENT': 'a change needs the yes of a person, or --yes where nobody can be asked (docs/cli.md)',
  'CLI-DOCTOR': '"doctor" says what is wrong with this machine and what to do about it (docs/cli.md)',
  'CLI-DOCTOR-REDIS': '"doctor" asks a configured Redis for an answer, not only for a connection (docs/cli.md)',
  'CLI-DEMO': '"demo" serves a hole and a capsule, all of whose links work, and leaves nothing behind (docs/cli.md)',
  'CLI-TOUR': 'the tour of the README can be walked offline with the built program (README.md)',
  'CLI-COMPLETION': 'bash, zsh and fish accept the completion script (docs/cli.md)',
  'CLI-START-WITHOUT-COMMANDS': 'the start of a server loads no code of commands (docs/performance.md)',

  // Gopher

  'GOPHER-URL-DEFAULT-TYPE': 'a URL without a path, and "/", mean the root menu (RFC 4266 §2.1)',
  'GOPHER-URL-TYPE-AND-SELECTOR':
    'the character after the first slash is the type, the rest exactly as it stands the selector (RFC 4266 §2.1)',
  'GOPHER-URL-RAW-BYTES': 'bytes of a selector that are not UTF-8 go out as they were given (RFC 1436 §2)',
  'GOPHER-URL-QUESTION-MARK': 'outside searches a question mark is part of the selector (RFC 4266 §2.1)',
  'GOPHER-URL-CONTROLS-REFUSED':
    'control characters in selector or search are refused before anything is sent (RFC 1436 §2)',
  'GOPHER-URL-BOUNDS': 'URL, selector and search terms have bounds, counted in code points (docs/configuration.md)',
  'GOPHER-URL-IPV6': 'IPv6 literals stand in brackets, and their spellings are one host (RFC 3986 §3.2.2)',
  'GOPHER-URL-CANONICAL': 'all spellings of a request share one canonical URL (gopher-mcp 0.10)',
  'GOPHER-REQUEST-LINE': 'the request is the selector, with TAB and terms for a search, and CRLF (RFC 1436 §2, §3.7)',
  'GOPHER-SEARCH-ARGUMENT': 'the argument "search" is sent as it is and replaces terms in the URL (gopher-mcp 0.10)',
  'GOPHER-SEARCH-TAB-FORM': 'the standard form of a search carries the terms behind %09 (RFC 4266 §2.1)',
  'GOPHER-SEARCH-EMPTY': 'an empty search is a search, and another resource than none (RFC 1436 §3.7)',
  'GOPHER-SEARCH-IGNORED': 'terms for an item that is no search are not sent, and that is told (gopher-mcp 0.10)',
  'GOPHER-TYPE-DISPATCH':
    'types 1 and 7 are menus, files of known binary types metadata, the rest text (RFC 1436 §3.8)',
  'GOPHER-BINARY-SIGNATURES': 'the media type of a binary comes from its first bytes (gopher-mcp 0.10)',
  'GOPHER-BINARY-AS-TEXT': 'binary content under a text type is reported as binary (addition to gopher-mcp 0.10)',
  'GOPHER-MENU-TERMINATOR': 'a menu ends at a lone dot (RFC 1436 §3.8)',
  'GOPHER-MENU-TERMINATOR-NO-CLOSE': 'a menu is complete at its dot, even if the server stays connected (RFC 1436 §2)',
  'GOPHER-MENU-NO-TERMINATOR': 'without a dot the end of the connection ends a menu (RFC 1436 §2)',
  'GOPHER-MENU-LINE-ENDS': 'CRLF, LF and CR end menu lines (practice of servers)',
  'GOPHER-MENU-FIELDS':
    'a line is type and title, selector, host and port, separated by TAB; further fields are ignored (RFC 1436 §3.8)',
  'GOPHER-MENU-LENIENT': 'a line with missing fields is shown instead of dropped (practice of servers)',
  'GOPHER-MENU-EMPTY-HOST': 'an empty host means the server that sent the menu (practice of servers)',
  'GOPHER-MENU-BAD-PORT': 'a bad port is 70; blanks around a port are none of it (practice of servers)',
  'GOPHER-MENU-INFO-LAYOUT': 'blanks of info lines are layout and stay (practice of servers)',
  'GOPHER-MENU-ERROR-ITEM': 'an error item leads nowhere (RFC 1436 §3.8)',
  'GOPHER-MENU-WEB-LINKS': '"URL:", "/URL:" and "GET /path" selectors lead to the web (practice of servers)',
  'GOPHER-MENU-TELNET-LINKS': 'items of type 8 and T lead to a telnet URL (RFC 1436 §3.8)',
  'GOPHER-MENU-UNUSUAL-TYPES': 'items of unknown types stay, with a link (RFC 1436 §3.8)',
  'GOPHER-MENU-CONTROL-TYPE': 'a control character in place of the type never reaches the model (practice of clients)',
  'GOPHER-MENU-HOST-INJECTION': 'a host field that is no host makes no link (RFC 3986 §3.2.2)',
  'GOPHER-MENU-SELECTOR-BYTES':
    'following an item sends the bytes of its selector, whatever the charset of the menu (RFC 1436 §3)',
  'GOPHER-MENU-WINDOW': 'a menu is given in windows of items; the total is known at the end (gopher-mcp 0.10)',
  'GOPHER-MENU-UNLIMITED': 'a cap of zero items gives the whole menu (docs/configuration.md)',
  'GOPHER-TEXT-DOT-STUFFING': 'a framed text loses its final dot and one dot of each stuffed line (RFC 1436 §3.4)',
  'GOPHER-TEXT-UNFRAMED': 'without the final dot nothing is unstuffed; a dot in the middle is text (RFC 1436 §3.4)',
  'GOPHER-TEXT-BLANK-AFTER-DOT': 'blank lines and NULs behind the final dot do not count (practice of servers)',
  'GOPHER-TEXT-CHARSET': 'UTF-8 where it fits, else windows-1252, CP437 or UTF-16 by the bytes (practice of servers)',
  'GOPHER-TEXT-BOM': 'a byte order mark is not text (Unicode §23.8)',
  'GOPHER-TEXT-WINDOW': 'a text is given in windows of code points that put together are the whole (gopher-mcp 0.10)',
  'GOPHER-TEXT-SPLIT-PACKETS': 'packet borders change nothing (RFC 1436 §2)',
  'GOPHER-ADDRESS-FAILOVER':
    'the next address is tried when one does not connect, also when it takes too long (RFC 8305 §1)',
  'GOPHER-SIZE-CAP':
    'a body is cut at the size limit and marked; one of exactly the limit passes (docs/configuration.md)',
  'GOPHER-DEADLINE': 'one byte at a time does not outlive the deadline (docs/configuration.md)',

  // Gemini

  'GEMINI-REQUEST-LINE':
    'the request is the absolute URL with an empty path as "/", without fragment (Gemini 0.24.1, requests)',
  'GEMINI-REQUEST-1024': 'the URL on the wire has at most 1,024 bytes (Gemini 0.24.1, requests)',
  'GEMINI-REQUEST-NO-USERINFO': 'a URL with user information is refused (Gemini 0.24.1, URI scheme)',
  'GEMINI-REQUEST-DOT-SEGMENTS':
    'dot segments are resolved before sending, encoded slashes left alone (RFC 3986 §5.2.4)',
  'GEMINI-REQUEST-ENCODING': 'what is not ASCII is percent-encoded; given escapes stay as they are (RFC 3986 §2.1)',
  'GEMINI-REQUEST-IDN': 'host names beyond ASCII go out as A-labels by UTS 46, non-transitional (UTS 46)',
  'GEMINI-TLS-VERSIONS': 'TLS 1.2 and 1.3 are enough on their own, older versions are refused (Gemini 0.24.1, TLS)',
  'GEMINI-TLS-SNI': 'a host name goes out as SNI, an address literal does not (RFC 6066 §3)',
  'GEMINI-TLS-KEYS': 'certificates with RSA, EC and Ed25519 keys are taken (Gemini 0.24.1, TLS)',
  'GEMINI-TLS-WITHHOLD': 'a certificate that is refused withholds the request (Gemini 0.24.1, TLS)',
  'GEMINI-TLS-ADDRESS-ORDER':
    'IPv4 is tried first; the others follow when one fails or takes too long (gopher-mcp 0.10)',
  'GEMINI-TLS-FINGERPRINT': 'the fingerprint shown is sha256: and the hex of the whole certificate (gopher-mcp 0.10)',
  'GEMINI-CLOSE-NOTIFY': 'a page that ended without close_notify is delivered, and that is told (Gemini 0.24.1, TLS)',
  'GEMINI-HEADER-CRLF': 'CRLF ends the header, LF alone does not (Gemini 0.24.1, responses)',
  'GEMINI-HEADER-FORM':
    'a header is two ASCII digits, a space and a field; anything else is refused (Gemini 0.24.1, responses)',
  'GEMINI-HEADER-UTF8': 'a header that is not UTF-8 is refused (Gemini 0.24.1, responses)',
  'GEMINI-HEADER-SPLIT': 'the header may come in any pieces (Gemini 0.24.1, responses)',
  'GEMINI-HEADER-ENDLESS': 'a header that does not end is given up early (practice of clients)',
  'GEMINI-HEADER-LONG-FIELD':
    'a long field is refused for 2x and 3x, and cut with a mark otherwise (Gemini 0.16.1, status codes)',
  'GEMINI-HEADER-BARE-FAILURE': 'a failure or certificate status may stand alone (Gemini 0.24.1, responses)',
  'GEMINI-NO-BODY-OUTSIDE-2X':
    'outside 2x the header is the whole answer, and nothing more is waited for (Gemini 0.24.1, responses)',
  'GEMINI-ANSWER-BEFORE-REQUEST': 'an answer counts although the request was not read (practice of servers)',
  'GEMINI-STATUS-FIRST-DIGIT': 'an unknown second digit is read by the first (Gemini 0.24.1, status codes)',
  'GEMINI-STATUS-INPUT': '1x is a prompt; 11 is marked sensitive (Gemini 0.24.1, input)',
  'GEMINI-INPUT-ANSWER':
    'the argument "input" becomes the query, encoded, in place of one that was there (Gemini 0.24.1, input)',
  'GEMINI-INPUT-EMPTY': 'an empty answer is an answer (Gemini 0.24.1, input)',
  'GEMINI-INPUT-TOO-LONG': 'an answer that makes the URL too long is refused without quoting it (Gemini 0.24.1, input)',
  'GEMINI-REDIRECT-REPORTED':
    'a redirect is reported with its target resolved, never followed (Gemini 0.24.1, redirection)',
  'GEMINI-REDIRECT-PERMANENT': 'only 31 is permanent (Gemini 0.24.1, redirection)',
  'GEMINI-REDIRECT-CROSS-HOST': 'another scheme, host or port is told as such (Gemini 0.24.1, redirection)',
  'GEMINI-REDIRECT-SELF': 'a redirect to the same request in any spelling is a loop (Gemini 0.24.1, redirection)',
  'GEMINI-REDIRECT-UNPARSEABLE': "a target that nobody can read is the capsule's fault (Gemini 0.24.1, redirection)",
  'GEMINI-REDIRECT-NO-QUERY-CARRIED':
    'the query of a request does not travel into the target (Gemini 0.24.1, redirection)',
  'GEMINI-STATUS-44':
    'after 44 the host is left alone: the seconds it names, else longer each time (Gemini 0.24.1, status 44)',
  'GEMINI-STATUS-6X':
    '60 asks for an identity; 61 and 62 refuse one; each says what to do (Gemini 0.24.1, client certificates)',
  'GEMINI-MIME-DEFAULT': 'an empty media type is gemtext in UTF-8 (Gemini 0.16.1, success)',
  'GEMINI-MIME-PARAMETERS':
    'names and types are case-insensitive, values may be quoted, unknown parameters ignored (RFC 2045 §5.1)',
  'GEMINI-MIME-BROKEN-PARAMETERS': 'broken parameters do not discard the type (practice of servers)',
  'GEMINI-MIME-LANG': 'a language list is given if every tag of it is one (BCP 47)',
  'GEMINI-MIME-TEXT': 'any text/* is readable text (Gemini 0.24.1, success)',
  'GEMINI-MIME-TEXT-LIKE': 'feeds, JSON, XML and the like are text (RFC 6839)',
  'GEMINI-MIME-BINARY':
    'other types are metadata; a missing or unspecific type is found by signature (gopher-mcp 0.10)',
  'GEMINI-MIME-DENIED': 'denied types are refused at the header, by type or type/* (docs/configuration.md)',
  'GEMINI-CHARSET-DECLARED': 'a declared charset is honoured, also rare ones (Encoding Standard)',
  'GEMINI-CHARSET-FALSE': 'a false utf-8 label gives no rubbish (practice of clients)',
  'GEMINI-CHARSET-UNKNOWN': 'escape codecs and unknown names are no charsets (Encoding Standard)',
  'GEMINI-BODY-BOM': 'a byte order mark does not hide the first line (Unicode §23.8)',
  'GEMINI-LINE-ENDS': 'CRLF and LF may be mixed; no CR is left over (Gemini 0.24.1, text)',
  'GEMTEXT-LINE-TYPES':
    'a line is text, link, heading, list item, quote or preformatted by its first characters (gemtext 0.24.1)',
  'GEMTEXT-LINKS': 'a link has an optional blank, a target, and an optional label (gemtext 0.24.1, links)',
  'GEMTEXT-LINK-EMPTY': 'a link line without a target is text (gemtext 0.24.1, links)',
  'GEMTEXT-LINK-BROKEN': 'one link that cannot be read does not cost the page (practice of clients)',
  'GEMTEXT-LINK-RESOLVED': 'links are resolved against the page, without its query (RFC 3986 §5.2)',
  'GEMTEXT-LINK-UNFETCHABLE': 'a link that no tool fetches says so (addition to gopher-mcp 0.10)',
  'GEMTEXT-PREFORMATTED':
    'between fences everything stays as it is; the opening fence has the alt text (gemtext 0.24.1, preformatting)',
  'GEMTEXT-WINDOW-LINES':
    'a window of gemtext ends at a line; a longer line is flagged and can be read on (gopher-mcp 0.10)',
  'GEMTEXT-WINDOW-STATE': 'a window that begins in a block or a line is read as such (gopher-mcp 0.10)',
  'GEMTEXT-WINDOWS-COMPLETE': 'windows put together are the page (gopher-mcp 0.10)',
  'GEMINI-LINEAR-TIME': 'floods of blanks and lines are handled in linear time (practice of clients)',
  'GEMINI-SIZE-CAP': 'header and body together are cut at the size limit (docs/configuration.md)',
  'GEMINI-DEADLINE': 'silence, and a body that stalls, end at the deadline (docs/configuration.md)',

  // Cache and held bodies

  'CACHE-LIFETIME': 'an entry is served for its lifetime and not after (docs/configuration.md)',
  'CACHE-LRU': 'a full cache loses what was not used for longest (docs/configuration.md)',
  'CACHE-BYTES': 'the cache is bounded in bytes, too (docs/configuration.md)',
  'CACHE-REFRESH': 'refresh asks again, drops every window and fills the cache anew (gopher-mcp 0.10)',
  'CACHE-NO-ERRORS': 'errors, prompts, redirects and certificate requests are not kept (gopher-mcp 0.10)',
  'CACHE-NO-QUERY': 'an answer to a Gemini query is never kept or held (gopher-mcp 0.10)',
  'CACHE-IDENTITY':
    'what was given to one identity is not given to another, or to none (Gemini 0.24.1, client certificates)',
  'CACHE-PIN-CHANGE': 'pages of a host whose pin changed are dropped (addition to gopher-mcp 0.10)',
  'CACHE-HELD-BODIES': 'a walk through a long document needs one download, also beside others (gopher-mcp 0.10)',
  'CACHE-IN-FLIGHT': 'equal fetches at the same time share one download (addition to gopher-mcp 0.10)',
  'CACHE-ROBOTS-FIRST': 'a rule that forbids withholds what was cached before (gopher-mcp 0.10)',

  // Trust in servers

  'TRUST-FIRST-USE': 'the first certificate of a host and port is pinned, and that is told once (Gemini 0.24.1, TLS)',
  'TRUST-PER-PORT': 'a pin belongs to host and port (Gemini 0.24.1, TLS)',
  'TRUST-HOST-SPELLING': 'all spellings of a host share its pins (UTS 46)',
  'TRUST-CHANGED':
    'another certificate stops the request; removing the pin by its fingerprint lets it pass (Gemini 0.24.1, TLS)',
  'TRUST-EXPIRED-WARNING':
    'an expired certificate gives the page with a warning, unless the operator refuses it (gopher-mcp 0.10)',
  'TRUST-NOT-YET-VALID': 'at first use a start more than five minutes ahead is refused (gopher-mcp 0.10)',
  'TRUST-FAR-END': 'a certificate valid until the year 9999 works (RFC 5280 §4.1.2.5)',
  'TRUST-RENEWAL-EXPIRED':
    'by setting, a new certificate is taken once the pinned one has expired (Gemini 0.24.1, TLS)',
  'TRUST-RENEWAL-SAME-KEY': 'by setting, a new certificate over the same key is taken (practice of clients)',
  'TRUST-STRICT-DEFAULT': 'by default no other certificate ever passes (gopher-mcp 0.10)',
  'TRUST-NO-CERTIFICATE': 'without a certificate to judge nothing is sent (gopher-mcp 0.10)',
  'TRUST-PROBE-REMARK':
    'the remark on a new pin reaches the caller also when the robots probe made it (addition to gopher-mcp 0.10)',
  'TRUST-LIST': 'the pins are listed by host and port, with dates and whether they have run out (gopher-mcp 0.10)',
  'TRUST-REMOVE':
    'removal needs the pinned fingerprint; of nothing it is no error and changes nothing (gopher-mcp 0.10)',
  'TRUST-PIN': 'pinning sets a fingerprint without contacting the host; an equal one is no change (gopher-mcp 0.10)',
  'TRUST-ARGUMENTS': 'host, port and fingerprint of a change are checked (gopher-mcp 0.10)',
  'TRUST-FILE-FORMAT': 'the file is the one that gopher-mcp 0.10 reads, for its owner alone (gopher-mcp 0.10)',
  'TRUST-FILE-LEGACY': 'an older file in the home is used in place (gopher-mcp 0.10)',
  'TRUST-FILE-FAIL-CLOSED': 'a file that cannot be read is refused and never overwritten (gopher-mcp 0.10)',
  'TRUST-FILE-ATOMIC':
    'a process killed at any moment leaves a whole file and loses no pin that it reported (gopher-mcp 0.10)',
  'TRUST-FILE-MERGE':
    'two processes lose none of their pins, and none comes back that was removed (addition to gopher-mcp 0.10)',
  'TRUST-SHARED-ONE-PIN':
    'of all replicas that meet a host at once one pins it, and all answers agree with that pin (docs/operations.md)',
  'TRUST-SHARED-REMOVED': 'a pin that one replica removed does not come back from another (docs/operations.md)',
  'TRUST-SHARED-FAIL-CLOSED':
    'pins and identities in a Redis that does not answer fail within a second or so, and recover (docs/operations.md)',
  'TRUST-LOCK-LIMIT': 'a lock is waited for five seconds (gopher-mcp 0.10)',

  // Client identities

  'IDENTITY-SCOPE':
    'an identity is presented at its path and below, on its host and port alone (Gemini 0.24.1, client certificates)',
  'IDENTITY-NEVER-UNASKED': 'a fetch makes none, although the server asks for one (Gemini 0.24.1, client certificates)',
  'IDENTITY-CREATE': 'creating makes one for the scope of the URL, and never replaces (gopher-mcp 0.10)',
  'IDENTITY-REMOVE':
    'removing acts on the covering identity, needs its fingerprint, and destroys the key (gopher-mcp 0.10)',
  'IDENTITY-FALLBACK':
    'when the files of the narrowest are gone, a wider one is presented (addition to gopher-mcp 0.10)',
  'IDENTITY-KEYGONE': 'an entry whose files are gone does not block a new one (gopher-mcp 0.10)',
  'IDENTITY-TLS12-WARNING': 'presenting one over TLS 1.2 is warned about (Gemini 0.24.1, TLS)',
  'IDENTITY-CERTIFICATE':
    'the certificate is self-signed, for TLS clients, and tells nothing of host or person (addition to gopher-mcp 0.10)',
  'IDENTITY-ENCRYPTED':
    'with a state key, private keys are stored encrypted, each for its identity alone, and plain ones are read (docs/operations.md)',
  'IDENTITY-REKEY': 'rekey changes the key of all, and loses none when it is killed (docs/operations.md)',
  'IDENTITY-SHARED': 'of all replicas that make an identity for one scope at once one makes it (docs/operations.md)',
  'CLI-STORE-MOVES':
    'export, import and migrate move pins and identities with all members, and replace nothing unasked (docs/operations.md)',
  'IDENTITY-KEY-TYPES': 'keys are RSA unless EC is asked for (addition to gopher-mcp 0.10)',
  'IDENTITY-FILES': 'registry and keys are those of gopher-mcp 0.10, for their owner alone (gopher-mcp 0.10)',
  'IDENTITY-LIST':
    'identities are listed by scope URL with fingerprint, dates and whether they can be used; no keys, no paths (gopher-mcp 0.10)',
  'IDENTITY-BROKEN-REGISTRY':
    'a registry that cannot be read is no obstacle to fetches, and is never overwritten (addition to gopher-mcp 0.10)',
  'IDENTITY-CONSENT': 'a change is made after a clear yes where a person can be asked (MCP 2025-11-25, elicitation)',

  // What is not connected to, and how often

  'SAFETY-ADDRESS-CLASSES': 'loopback, private, link-local and other inside addresses are refused (RFC 6890)',
  'SAFETY-ADDRESS-EMBEDDED': 'an inside IPv4 address is refused in whatever wraps it (RFC 6052, RFC 3056, RFC 4380)',
  'SAFETY-ADDRESS-SPELLINGS': 'encoded and odd spellings of a host do not get round the check (WHATWG URL §3.5)',
  'SAFETY-ADDRESS-ALL': 'one inside address among several refuses the host (practice of clients)',
  'SAFETY-ADDRESS-PINNED': 'what was checked is what is connected to (gopher-mcp 0.10)',
  'SAFETY-ADDRESS-REBINDING':
    'a name that points elsewhere at the next look-up gains nothing, nor does a redirect (practice of clients)',
  'SAFETY-WIRE-FAULTS':
    'whatever breaks on the wire has its code within the time of a fetch, and no socket or timer stays (docs/errors.md)',
  'SAFETY-EVENT-LOOP': 'no fetch keeps the event loop busy for long, whatever a server sends (docs/protocol-notes.md)',
  'SAFETY-SECRETS-KEPT':
    'queries, answers, search terms and passwords come out in no log at INFO, error, metric or file (docs/operations.md)',
  'SAFETY-LOCAL-OVERRIDE': 'local hosts can be allowed; a metadata service stays closed (docs/configuration.md)',
  'SAFETY-NETWORK-LISTS': 'networks can be allowed and denied; denial goes first (docs/configuration.md)',
  'SAFETY-PORTS-DANGEROUS': 'ports of other services are never connected to, listed or not (gopher-mcp 0.10)',
  'SAFETY-PORTS-LISTED': 'with a list of ports, others are refused (docs/configuration.md)',
  'SAFETY-HOSTS-LISTED':
    'with a list of hosts, others are refused by normalised name, before any look-up (docs/configuration.md)',
  'SAFETY-HOST-NORMALISED': 'host names are normalised once: case, trailing dot, IDNA, IPv6 (UTS 46, RFC 5952)',
  'SAFETY-DNS-BOUNDED': 'at most eight look-ups run at once, each within the deadline (gopher-mcp 0.10)',
  'SAFETY-PACING': 'requests to one host start an interval apart, the first at once (docs/configuration.md)',
  'SAFETY-PACING-OWN-WAITS': 'our own spacing makes a caller wait, up to a limit (docs/configuration.md)',
  'SAFETY-PAUSE-HOLDS': 'a pause that a host asked for holds for those who wait already (Gemini 0.24.1, status 44)',
  'SAFETY-PAUSE-SHORT': 'a short pause is waited out, a longer one refused (gopher-mcp 0.10)',
  'SAFETY-SLOTS': 'at most so many fetches run at once, in order of arrival (docs/configuration.md)',
  'SAFETY-DEADLINE':
    'one budget of time covers look-up, connection, exchange and probe; waits for a turn are not charged (docs/configuration.md)',

  // robots.txt

  'ROBOTS-OBEYED': 'a rule that matches refuses the fetch, and the resource is not asked for (RFC 9309 §2.2.2)',
  'ROBOTS-GRAMMAR':
    'only User-agent and Disallow count; comments, blanks and case do not matter (robots.txt for Gemini)',
  'ROBOTS-GROUPS': 'all groups that name us count; they switch the group for everybody off (RFC 9309 §2.2.1)',
  'ROBOTS-VERSIONED-AGENT': 'an agent with a version names us, too (RFC 9309 §2.2.1)',
  'ROBOTS-WEBPROXY':
    'on Gemini the groups for web proxies and indexers are ours, that for archivers is not (robots.txt for Gemini)',
  'ROBOTS-AI-TOKENS':
    'groups that name AI crawlers bind in addition, unless the operator says otherwise (gopher-mcp 0.10)',
  'ROBOTS-MATCHING': 'a rule is a prefix with "*" and a final "$" (RFC 9309 §2.2.3)',
  'ROBOTS-ESCAPES': 'escapes and dot segments hide no path from a rule (RFC 9309 §2.2.2)',
  'ROBOTS-LINEAR': 'a rule full of stars is matched in linear time (RFC 9309 §3)',
  'ROBOTS-BOM': 'a byte order mark does not void the policy (RFC 9309 §2.2)',
  'ROBOTS-ABSENT': 'without a policy everything is allowed (RFC 9309 §2.3.1.3)',
  'ROBOTS-PAGE-INSTEAD': 'a page or an error menu in place of a policy is none (practice of servers)',
  'ROBOTS-REDIRECT': 'one redirect within the capsule is followed to the policy (RFC 9309 §2.3.1.2)',
  'ROBOTS-GOPHER-FAIL-OPEN':
    'on Gopher a policy that cannot be read allows, and the probe leaves time for the fetch (gopher-mcp 0.10)',
  'ROBOTS-GEMINI-FAIL-CLOSED': 'on Gemini a policy that cannot be read refuses (RFC 9309 §2.3.1.4)',
  'ROBOTS-BACKOFF': 'a failed probe is not repeated for a while (docs/configuration.md)',
  'ROBOTS-CACHED':
    'a policy is asked for once in its lifetime, per host and port; an old one holds when it cannot be read again (RFC 9309 §2.4)',
  'ROBOTS-SURFACED':
    'refused addresses, names that do not resolve and trust failures of the probe keep their own codes (gopher-mcp 0.10)',

  // What a model is shown

  'TEXT-HIDDEN-REMOVED': 'controls, zero-width, bidi and tag characters are removed (Unicode TR 36)',
  'TEXT-VISIBLE-KEPT': 'letters of all scripts, joiners within words and emoji sequences stay (Unicode TR 31, UTS 51)',
  'TEXT-ESCAPE-SEQUENCES': 'terminal sequences are removed whole (ECMA-48)',
  'TEXT-VARIATION-PAYLOAD': 'runs of variation selectors, which hide bytes, are removed (Unicode TR 36)',
  'TEXT-OVERSTRIKE': 'backspace overstrike reads as the plain word (practice of servers)',
  'TEXT-NUL': 'NUL is dropped and not fatal (practice of servers)',
  'TEXT-OFFSETS': 'offsets and totals count code points (gopher-mcp 0.10)',

  // The protocol's edge

  'MCP-REVISIONS': 'every revision from 2024-11-05 to 2026-07-28 is served on one endpoint (MCP 2026-07-28)',
  'MCP-BATCHES':
    'JSON-RPC batches are served for the revisions that have them, and no others (MCP 2025-03-26, transports)',
  'MCP-STATELESS-RESULTS':
    'results of 2026-07-28 carry their type, lists how long they may be kept (MCP 2026-07-28, caching)',
  'MCP-STATELESS-HEADERS': 'headers that do not agree with the body are refused (MCP 2026-07-28, transports)',
  'MCP-SESSIONS': 'a session can be opened, used and ended; an unknown one is 404 (MCP 2025-11-25, transports)',
  'MCP-HTTP-STATUSES': 'a request whose envelope is wrong has the status that says so (MCP 2025-11-25, transports)',
  'MCP-DNS-REBINDING':
    'a foreign Host or Origin is refused; loopback names are accepted in any case, bare or with a port (MCP 2025-11-25, transports)',
  'MCP-ERROR-CODES': 'unknown methods, tools, resources and prompts have their JSON-RPC codes (JSON-RPC 2.0 §5.1)',
  'MCP-BAD-PARAMETERS': 'parameters that do not fit are -32602 (JSON-RPC 2.0 §5.1)',
  'MCP-STDIO-FRAMING': 'stdout carries JSON-RPC messages, one a line, and nothing else (MCP 2025-11-25, transports)',
  'MCP-SSE-TRANSPORT': 'HTTP+SSE is served as gopher-mcp 0.10 serves it (MCP 2024-11-05, transports)',
  'MCP-CANCELLATION': 'a cancelled call ends its connections to far servers at once (MCP 2025-11-25, cancellation)',
  'MCP-DISCONNECT': 'a client that goes away cancels what it asked for (MCP 2026-07-28, transports)',
  'MCP-ELICITATION':
    'a person is asked only where the client can, in both eras, and silence is no consent (MCP 2025-11-25, elicitation)',
  'MCP-LOGGING': 'log messages go to those who asked, at their level (MCP 2025-11-25, logging)',
  'MCP-TRACE-CONTEXT': 'the trace context of a request is in the log of its fetches (W3C Trace Context)',
  'MCP-RESOURCE-TEMPLATES': 'pages are resources, read through the same guards (MCP 2025-11-25, resources)',
  'MCP-COMPLETIONS':
    "arguments are completed from the caller's own visits, and nobody else's (MCP 2025-11-25, completion)",
  'MCP-PROMPTS': 'the two prompts are listed, and given with their arguments (gopher-mcp 0.10)',
  'MCP-CLIENTS': 'the official clients work with the server over stdio and HTTP (README)',
  'MCP-MANY-CLIENTS': 'nothing of one client reaches another (MCP 2025-11-25, transports)',

  // The process

  'SERVER-HEALTH': '/health tells status and version, outside the Host check, and nothing else (gopher-mcp 0.10)',
  'SERVER-POLICY': 'the policy lists every setting of both protocols in effect, without paths (gopher-mcp 0.10)',
  'SERVER-SIGNALS': 'SIGTERM, SIGINT and SIGHUP end the process cleanly, with 0 (addition to gopher-mcp 0.10)',
  'SERVER-STOP-LIMIT': 'a stop that takes too long, and a second signal, end it by force (addition to gopher-mcp 0.10)',
  'SERVER-LOG-LINES': 'the log is one JSON record a line, or a plain line, whatever is logged (gopher-mcp 0.10)',
  'SERVER-LOG-LEVEL': 'the threshold holds for all loggers (docs/configuration.md)',
  'SERVER-LOG-FILE': 'the log file has the same lines as stderr, appended (docs/configuration.md)',
  'SERVER-LOG-NO-SEARCH':
    'the log of a fetch says nothing of what was searched for above debug (addition to gopher-mcp 0.10)',
  'SERVER-REQUEST-ID':
    'a request has one id in its answer, the access log, the log of its fetches and the audit; a caller cannot choose it (docs/operations.md)',
  'SERVER-AUDIT-LINES':
    'each tool call, each resource read and each caller that is turned away leaves one line of the audit (docs/operations.md)',
  'SERVER-AUDIT-SAFE':
    'audit lines hold no query, search term, userinfo, credential or session id, and nothing that begins a line (docs/operations.md)',
  'SERVER-AUDIT-FAULTS':
    'an audit that cannot be opened stops the start; later, calls go on and what is lost is told (docs/operations.md)',
  'SERVER-AUDIT-ROTATION': 'an audit file that is moved away is opened anew without a signal (docs/operations.md)',
  'SERVER-AUDIT-CHAIN':
    'a changed, missing, added or cut off line of a chained audit is found, over restarts and rotation (docs/operations.md)',
  'SERVER-TRACES':
    'calls are spans of their client\u2019s trace with the attributes of the conventions, fetches spans below them (OpenTelemetry, MCP)',
  'SERVER-TRACES-OPTIONAL':
    'without an SDK no tracing code is loaded, and a collector that is gone does not hold up the end (docs/operations.md)',
  'SERVER-REPLICAS-ONE-SERVER':
    'a client whose every request lands on another replica notices nothing, questions and cancellations included (docs/operations.md)',
  'SERVER-REPLICAS-PAGES':
    'a page is downloaded once by all replicas, and a refresh is seen by all (docs/operations.md)',
  'SERVER-REPLICAS-PACE': 'all replicas together keep the spacing and the pauses of a host (docs/operations.md)',
  'SERVER-REPLICAS-TROUBLE':
    'a Redis in trouble costs a call 50 ms at most, is told as degraded, and is used again within 3 s (docs/operations.md)',
  'SERVER-REPLICAS-KILLED':
    'a replica that is killed leaves no lock, place in line or session behind for longer than these last (docs/operations.md)',
  'SERVER-PROTOCOLS-APART': 'another protocol is one folder and one line, behind the same guards (CONTRIBUTING.md)',
} as const;

/** Id of a promise. */
export type RequirementId = keyof typeof REQUIREMENTS;
