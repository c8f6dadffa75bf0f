import { mkdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Config, readConfig } from '../node/config/config.ts'
import { StartError } from '../node/process/start-error.ts'

/**
 * Returns the configuration of a function. Its keys are in the store; its data directory has
 * nothing that another process needs, and ends with the machine that runs the function. Like a
 * service with the role `api`, it has no agents.
 *
 * @throws StartError if something is missing that a function cannot do without
 * @throws ConfigError for an invalid value
 */
export function functionConfig(env: Record<string, string | undefined>): Config {
  const dataDirectory = join(tmpdir(), 'container-stacks')
  const config = readConfig({
    ...env,
    SERVICE_DATA_DIR: env.SERVICE_DATA_DIR || dataDirectory,
    // The disk of a function says nothing about the hosts.
    SERVICE_STACKS_DIR: env.SERVICE_STACKS_DIR || '/opt/stacks',
    SERVICE_KEYS: env.SERVICE_KEYS || 'store',
    SERVICE_ROLE: 'api',
  })
  if (config.store.kind !== 'dynamodb') {
    throw new StartError('SERVICE_STORE: functions need a store with the DynamoDB API')
  }
  if (config.keyPlace !== 'store') {
    throw new StartError('SERVICE_KEYS: functions need the keys in the store')
  }
  mkdirSync(config.dataDirectory, { recursive: true, mode: 0o700 })
  return config
}
