import { accessSync, constants, existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Host } from '../../functions/core/hosts/ports.ts'

/**
 * Returns the machine that the service runs on. Its stacks are in the configured directory, else in
 * /opt/stacks if that is writable, else in the data directory.
 */
export function localHost(config: { stacksDirectory?: string; dataDirectory: string }): Host {
  const usual = '/opt/stacks'
  const stacksDirectory =
    config.stacksDirectory ?? (writable(usual) ? usual : join(config.dataDirectory, 'stacks'))
  return { id: 'local', name: 'local', kind: 'local', tags: [], stacksDirectory, agent: null }
}

/** Returns whether the directory, or its nearest existing parent, is writable. */
function writable(directory: string): boolean {
  if (!existsSync(directory)) return writable(dirname(directory))
  try {
    accessSync(directory, constants.W_OK)
    return true
  } catch {
    return false
  }
}
