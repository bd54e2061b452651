/**
 * Windows of documents: the constant members of a result and where the next window begins.
 *
 * Rules of this file:
 * - A window is bounded by code points and by the bytes of its compact JSON; each bound can be off (0). It always moves on
 *   by at least one code point, whatever the bounds say.
 * - Text is cut anywhere. Gemtext is cut between lines: the partial line at the end of a window waits for the next one. A
 *   line that is longer than a whole window is cut, delivered as a line that is not classified, and flagged.
 * - Offsets count the code points of the document, whatever the form of the window, so that they fit every form.
 * - An offset behind the end gives an empty window that is not truncated.
 * - Members stand in the order in which results list them.
 * - Whatever goes over all of a page does so in steps.
 */
import { jsonStringFit, type JsonObject } from '../../common/json.js';
import { compactBytes } from '../../common/payload.js';
import { STRIDE, type Steps } from '../../common/steps.js';
import { advanceCodePoints, countCodePoints } from '../../common/text/code-points.js';
import type { BinaryDocument, GeminiDocument, ReadableDocument } from './document.js';
import { GemtextReader, wholeLinesEnd, type GemtextLine } from './gemtext.js';
import { bytesAtMost, GEMTEXT_FORMS, type GemtextForm } from './gemtext-forms.js';
import { referenceBase } from './reference.js';

/** Where a window starts and what bounds it; 0 = no bound. */
export interface WindowLimits {
  /** Code points, >= 0. */
  readonly offset: number;
  /** Code points. An operator who lets go of this bound wants whole pages: then bytes are not bounded either. */
  readonly maxChars: number;
  /** Bytes of the compact members. */
  readonly maxBytes: number;
  /** The form of gemtext; other documents have one form only. */
  readonly format: keyof typeof GEMTEXT_FORMS;
}

/** A window. */
export interface DocumentWindow {
  /** The payload's constant members, `kind` first. */
  readonly members: JsonObject & { readonly kind: string };
  /** In code points; null at the end of the document. */
  readonly nextOffset: number | null;
}

/** Renders a window. `pageUrl` is what relative links are resolved against: the request URL without query and fragment. */
export function* renderWindow(document: GeminiDocument, pageUrl: string, limits: WindowLimits): Steps<DocumentWindow> {
  switch (document.kind) {
    case 'binary':
      return { members: binaryMembers(document), nextOffset: null };
    case 'text':
      return textWindow(document, limits);
    case 'gemtext':
      return yield* gemtextWindow(document, pageUrl, limits);
  }
}

function binaryMembers({ mime, size }: BinaryDocument): DocumentWindow['members'] {
  const note = 'This is not text: only its type and size are given, the content is not.';
  return { kind: 'binary', mime_type: mime, size, note };
}

function textWindow(document: ReadableDocument, limits: WindowLimits): DocumentWindow {
  const { text } = document;
  const { from, charsEnd } = extent(document, limits);
  const maxBytes = room(limits, (nextOffset) => textMembers(document, '', nextOffset), document);
  const fit = jsonStringFit(text, from, charsEnd, maxBytes);
  const to = Math.max(fit, Math.min(charsEnd, advanceCodePoints(text, from, 1)));
  const nextOffset = to < text.length ? limits.offset + codePoints(document, from, to) : null;
  return { members: textMembers(document, text.slice(from, to), nextOffset), nextOffset };
}

function textMembers(
  document: ReadableDocument,
  content: string,
  nextOffset: number | null,
): DocumentWindow['members'] {
  const { mime, size, totalChars, lossy } = document;
  return {
    kind: 'success',
    mime_type: mime,
    content,
    size,
    truncated: nextOffset !== null,
    total_chars: totalChars,
    next_offset: nextOffset,
    lossy,
  };
}

function* gemtextWindow(document: ReadableDocument, pageUrl: string, limits: WindowLimits): Steps<DocumentWindow> {
  const form = GEMTEXT_FORMS[limits.format];
  const { from, charsEnd } = extent(document, limits);
  const empty = (nextOffset: number | null): DocumentWindow['members'] =>
    form.members(document, [], { nextOffset, partialLine: false, linkCount: document.totalChars });
  const plan: WindowPlan = { document, form, limits, from, charsEnd, maxBytes: room(limits, empty, document) };
  const open = (): GemtextReader => new GemtextReader(document.text, referenceBase(pageUrl), from);
  const { lines, to, ...seen } = (yield* wholeLines(plan, open())) ?? partOfLine(plan, open());
  const nextOffset = to < document.text.length ? limits.offset + codePoints(document, from, to) : null;
  yield;
  return { members: form.members(document, lines, { nextOffset, ...seen }), nextOffset };
}

interface WindowPlan {
  readonly document: ReadableDocument;
  readonly form: GemtextForm;
  readonly limits: WindowLimits;
  /** Code-unit indices: where the window begins, and where its characters end at the latest. */
  readonly from: number;
  readonly charsEnd: number;
  /** Bytes for lines and links. */
  readonly maxBytes: number;
}

interface WindowLines {
  readonly lines: readonly GemtextLine[];
  /** Code-unit index behind the last line. */
  readonly to: number;
  readonly partialLine: boolean;
  /** Links on the lines that were gone through. */
  readonly linkCount: number;
}

/** As many whole lines as fit; null when not even the first one does. */
function* wholeLines(plan: WindowPlan, reader: GemtextReader): Steps<WindowLines | null> {
  const { document, form, limits, from, charsEnd, maxBytes } = plan;
  const { text } = document;
  const end = form.leavesOut || charsEnd === text.length ? text.length : wholeLinesEnd(text, from, charsEnd);
  if (end === null) return null;
  // A form that leaves lines out is bounded by what it shows; the others by `end`.
  const maxChars = form.leavesOut && limits.maxChars > 0 ? limits.maxChars : Infinity;
  const offsetOf = offsets(document, from, limits.offset);
  const lines: GemtextLine[] = [];
  // Most windows are far below the limit, so an upper bound comes first; it is counted only when that says too much.
  let counted = false;
  let bytes = 0;
  let chars = 0;
  let linkCount = 0;
  let count = 0;
  for (let at = from; ; at = reader.position) {
    if (++count % STRIDE === 0) yield;
    const line = reader.next(end);
    if (line === null) return { lines, to: at, partialLine: false, linkCount };
    const picked = form.pick(line, () => offsetOf(at));
    if (picked) {
      bytes += counted ? form.bytes(picked) : bytesAtMost(picked);
      if (bytes > maxBytes && !counted) {
        counted = true;
        bytes = lines.reduce((sum, one) => sum + form.bytes(one), form.bytes(picked));
      }
      chars += picked.content.length;
      if (bytes > maxBytes || (chars > maxChars && lines.length > 0)) {
        return at === from ? null : { lines, to: at, partialLine: false, linkCount };
      }
      lines.push(picked);
    }
    if (line.link) linkCount++;
  }
}

/** As much of the first line as fits, not classified. */
function partOfLine(plan: WindowPlan, reader: GemtextReader): WindowLines {
  const { document, form, limits, from, charsEnd, maxBytes } = plan;
  const { text } = document;
  const end = Math.min(charsEnd, reader.lineEnd());
  const fit = jsonStringFit(text, from, end, maxBytes - FRAGMENT_BYTES);
  const line = form.pick(reader.fragment(Math.max(fit, advanceCodePoints(text, from, 1))), () => limits.offset);
  return { lines: line ? [line] : [], to: reader.position, partialLine: reader.isMidLine, linkCount: 0 };
}

/** Code points before a code-unit index, for indices that only grow: each character is counted once. */
function offsets(document: ReadableDocument, fromUnit: number, fromOffset: number): (unit: number) => number {
  let countedTo = fromUnit;
  let offset = fromOffset;
  return (unit) => {
    offset += codePoints(document, countedTo, unit);
    countedTo = unit;
    return offset;
  };
}

/** The code-unit indices between which the characters of a window lie. */
function extent(
  document: ReadableDocument,
  limits: WindowLimits,
): { readonly from: number; readonly charsEnd: number } {
  const from = unitBehind(document, 0, limits.offset);
  const charsEnd = limits.maxChars === 0 ? document.text.length : unitBehind(document, from, limits.maxChars);
  return { from, charsEnd };
}

function unitBehind(document: ReadableDocument, fromUnit: number, chars: number): number {
  const { text } = document;
  return hasOnlySingleUnits(document)
    ? Math.min(text.length, fromUnit + chars)
    : advanceCodePoints(text, fromUnit, chars);
}

function codePoints(document: ReadableDocument, from: number, to: number): number {
  return hasOnlySingleUnits(document) ? to - from : countCodePoints(document.text.slice(from, to));
}

function hasOnlySingleUnits({ text, totalChars }: ReadableDocument): boolean {
  return totalChars === text.length;
}

/** Bytes that the limits leave beside the members of an empty window, be it the last one or not: either may be the longer. */
function room(
  { maxChars, maxBytes }: WindowLimits,
  emptyWindow: (nextOffset: number | null) => DocumentWindow['members'],
  { totalChars }: ReadableDocument,
): number {
  if (maxChars === 0 || maxBytes === 0) return Infinity;
  return maxBytes - Math.max(compactBytes(emptyWindow(totalChars)), compactBytes(emptyWindow(null)));
}

/** What a line that is not classified takes beside its content. */
const FRAGMENT_BYTES = Buffer.byteLength('{"type":"preformat","content":""},');
