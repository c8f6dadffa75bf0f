import { z } from 'zod'
import { port, type ValuesOf } from '../schema.ts'

type Values = ValuesOf<typeof processVariables>

/** What this process does, and how it talks to the other processes of the service. */
export interface ProcessConfig {
  role: Values['SERVICE_ROLE']
  /**
   * For connections between processes of the service. Without a port it uses a free one, on the
   * loopback interface only.
   */
  internal: { port: number | undefined; secret: string | undefined; address: string | undefined }
  logLevel: Values['SERVICE_LOG_LEVEL']
}

export const processVariables = {
  SERVICE_ROLE: z
    .enum(['all', 'api', 'sidecar'])
    .default('all')
    .describe('`api`: requests; `sidecar`: feeds and agents; `all`: both. Each runs the schedules'),
  SERVICE_INTERNAL_PORT: port
    .optional()
    .describe(
      'The port for other processes of the service on other machines. Without it, a free one on this machine only',
    ),
  SERVICE_INTERNAL_SECRET: z
    .string()
    .min(32)
    .optional()
    .describe(
      'The secret that processes authenticate each other with, instead of `<data>/internal-secret`; at least 32 characters',
    ),
  SERVICE_INTERNAL_ADDRESS: z
    .string()
    .regex(/^[^\s/@]+:\d{1,5}$/, 'expected host:port')
    .optional()
    .describe(
      'Where other processes reach this one, as `host:port`; the host name unless given. For a cloud function, where it reaches the service',
    ),
  SERVICE_LOG_LEVEL: z
    .enum(['debug', 'info', 'warn', 'error'])
    .default('info')
    .describe('`debug`, `info`, `warn` or `error`'),
}

export const processFrom = (values: Values): ProcessConfig => ({
  role: values.SERVICE_ROLE,
  internal: {
    port: values.SERVICE_INTERNAL_PORT,
    secret: values.SERVICE_INTERNAL_SECRET,
    address: values.SERVICE_INTERNAL_ADDRESS,
  },
  logLevel: values.SERVICE_LOG_LEVEL,
})
