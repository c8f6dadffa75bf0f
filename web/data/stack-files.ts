import { api, unwrap } from './api.ts'
import type { components } from './api.types.ts'
import { resource } from './cache.ts'

export type StackFile = components['schemas']['StackFile']
export type FileContent = components['schemas']['FileContent']
/** A file to save; null deletes it. */
export type SentFile = NonNullable<components['schemas']['StackChange']['files']>[string]

/** Reads a file of a stack, past the cache. */
export const readFile = (name: string, path: string): Promise<FileContent> =>
  unwrap(api.GET('/stacks/{name}/file', { params: { path: { name }, query: { path } } }))

/**
 * Saves files as one new revision, and what the cache has of the stack's files is loaded again.
 *
 * @param revision what the change is based on
 * @throws RequestError `stale-revision` if that is not the newest
 */
export async function saveFiles(
  name: string,
  files: Readonly<Record<string, SentFile>>,
  revision: number,
): Promise<{ revision: number }> {
  const params = { path: { name } }
  const saved = await unwrap(api.PUT('/stacks/{name}', { params, body: { files, revision } }))
  const left = Object.keys(files).filter((path) => files[path] !== null)
  const changed = left.map((path) => resource('/stacks/{name}/file', { name, path }))
  for (const entry of changed) entry.refresh()
  await Promise.all([
    resource('/stacks/{name}', { name }).reload(),
    ...changed.map((entry) => (entry.value.peek() ? entry.reload() : undefined)),
  ])
  resource('/stacks/{name}/config', { name }).refresh()
  return { revision: saved.revision }
}

/** Returns the bytes of a file. */
export function bytesOf({ content, base64 }: FileContent): Uint8Array<ArrayBuffer> {
  if (base64 === null) return new TextEncoder().encode(content ?? '')
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
}

/** Returns the content of a chosen file for a request. */
export async function base64Of(file: Blob): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer())
  const parts: string[] = []
  // All at once would be more arguments than a call can have.
  for (let at = 0; at < bytes.length; at += 0x8000) {
    parts.push(String.fromCharCode(...bytes.subarray(at, at + 0x8000)))
  }
  return btoa(parts.join(''))
}
