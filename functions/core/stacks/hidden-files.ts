import type { StackTree } from '../records/stack-tree.ts'
import { isLink } from '../records/stack-tree.ts'
import { secretsIn } from './secret-paths.ts'

/**
 * Returns the stored files whose values a caller without `stacks:secrets` may not see: `.env` and
 * every file that is not YAML, because any of them may hold variables, and YAML files that are
 * marked as secret. Links are left out.
 *
 * @param now the newest files of the stack: a file that is secret now is hidden in earlier
 *   revisions too
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
