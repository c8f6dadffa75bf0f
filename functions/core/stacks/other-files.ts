import { isUtf8 } from 'node:buffer'
import type { Needs } from '../ports.ts'

/** A file of a stack beside compose.yaml, .env and overlays: a text, or bytes that are none or may be executed. */
export type OtherFile = string | { content: Uint8Array; executable: boolean }

/** The file as it is kept: a text unless something would be lost. */
export function otherFile(content: Uint8Array, mode: number): OtherFile {
  const executable = (mode & 0o100) !== 0
  return isUtf8(content) && !executable
    ? Buffer.from(content).toString('utf8')
    : { content, executable }
}

/**
 * Keeps the file and gives what stands for it: the digest of a text, followed by `;base64` when the text is the content in
 * base64, and by `;x` when it may be executed.
 */
export async function keepOther(file: OtherFile, { texts }: Needs<'texts'>): Promise<string> {
  if (typeof file === 'string') return texts.put(file)
  const text = Buffer.from(file.content).toString('base64')
  const digest = await texts.put(text)
  return `${digest};base64${file.executable ? ';x' : ''}`
}

/** The file behind what `keepOther` gave. */
export async function readOther(reference: string, { texts }: Needs<'texts'>): Promise<OtherFile> {
  const [digest = '', form, executable] = reference.split(';')
  const text = await texts.get(digest)
  if (form === undefined) return text
  return { content: Buffer.from(text, 'base64'), executable: executable === 'x' }
}

/** The content of a file as it is on a disk. */
export const bytesOf = (file: OtherFile): Uint8Array =>
  typeof file === 'string' ? Buffer.from(file) : file.content

/** The file as a text, or nothing when it is none. */
export function textOf(file: OtherFile): string | undefined {
  if (typeof file === 'string') return file
  return isUtf8(file.content) ? Buffer.from(file.content).toString('utf8') : undefined
}
