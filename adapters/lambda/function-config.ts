import { type Config, readConfig } from '../node/config/config.ts'
import { StartError } from '../node/process/start-error.ts'

/**
 * Returns the configuration of a function.
 *
 * @throws StartError if something is missing that a function cannot do without
 * @throws ConfigError for an invalid value
 */
export function functionConfig(env: Record<string, string | undefined>): Config {
  if (!env.SERVICE_DATA_DIR) {
    throw new StartError('SERVICE_DATA_DIR is not set: functions need the directory with the keys')
  }
  const config = readConfig(env)
  if (config.store.kind !== 'dynamodb') {
    throw new StartError('SERVICE_STORE: functions need a store with the DynamoDB API')
  }
  return config
}
