import { resolve } from 'node:path'
import { z } from 'zod'
import type { ValuesOf } from '../schema.ts'

/** The directories of the service and of stacks. */
export interface FilesConfig {
  dataDirectory: string
  stacksDirectory: string | undefined
}

export const fileVariables = {
  SERVICE_CONFIG: z
    .string()
    .optional()
    .describe('The configuration file; `config.yaml` in the data directory unless given'),
  SERVICE_DATA_DIR: z
    .string()
    .min(1)
    .default('./data')
    .describe('Keys, the set-up secret, local backups, and the files of DynamoDB Local; mode 0700'),
  SERVICE_STACKS_DIR: z
    .string()
    .startsWith('/')
    .optional()
    .describe(
      'The directory of stacks on each host that is added: `/opt/stacks` unless given, on the local host `<data>/stacks` if the service cannot write there and runs in no container. Agents do not read it',
    ),
}

export const filesFrom = (values: ValuesOf<typeof fileVariables>): FilesConfig => ({
  dataDirectory: resolve(values.SERVICE_DATA_DIR),
  stacksDirectory: values.SERVICE_STACKS_DIR,
})
