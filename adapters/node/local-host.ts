import { accessSync, constants, existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Host } from '../../functions/core/hosts/ports.ts'

/** The machine that the service runs on. Its stacks live where it is told, else in /opt/stacks, else with the data. */
export function localHost(config: { stacksDirectory?: string; dataDirectory: string }): Host {
  const usual = '/opt/stacks'
  const stacksDirectory =
    config.stacksDirectory ?? (writable(usual) ? usual : join(config.dataDirectory, 'stacks'))
  return { id: 'local', name: 'local', kind: 'local', tags: [], stacksDirectory, agent: null }
}

/** True when the directory, or the nearest one above it that exists, can be written to. */
function writable(directory: string): boolean {
  if (!existsSync(directory)) return writable(dirname(directory))
  try {
    accessSync(directory, constants.W_OK)
    return true
  } catch {
    return false
  }
}
