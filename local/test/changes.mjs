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

/**
 * Returns the commit at which this branch left the main one, or undefined if there is no main
 * branch here. On the main branch itself, it is what was last fetched.
 */
export function mainBase() {
  const isMain = git(['branch', '--show-current'])?.[0] === 'main'
  const names = isMain ? ['origin/main', 'main'] : ['main', 'origin/main']
  const bases = names.map((name) => git(['merge-base', 'HEAD', name])?.[0])
  return bases.find((base) => base !== undefined)
}

/** Returns the paths of the files that are not as in the current commit, new ones included. */
export const uncommittedFiles = () => changedSince('HEAD') ?? []

/**
 * Returns the last commit that changed one of these folders and files, with its date as 2026-11-28,
 * or undefined if there is none.
 *
 * @param {readonly string[]} places
 */
export function lastChangeOf(places) {
  const [line] = git(['log', '-1', '--format=%H %cs', '--', ...places]) ?? []
  const [commit = '', date = ''] = line?.split(' ') ?? []
  return line ? { commit, date } : undefined
}

/**
 * Returns whether a commit is part of the history of another one. It is not if this clone does not
 * have one of them.
 *
 * @param {string} commit
 * @param {string} later
 */
export const isInHistory = (commit, later) =>
  git(['merge-base', '--is-ancestor', commit, later]) !== undefined
