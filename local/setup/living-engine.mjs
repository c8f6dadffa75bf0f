import { rmSync } from 'node:fs'
import { processes, targetOf, textOf } from './processes.mjs'

/** The sockets of an Engine that is started without a choice of one. */
const defaultSockets = ['/var/run/docker.sock', '/run/docker.sock']
/** Options of `dockerd` that name its sockets. */
const hostOptions = ['-H', '--host']

/** Files that a killed Engine leaves, and the program whose process ID each contains. */
const pidFiles = {
  '/var/run/docker.pid': 'dockerd',
  '/var/run/docker/containerd/containerd.pid': 'containerd',
  '/var/run/docker/containerd/docker-containerd.pid': 'containerd',
}

/**
 * Returns the process of the Engine that serves the default socket, or undefined if none runs. It
 * may be too busy to respond.
 */
export function livingEngine() {
  const running = processes().filter(({ program }) => program === 'dockerd')
  const named = Number(textOf('/var/run/docker.pid'))
  const ownMounts = targetOf('/proc/self/ns/mnt')
  return (
    running.find(({ pid }) => pid === named) ??
    running.find(
      ({ pid, words }) =>
        // An Engine in a container has a file system of its own.
        servesDefaultSocket(words) && targetOf(`/proc/${pid}/ns/mnt`) === ownMounts,
    )
  )
}

/** Returns whether `dockerd` with this command line serves the default socket. */
export function servesDefaultSocket(/** @type {string[]} */ words) {
  const hosts = words.flatMap((word, index) => {
    if (hostOptions.includes(word)) return [words[index + 1] ?? '']
    const [, host] = /^(?:--host=|-H=?)(.+)$/.exec(word) ?? []
    return host ? [host] : []
  })
  // systemd passes the default socket as fd://.
  const served = ['fd://', 'unix://', ...defaultSockets.map((path) => `unix://${path}`)]
  return hosts.length === 0 || hosts.some((host) => served.includes(host))
}

/**
 * Removes the files with process IDs of a killed Engine. After a restart of the machine another
 * process can have such an ID, and then `dockerd` does not start.
 *
 * @param {(line: string) => void} [print]
 * @param {Record<string, string>} [files] each file, and the program whose process it names
 */
export function removeStalePidFiles(print = console.log, files = pidFiles) {
  for (const [file, program] of Object.entries(files)) {
    const text = textOf(file)
    const running = textOf(`/proc/${Number(text) || 'none'}/comm`).trim()
    if (text === '' || running === program) continue
    const why = running ? `names a process of ${running}` : 'names a process that has ended'
    print(`Removing ${file}, which ${why}`)
    rmSync(file, { force: true })
  }
}
