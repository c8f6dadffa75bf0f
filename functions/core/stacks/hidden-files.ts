import type { StackTree } from '../records/stack-tree.ts'
import { isLink } from '../records/stack-tree.ts'
import { secretsIn } from './secret-paths.ts'

/**
 * Returns the stored files whose content a caller without `stacks:secrets` may not see in a result.
 * Only compose files have to be read for such a caller. Files with variables do not, so all files
 * but those with the name of a compose file count, marked as secret or not.
 *
 * @param now the newest files of the stack: what is secret now was not yet in an earlier revision
 */
export function hiddenFiles(
  { env, tree }: { env: string | null; tree: StackTree },
  now: StackTree,
): string[] {
  const secrets = new Set([...secretsIn(tree), ...secretsIn(now)])
  const others = Object.entries(tree).flatMap(([path, entry]) =>
    isLink(entry) || (/\.ya?ml$/i.test(path) && !secrets.has(path)) ? [] : [path],
  )
  return env === null ? others : ['.env', ...others]
}
