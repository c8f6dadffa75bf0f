import { existsSync, readFileSync } from 'node:fs'
import { ignoreError } from '../../functions/core/ignore-error.ts'
import type { OwnContainerId } from '../../functions/core/records/installation.ts'

/**
 * Returns the ID of the container that this process runs in, or undefined if it runs in none.
 *
 * `/proc/self/mountinfo` shows it: the Engine mounts three files from the container's own
 * directory into it. Nothing in the container can change that list, and unlike the host name and
 * labels no other container can have the same.
 *
 * @param mounts the content of `/proc/self/mountinfo`
 */
export function ownContainerId(mounts = readMounts()): string | undefined {
  for (const line of mounts.split('\n')) {
    const [, , , root = '', target = ''] = line.split(' ')
    const id = /\/(?:overlay-)?containers\/([0-9a-f]{64})\//.exec(root)?.[1]
    if (id !== undefined && ownFiles.has(target)) return id
  }
  return undefined
}

/**
 * Returns the ID of the container that this process runs in, `none` outside of containers, or
 * `unknown` if it is in one but cannot tell which.
 *
 * @param mounts the content of `/proc/self/mountinfo`
 * @param isMarked whether there is a file that Docker, Podman and their relatives put into each
 *   container. A virtual machine that was made from an image has it, too, but none of their mounts.
 */
export function findOwnContainer(mounts = readMounts(), isMarked = hasMark()): OwnContainerId {
  const isContained = isMarked && mounts.split('\n').some((line) => ownFiles.has(targetOf(line)))
  return ownContainerId(mounts) ?? (isContained ? 'unknown' : 'none')
}

const targetOf = (line: string) => line.split(' ')[4] ?? ''

const hasMark = () => ['/.dockerenv', '/run/.containerenv'].some((path) => existsSync(path))

/** The files that an Engine mounts into each container. */
const ownFiles = new Set(['/etc/hostname', '/etc/hosts', '/etc/resolv.conf'])

function readMounts(): string {
  try {
    return readFileSync('/proc/self/mountinfo', 'utf8')
  } catch (error) {
    // Other systems than Linux have none, and run no containers.
    ignoreError('read the mounts of this process')(error)
    return ''
  }
}
