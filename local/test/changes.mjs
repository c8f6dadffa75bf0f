import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** Returns the lines that git prints, or undefined if it fails. */
function git(/** @type {string[]} */ words) {
  const { status, stdout } = spawnSync('git', words, { cwd: root, encoding: 'utf8' })
  return status === 0 ? stdout.split('\n').filter(Boolean) : undefined
}

/**
 * Returns the paths of the files that differ from a commit, new ones included, or undefined if this
 * clone does not have that commit.
 *
 * @param {string} commit
 */
export function changedSince(commit) {
  const changed = git(['diff', '--name-only', '--no-renames', commit, '--'])
  const added = git(['ls-files', '--others', '--exclude-standard'])
  return changed && added && [...changed, ...added]
}

/** Returns the commit of this clone, or an empty text if this is none. */
export const currentCommit = () => git(['rev-parse', 'HEAD'])?.[0] ?? ''
