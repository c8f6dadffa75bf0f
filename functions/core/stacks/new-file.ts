import { isUtf8 } from 'node:buffer'
import { unprocessable } from '../errors.ts'

/** A file of a stack whose content is in memory, and not yet stored. */
export interface NewFile {
  content: Uint8Array
  /** The permission bits. */
  mode: number
}

/**
 * Returns the content as a text.
 *
 * @throws 422 if it is not UTF-8
 */
export function textOf(path: string, content: Uint8Array): string {
  const text = textIfUtf8(content)
  if (text === undefined) throw unprocessable(`${path}: it is not UTF-8 text`)
  return text
}

/** Returns the content as a text, or undefined if it is not UTF-8. */
export const textIfUtf8 = (content: Uint8Array): string | undefined =>
  isUtf8(content) ? Buffer.from(content).toString('utf8') : undefined
