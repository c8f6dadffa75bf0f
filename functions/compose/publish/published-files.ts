import { createHash } from 'node:crypto'
import { unprocessable } from '../errors.ts'
import { findText, isRemote, isSecret, type StackFiles } from '../load/stack-files.ts'
import { UnreadFiles } from '../load/unread-files.ts'
import { directoryOf, joinPath, relativeTo } from '../paths.ts'
import { type NamedFile, namedFiles } from './named-files.ts'

/** A file of a published project. */
export interface PublishedFile {
  /**
   * `compose`: merged in this order. `extended`: an `extends` names it. `variables`: an `env_file`
   * names it.
   */
  kind: 'compose' | 'extended' | 'variables'
  /** The path in the stack. */
  path: string
  /** The name in the published project, which has no directories. */
  name: string
  text: string
}

/**
 * Returns the compose files as they are published, and the files that they name. All are side by
 * side there, so each `extends` and `env_file` names its file by the digest of its path, as
 * docker compose does. Without `withVariables` no file of variables is published, and `env_file`
 * keeps naming the one that is missing. Everything else stays as it is written, comments too: a
 * resolved model would show paths of the host and, in short forms, values of variables.
 *
 * @throws UnreadFiles if it needs texts that were not read, 422 if a file includes another one or
 *   is one that a source encrypts
 */
export function publishedFiles(
  files: StackFiles,
  composeFiles: readonly string[],
  { withVariables, decrypted = [] }: { withVariables: boolean; decrypted?: readonly string[] },
): PublishedFile[] {
  const refused = { ...files, secret: new Set(decrypted) }
  const compose = composeFiles.map((path) => ({ path, base: '.', kind: 'compose' as const }))
  const open: Opened[] = [...compose]
  const published = new Map<string, PublishedFile>()
  for (let next = open.shift(); next; next = open.shift()) {
    const { path, base, kind } = next
    if (published.has(path)) continue
    refuseDecrypted(refused, path)
    const text = textAt(files, path)
    const { named, includes } = namedFiles(text)
    if (includes) {
      throw unprocessable(
        `${path}: a file with include cannot be published: merge what it includes into it`,
      )
    }
    const uses = named.flatMap((one) => usesOf(one, base, files))
    const name = kind === 'compose' ? path.slice(path.lastIndexOf('/') + 1) : nameOf(path, 'yaml')
    published.set(path, { kind, path, name, text: rewritten(text, uses, withVariables) })
    for (const { use, path: other, isThere } of uses) {
      if (use === 'extends') open.push({ path: other, base: directoryOf(other), kind: 'extended' })
      else if (withVariables && isThere && !published.has(other)) {
        refuseDecrypted(refused, other)
        const variables = { path: other, name: nameOf(other, 'env'), text: textAt(files, other) }
        published.set(other, { kind: 'variables', ...variables })
      }
    }
  }
  if (files.requested.size > 0) throw new UnreadFiles([...files.requested])
  return [...published.values()].sort((one, other) => order[one.kind] - order[other.kind])
}

const order: Record<PublishedFile['kind'], number> = { compose: 0, extended: 1, variables: 2 }

interface Opened {
  path: string
  base: string
  kind: 'compose' | 'extended'
}

/** A named file with its path in the stack. */
interface Use extends NamedFile {
  isThere: boolean
}

/** Returns a use of a file of the stack. The host has any other one, which stays as it is. */
function usesOf(named: NamedFile, base: string, files: StackFiles): Use[] {
  if (isRemote(named.path)) return []
  const full = joinPath(joinPath(files.directory, base), named.path)
  const path = relativeTo(files.directory, full)
  const text = path === undefined ? undefined : findText(files, full)
  if (path === undefined || (named.use === 'extends' && text === undefined)) return []
  return [{ ...named, path, isThere: text !== undefined }]
}

function textAt(files: StackFiles, path: string): string {
  const full = joinPath(files.directory, path)
  if (isSecret(files, full)) {
    throw unprocessable(`${path}: publishing it needs the permission stacks:secrets`)
  }
  return findText(files, full) ?? ''
}

/** @throws 422 if the content of a file is encrypted at its source. Links are followed. */
function refuseDecrypted(decrypted: StackFiles, path: string): void {
  if (!isSecret(decrypted, joinPath(decrypted.directory, path))) return
  throw unprocessable(
    `${path}: its source encrypts this file, so it cannot be published: put what is to be published into another file`,
  )
}

/** Returns a text with other paths, replaced from the end so that the ranges stay right. */
function rewritten(text: string, uses: readonly Use[], withVariables: boolean): string {
  let result = text
  for (const { use, path, isThere, start, end } of uses.toReversed()) {
    const isPublished = use === 'extends' || (withVariables && isThere)
    const name = isPublished ? nameOf(path, use === 'extends' ? 'yaml' : 'env') : path
    const line = result.slice(start, end).endsWith('\n') ? '\n' : ''
    result = `${result.slice(0, start)}${JSON.stringify(name)}${line}${result.slice(end)}`
  }
  return result
}

/** Returns the name of a file without its directories; two paths never have the same. */
const nameOf = (path: string, extension: string): string =>
  `${createHash('sha256').update(path).digest('hex')}.${extension}`
