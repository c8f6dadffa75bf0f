import { realpathSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { installedStore } from '../../adapters/node/store-supervisor/install.ts'
import { docker } from './docker.ts'

const root = fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/, '')
const readOnly = (path: string, target = path) => ['--volume', `${realpathSync(path)}:${target}:ro`]
const system = [...readOnly('/usr'), ...readOnly('/lib'), ...readOnly('/lib64'), ...readOnly(root)]

/**
 * Starts a program of this machine, or a built one of this project, in a container with the files
 * of this machine read-only. Returns the ID of the container.
 *
 * @param options of `docker run`
 * @param words the program and its arguments
 */
export const runInContainer = (options: readonly string[], words: readonly string[]): string =>
  docker('run', '--detach', ...system, ...options, 'busybox', ...words)

/** A built program of this project, such as `service.js`, with the arguments of Node.js. */
export const builtProgram = (name: string, ...words: string[]): string[] => [
  realpathSync(process.execPath),
  join(root, 'dist', name),
  ...words,
]

/** Starts DynamoDB Local, without files, in a container. It listens on port 8000. */
export async function runStoreInContainer(options: readonly string[]): Promise<string> {
  const store = await installedStore('/nonexistent')
  const words = ['-Djava.library.path=/store/DynamoDBLocal_lib', '-jar', '/store/DynamoDBLocal.jar']
  const mounts = [...readOnly('/etc/java-17-openjdk'), ...readOnly(store, '/store')]
  const all = [...words, '-inMemory', '-disableTelemetry', '-port', '8000']
  const java = realpathSync('/usr/bin/java')
  return runInContainer([...mounts, ...options], [java, '-Xmx128m', ...all])
}
