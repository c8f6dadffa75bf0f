import type { z } from 'zod'
import { invalid } from '../../core/errors.ts'
import type { StackRecord } from '../../core/records/stack.ts'
import type { TreeLink } from '../../core/records/stack-tree.ts'
import type { FilesPatch, PatchFile } from '../../core/stacks/apply-patch.ts'
import { mainFileOf, overlayFile } from '../../core/stacks/texts.ts'
import type { FileBody } from './schema.ts'

type SentFile = z.output<typeof FileBody>

/** The files of a request to create or to update a stack. */
interface SentFiles {
  compose?: string | undefined
  /** Null deletes the file. */
  env?: string | null | undefined
  /** All overlays: those of `now` that are not listed are deleted. */
  overlays?: Record<string, string> | undefined
  files?: Record<string, SentFile | null> | undefined
}

/** Returns a file of a request as a change of a stack's files. */
export function fileOf({ content = '', base64, link, mode }: SentFile): PatchFile | TreeLink {
  if (link !== undefined) return { link }
  const bits = mode === undefined ? undefined : Number.parseInt(mode, 8)
  return { content: base64 ?? Buffer.from(content), mode: bits }
}

/**
 * Returns all files of a request as one change of a stack's files.
 *
 * @param now the stack as it is; a new one has no overlays
 * @throws 400 if the request has a file twice
 */
export function patchOf(
  { compose, env, overlays, files = {} }: SentFiles,
  now: { composeFiles?: string[]; files?: Pick<StackRecord['files'], 'overlays'> },
): FilesPatch {
  const named = Object.entries(files).map(([path, file]) => [path, file && fileOf(file)] as const)
  const patch = new Map<string, PatchFile | TreeLink | null>(named)
  const add = (path: string, text: string | null) => {
    if (patch.has(path)) throw invalid(`body.files: ${path} is sent twice`)
    patch.set(path, text === null ? null : { content: Buffer.from(text) })
  }
  if (compose !== undefined) add(mainFileOf(now), compose)
  if (env !== undefined) add('.env', env)
  for (const [name, text] of Object.entries(overlays ?? {})) add(overlayFile(name), text)
  const before = overlays ? Object.keys(now.files?.overlays ?? {}) : []
  for (const path of before.map(overlayFile)) if (!patch.has(path)) patch.set(path, null)
  return patch
}
