import { followLinks } from '../../compose/load/tree-links.ts'
import { isLink, type StackTree } from '../records/stack-tree.ts'
import { foldedPath } from './file-path.ts'
import { isCovered } from './tree-shape.ts'

/** `.env`, `.env.local`, `api.env`, `tls.key`, `tls.pem`, in any case. */
const secretName = /(^|\/)(\.env(\.[^/]*)?|[^/]*\.(env|key|pem))$/

/** Returns whether the name of a file alone makes its content secret. */
export const hasSecretName = (path: string): boolean => secretName.test(foldedPath(path))

/** What decides which files of a stack are secret. */
export interface SecretEvidence {
  /** What the compose files call secret: files, or directories of such. */
  named: readonly string[]
  /** Files that stay secret whatever the compose files say; see `changeFiles`. */
  before: ReadonlySet<string>
  /** Files whose contents a source encrypts. */
  decrypted: ReadonlySet<string>
}

/** Returns what decides it for a new stack. */
export const withoutHistory = (named: readonly string[]): SecretEvidence => ({
  named,
  before: new Set(),
  decrypted: new Set(),
})

/**
 * Returns the tree with each secret file marked: by its name, because the compose files name it,
 * through a link too, because it was secret before, or because its source encrypts it.
 */
export function markSecrets(
  tree: StackTree,
  { named, before, decrypted }: SecretEvidence,
): StackTree {
  const links = linksIn(tree)
  const covers = new Set(named.flatMap((path) => [path, followLinks(path, links) ?? path]))
  const marked = Object.entries(tree).map(([path, entry]) => {
    if (isLink(entry)) return [path, entry] as const
    const { secret: _, decrypted: __, ...file } = entry
    if (decrypted.has(path)) {
      return [path, { ...file, secret: true as const, decrypted: true as const }] as const
    }
    const isSecret = hasSecretName(path) || isCovered(path, covers) || before.has(path)
    return [path, isSecret ? { ...file, secret: true as const } : file] as const
  })
  return Object.fromEntries(marked)
}

/** Returns the paths of the secret files of a tree. */
export const secretsIn = (tree: StackTree): string[] =>
  Object.entries(tree).flatMap(([path, entry]) => (!isLink(entry) && entry.secret ? [path] : []))

/** Returns the paths of the files of a tree whose contents a source encrypts. */
export const decryptedIn = (tree: StackTree): string[] =>
  Object.entries(tree).flatMap(([path, entry]) => (!isLink(entry) && entry.decrypted ? [path] : []))

const linksIn = (tree: StackTree): ReadonlyMap<string, string> =>
  new Map(
    Object.entries(tree).flatMap(([path, entry]) =>
      isLink(entry) ? [[path, entry.link] as const] : [],
    ),
  )
