import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parse } from 'yaml'
import { z } from 'zod'
import { endpointAddresses } from '../../functions/core/hosts/endpoint.ts'
import { type OutboundRule, parseOutboundRules } from '../../functions/core/net/outbound-rules.ts'
import { type SourceReader, sourceReader } from '../../functions/core/net/source.ts'
import {
  defaultSettings,
  SettingFields,
  type SettingValues,
  settingKeys,
} from '../../functions/core/settings.ts'

const port = z.coerce.number('a number is expected').int().min(0).max(65535)

const isEndpoint = (text: string) => {
  try {
    return endpointAddresses(text).length > 0
  } catch {
    return false
  }
}

/** All configuration by the name of its environment variable. */
const Variables = z.object({
  SERVICE_CONFIG: z
    .string()
    .optional()
    .describe('The configuration file; `config.yaml` in the data directory unless given'),
  SERVICE_DATA_DIR: z
    .string()
    .min(1)
    .default('./data')
    .describe('Keys, the set-up secret, local backups, and the files of DynamoDB Local; mode 0700'),
  SERVICE_PORT: port
    .default(8080)
    .describe('The port of the API and the feeds; 0 picks a free one, which the log names'),
  SERVICE_AGENT_PORT: port
    .optional()
    .describe(
      'The port for agents. If it is not set and 8443 is taken, the process runs without agents',
    ),
  SERVICE_BASE_URL: z
    .url()
    .optional()
    .describe(
      'The address that people use. Without it, that of each request counts, and single sign-on works on `localhost` only',
    ),
  SERVICE_STACKS_DIR: z
    .string()
    .startsWith('/')
    .optional()
    .describe(
      'The directory of stacks on each host: `/opt/stacks` unless given, on the local host `<data>/stacks` if that is not writable',
    ),
  SERVICE_SETUP_SECRET: z
    .string()
    .min(16)
    .optional()
    .describe('The secret for the first admin, instead of a random one; at least 16 characters'),
  SERVICE_SECRET_KEY: z
    .string()
    .optional()
    .describe(
      'The key of the secrets in the store, 32 bytes in base64 or hex, instead of `<data>/secret-key` and `<data>/secret-keys/`. Several with commas: the first one encrypts',
    ),
  SERVICE_AUDIT_KEY: z
    .string()
    .optional()
    .describe('The key of the audit rows, instead of `<data>/audit-key`, in the same form'),
  SERVICE_DYNAMODB_ENDPOINT: z
    .url()
    .optional()
    .describe(
      'A store that speaks the DynamoDB API, with credentials as the AWS SDK finds them. Without it, DynamoDB Local is started',
    ),
  SERVICE_DYNAMODB_REGION: z.string().min(1).default('us-east-1').describe('Its region'),
  SERVICE_DYNAMODB_TABLE: z
    .string()
    .regex(/^[A-Za-z0-9_.-]{3,250}$/)
    .default('container-stacks')
    .describe('The table; `<table>-logs` holds the audit rows. Both are created if missing'),
  SERVICE_DYNAMODB_LOCAL_DIR: z
    .string()
    .min(1)
    .optional()
    .describe('The directory of an unpacked DynamoDB Local, instead of an installed one'),
  SERVICE_LOG_LEVEL: z
    .enum(['debug', 'info', 'warn', 'error'])
    .default('info')
    .describe('`debug`, `info`, `warn` or `error`'),
  SERVICE_ROLE: z
    .enum(['all', 'api', 'sidecar'])
    .default('all')
    .describe('`api`: requests and background work; `sidecar`: feeds and agents; `all`: both'),
  SERVICE_INTERNAL_PORT: port
    .optional()
    .describe(
      'The port for other processes of the service on other machines. Without it, a free one for this machine alone',
    ),
  SERVICE_INTERNAL_SECRET: z
    .string()
    .min(32)
    .optional()
    .describe(
      'By what processes know each other, instead of `<data>/internal-secret`; at least 32 characters',
    ),
  SERVICE_INTERNAL_ADDRESS: z
    .string()
    .regex(/^[^\s/@]+:\d{1,5}$/, 'expected host:port')
    .optional()
    .describe(
      'Where other processes reach this one, as `host:port`; the name of the machine unless given',
    ),
  SERVICE_AGENT_ENDPOINT: z
    .string()
    .refine(isEndpoint, 'expected host:port, several separated by commas')
    .optional()
    .describe('Where agents reach the service, as `host:port`, several with commas'),
  SERVICE_BACKUP_RECIPIENTS: z
    .string()
    .regex(/^\s*(age1[0-9a-z]{58}\s*(,\s*age1[0-9a-z]{58}\s*)*)?$/, 'age1…, several with commas')
    .default('')
    .describe('Public keys (`age1…`, several with commas) that can open encrypted backups too'),
  SERVICE_OUTBOUND_ALLOW: z
    .string()
    .default('')
    .transform(read(parseOutboundRules))
    .describe(
      'Addresses, ranges and names that the service may connect to for users although they are refused otherwise',
    ),
  SERVICE_TRUSTED_PROXIES: z
    .string()
    .default('')
    .transform(read(sourceReader))
    .describe('Addresses and ranges of reverse proxies whose `X-Forwarded-For` is believed'),
})

/** A variable for the reference documentation. */
export interface VariableFacts {
  name: string
  /** Undefined if it is not set, or if it depends on other values. */
  byDefault: string | number | undefined
  description: string
}

/** Returns every variable in the order of declaration. */
export const variableFacts = (): VariableFacts[] =>
  Object.entries(Variables.shape).map(([name, schema]) => {
    const value: unknown = schema.safeParse(undefined).data
    const byDefault = typeof value === 'string' || typeof value === 'number' ? value : undefined
    return { name, byDefault, description: schema.description ?? '' }
  })

/** Returns a transform that calls `reader` and reports its error as the problem of the value. */
function read<T>(reader: (text: string) => T) {
  return (text: string, context: z.RefinementCtx): T => {
    try {
      return reader(text)
    } catch (error) {
      context.addIssue((error as Error).message)
      return z.NEVER
    }
  }
}

/**
 * Settings that an administrator can also change at runtime. A value from the file or the
 * environment is pinned.
 */
const Pinned = SettingFields.partial()

/** Returns the variable that pins a setting, such as `SERVICE_AUTH_LOCKOUT_MAX_ATTEMPTS`. */
export const settingVariable = (key: string) => `SERVICE_${key.toUpperCase().replaceAll('.', '_')}`

const settingVariables = new Map(settingKeys.map((key) => [settingVariable(key), key]))

/** The service's configuration. */
export interface Config {
  dataDirectory: string
  /** The configuration file, if there is one. */
  configFile: string | undefined
  port: number
  /**
   * For connections between processes of the service. Without a port it uses a free one, on the
   * loopback interface only.
   */
  internal: { port: number | undefined; secret: string | undefined; address: string | undefined }
  /**
   * The port for agents; 0 selects a free one. The default is 8443, or no port if that one is in
   * use.
   */
  agentPort: number | undefined
  /** The public address for agents: one or more `host:port`, separated by commas. */
  agentEndpoint: string | undefined
  baseUrl: string | undefined
  stacksDirectory: string | undefined
  setupSecret: string | undefined
  secretKey: string | undefined
  auditKey: string | undefined
  store: {
    endpoint: string | undefined
    region: string
    table: string
    /** The directory of an unpacked DynamoDB Local. */
    program: string | undefined
  }
  logLevel: z.output<typeof Variables>['SERVICE_LOG_LEVEL']
  role: z.output<typeof Variables>['SERVICE_ROLE']
  /** Additional public keys that backups are encrypted for. */
  backupRecipients: string[]
  /** Exceptions from the outbound network policy. */
  outboundAllow: OutboundRule[]
  /** Returns the client address of a request, taking trusted proxies into account. */
  sourceOf: SourceReader
  dockerHost: string | undefined
  pinned: Partial<SettingValues>
}

/** An invalid configuration. The message names the key and the problem. */
export class ConfigError extends Error {
  override name = 'ConfigError'
}

/**
 * Reads the configuration. Environment variables override the YAML file: `SERVICE_CONFIG`, or
 * `config.yaml` in the data directory. If the latter does not exist, `instead` is used as its text.
 *
 * @throws ConfigError for an unknown key or an invalid value
 */
export function readConfig(env: Record<string, string | undefined>, instead?: string): Config {
  const { named, pinned } = given(env)
  const dataDirectory = resolve(named.SERVICE_DATA_DIR ?? './data')
  const file = readFile(named.SERVICE_CONFIG, dataDirectory, instead)
  const { variables, settings } = splitFile(file.values)
  const values = check(Variables.strict(), { ...variables, ...named }, 'environment')
  return {
    dataDirectory: resolve(values.SERVICE_DATA_DIR),
    configFile: file.path,
    port: values.SERVICE_PORT,
    internal: {
      port: values.SERVICE_INTERNAL_PORT,
      secret: values.SERVICE_INTERNAL_SECRET,
      address: values.SERVICE_INTERNAL_ADDRESS,
    },
    agentPort: values.SERVICE_AGENT_PORT,
    agentEndpoint: values.SERVICE_AGENT_ENDPOINT,
    backupRecipients: values.SERVICE_BACKUP_RECIPIENTS.split(',').flatMap(
      (one) => one.trim() || [],
    ),
    outboundAllow: values.SERVICE_OUTBOUND_ALLOW,
    sourceOf: values.SERVICE_TRUSTED_PROXIES,
    baseUrl: values.SERVICE_BASE_URL,
    stacksDirectory: values.SERVICE_STACKS_DIR,
    setupSecret: values.SERVICE_SETUP_SECRET,
    secretKey: values.SERVICE_SECRET_KEY,
    auditKey: values.SERVICE_AUDIT_KEY,
    store: {
      endpoint: values.SERVICE_DYNAMODB_ENDPOINT,
      region: values.SERVICE_DYNAMODB_REGION,
      table: values.SERVICE_DYNAMODB_TABLE,
      program: values.SERVICE_DYNAMODB_LOCAL_DIR,
    },
    logLevel: values.SERVICE_LOG_LEVEL,
    role: values.SERVICE_ROLE,
    dockerHost: env.DOCKER_HOST || undefined,
    pinned: check(Pinned, typed({ ...settings, ...pinned }), 'configuration file'),
  }
}

/**
 * Returns the service's variables, and those of settings by their keys. Empty variables are
 * ignored.
 */
function given(env: Record<string, string | undefined>) {
  const named: Record<string, string> = {}
  const pinned: Record<string, string> = {}
  for (const [name, value] of Object.entries(env)) {
    const key = settingVariables.get(name)
    if (value && key) pinned[key] = value
    else if (value && name.startsWith('SERVICE_')) named[name] = value
  }
  return { named, pinned }
}

/**
 * Converts strings to numbers and lists (separated by commas or spaces): environment variables are
 * always strings, and a configuration file may quote numbers.
 */
function typed(values: Record<string, unknown>): Record<string, unknown> {
  const convert = (key: string, value: unknown) => {
    if (typeof value !== 'string') return value
    if (listKeys.has(key)) return value.split(/[\s,]+/).filter((part) => part !== '')
    return /^\d+(\.\d+)?$/.test(value) ? Number(value) : value
  }
  return Object.fromEntries(
    Object.entries(values).map(([key, value]) => [key, convert(key, value)]),
  )
}

/** The keys of settings that are lists. */
const listKeys = new Set<string>(settingKeys.filter((key) => Array.isArray(defaultSettings[key])))

function readFile(
  named: string | undefined,
  dataDirectory: string,
  instead: string | undefined,
): { path: string | undefined; values: Record<string, unknown> } {
  const path = named ?? join(dataDirectory, 'config.yaml')
  const isThere = existsSync(path)
  if (!isThere && named) throw new ConfigError(`SERVICE_CONFIG: there is no file ${named}`)
  if (!isThere && instead === undefined) return { path: undefined, values: {} }
  try {
    const text = isThere ? readFileSync(path, 'utf8') : instead!
    return { path: isThere ? path : undefined, values: flatten(parse(text) ?? {}) }
  } catch (error) {
    throw new ConfigError(`${path}: ${(error as Error).message}`)
  }
}

/**
 * Flattens nested keys: `auth: {lockout_max_attempts: 5}` becomes `auth.lockout_max_attempts: 5`.
 */
function flatten(value: unknown, prefix = ''): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    if (prefix === '') throw new Error('a mapping is expected')
    return { [prefix]: value }
  }
  const parts = Object.entries(value).map(([key, inner]) =>
    flatten(inner, prefix ? `${prefix}.${key}` : key),
  )
  return Object.assign({}, ...parts)
}

/**
 * Splits the file's keys into settings, which have dots, and variables, such as `data_dir` for
 * `SERVICE_DATA_DIR`.
 */
function splitFile(file: Record<string, unknown>) {
  const variables: Record<string, string> = {}
  const settings: Record<string, unknown> = {}
  for (const [key, value] of Object.entries(file)) {
    const variable = `SERVICE_${key.toUpperCase()}`
    if (variable in Variables.shape) variables[variable] = String(value)
    else settings[key] = value
  }
  return { variables, settings }
}

const wording: z.core.$ZodErrorMap = (issue) =>
  issue.code === 'invalid_type' && /^(number|int)$/.test(issue.expected)
    ? 'a number is expected'
    : undefined

function check<T extends z.ZodType>(schema: T, value: unknown, where: string): z.output<T> {
  const result = schema.safeParse(value, { error: wording })
  if (result.success) return result.data
  const issue = result.error.issues[0]!
  if (issue.code === 'unrecognized_keys') {
    throw new ConfigError(`${where}: unknown key ${issue.keys.join(', ')}`)
  }
  throw new ConfigError(`${issue.path.join('.')}: ${issue.message}`)
}
