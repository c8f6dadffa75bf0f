import { accessSync, constants, existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Host } from '../../../functions/core/records/host.ts'
import { findOwnContainer } from '../../agent/own-container-id.ts'

/**
 * Returns the machine that the service runs on. Its stacks are in the configured directory, else in
 * /opt/stacks if that is writable, else in the data directory. In a container it is always
 * /opt/stacks: what is writable here says nothing about the host, and the data directory is not one
 * of the host.
 */
export function localHost(
  config: { stacksDirectory?: string; dataDirectory: string },
  isContained = findOwnContainer() !== 'none',
): Host {
  const usual = '/opt/stacks'
  const isUsual = isContained || isWritable(usual)
  const stacksDirectory =
    config.stacksDirectory ?? (isUsual ? usual : join(config.dataDirectory, 'stacks'))
  return { id: 'local', name: 'local', kind: 'local', tags: [], stacksDirectory, agent: null }
}

/** Returns whether the directory, or its nearest existing parent, is writable. */
function isWritable(directory: string): boolean {
  if (!existsSync(directory)) return isWritable(dirname(directory))
  try {
    accessSync(directory, constants.W_OK)
    return true
  } catch {
    return false
  }
}
