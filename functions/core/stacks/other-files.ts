import { isUtf8 } from 'node:buffer'
import type { Needs } from '../ports.ts'

/**
 * A file of a stack other than compose.yaml, .env and overlays. It is a string unless it is binary
 * or executable.
 */
export type OtherFile = string | { content: Uint8Array; executable: boolean }

/** Returns the stored form of a file: a string if that loses nothing. */
export function otherFile(content: Uint8Array, mode: number): OtherFile {
  const executable = (mode & 0o100) !== 0
  return isUtf8(content) && !executable
    ? Buffer.from(content).toString('utf8')
    : { content, executable }
}

/**
 * Stores a file and returns a reference to it: the digest of the stored text, followed by `;base64`
 * if that text is the content in base64, and by `;x` if the file is executable.
 */
export async function keepOther(file: OtherFile, { texts }: Needs<'texts'>): Promise<string> {
  if (typeof file === 'string') return texts.put(file)
  const text = Buffer.from(file.content).toString('base64')
  const digest = await texts.put(text)
  return `${digest};base64${file.executable ? ';x' : ''}`
}

/** Returns the file for a reference of `keepOther`. */
export async function readOther(reference: string, { texts }: Needs<'texts'>): Promise<OtherFile> {
  const [digest = '', form, executable] = reference.split(';')
  const text = await texts.get(digest)
  if (form === undefined) return text
  return { content: Buffer.from(text, 'base64'), executable: executable === 'x' }
}

/** Returns the content of a file as bytes. */
export const bytesOf = (file: OtherFile): Uint8Array =>
  typeof file === 'string' ? Buffer.from(file) : file.content

/** Returns the file as a string, or undefined if it is binary. */
export function textOf(file: OtherFile): string | undefined {
  if (typeof file === 'string') return file
  return isUtf8(file.content) ? Buffer.from(file.content).toString('utf8') : undefined
}
