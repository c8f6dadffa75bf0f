import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { type GitReader, type GitReaderOptions, gitReader } from '../../../adapters/git/read.ts'
import type { SourceFile, SourceTree } from '../../../functions/core/ports/source-reader.ts'
import { loopbackDialer } from '../outbound.ts'

export const sourceLimits = { bytes: 4 * 1024 ** 2, fileBytes: 1024 ** 2, files: 1000 }
export const neverAborted = () => new AbortController().signal

/** Returns a reader whose copies are removed after the test. */
export function testReader(
  options: Partial<GitReaderOptions> = {},
): GitReader & { directory: string } {
  const root = mkdtempSync(join(tmpdir(), 'git-copies-'))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  const directory = join(root, 'copies')
  return { directory, ...gitReader({ dialer: loopbackDialer(), directory, ...options }) }
}

/** Returns the files of a tree by their paths: content and mode, or the target of a link. */
export async function filesOf(tree: SourceTree, path: string): Promise<Record<string, unknown>> {
  const found: [string, unknown][] = []
  for await (const file of tree.files(path)) found.push([file.path, shown(file)])
  return Object.fromEntries(found)
}

const shown = (file: SourceFile) =>
  'link' in file ? `-> ${file.link}` : [Buffer.from(file.content).toString(), file.mode.toString(8)]
