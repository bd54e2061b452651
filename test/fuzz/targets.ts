/** Every fuzz target, in the order in which they are run. */
import { apiKeyFile, apiKeyText, httpBody, tenantsFile } from './access.fuzz.js';
import { argumentsTarget, environmentTarget, httpRequest, stdioLines } from './edge.fuzz.js';
import { geminiMime, geminiPage } from './gemini-page.fuzz.js';
import { geminiRedirect, geminiReference, geminiUrl } from './gemini-url.fuzz.js';
import { gopherMenu } from './gopher-menu.fuzz.js';
import { gopherRobotsFile, gopherText, html } from './gopher-text.fuzz.js';
import { gopherUrl } from './gopher-url.fuzz.js';
import { geminiResponse, gopherResponse } from './readers.fuzz.js';
import { address, host, robots, slowDown } from './safety.fuzz.js';
import { fingerprints, registryFile, tofuFile } from './stores.fuzz.js';
import { keepInput, runTarget, type FuzzTarget } from './target.js';
import { charset, codePoints, escapedPrettyJson, jsonText, logLine, sanitiser } from './text.fuzz.js';

export const TARGETS: readonly FuzzTarget[] = [
  gopherUrl,
  gopherMenu,
  gopherText,
  gopherResponse,
  gopherRobotsFile,
  html,
  geminiUrl,
  geminiReference,
  geminiRedirect,
  geminiResponse,
  geminiMime,
  geminiPage,
  robots,
  slowDown,
  host,
  address,
  sanitiser,
  charset,
  codePoints,
  jsonText,
  escapedPrettyJson,
  logLine,
  tofuFile,
  registryFile,
  fingerprints,
  environmentTarget,
  argumentsTarget,
  stdioLines,
  httpRequest,
  httpBody,
  apiKeyFile,
  apiKeyText,
  tenantsFile,
];

export { keepInput, runTarget };
