import { posix } from 'node:path'
import { isTest, type Source } from './source.ts'

/**
 * An import of a package, or of a path from the top of the project. `typeOnly` imports are erased.
 */
export interface Import {
  target: string
  isPackage: boolean
  typeOnly: boolean
}

const statement = /^(?:import|export)\s+(?:(type)\s)?[^'";]*?from\s*['"]([^'"]+)['"]/gm
const bare = /^import\s*['"]([^'"]+)['"]/gm
const dynamic = /\bimport\(\s*(?:['"]([^'"]+)['"]\s*\)|([^'")\s]+))/g

/** Returns the imports of a file, in every syntax. A computed path becomes `?`. */
export function importsOf({ path, text }: Source): Import[] {
  const found = [
    ...[...text.matchAll(statement)].map(([, type, name]) => ({ name, typeOnly: type === 'type' })),
    ...[...text.matchAll(bare)].map(([, name]) => ({ name, typeOnly: false })),
    ...[...text.matchAll(dynamic)].map(([, name]) => ({ name: name ?? '?', typeOnly: false })),
  ]
  return found.map(({ name = '?', typeOnly }) => {
    const isPackage = !name.startsWith('.')
    return {
      target: isPackage ? name : posix.join(posix.dirname(path), name),
      isPackage,
      typeOnly,
    }
  })
}

/**
 * Returns the room of a file: each subfolder of functions and adapters is a room, and so is each
 * other top folder.
 */
export function roomOf(path: string): string {
  const [first = '', second = '', ...rest] = path.split('/')
  return (first === 'functions' || first === 'adapters') && rest.length > 0
    ? `${first}/${second}`
    : first
}

/** Returns the imports that a room must not make, one line each. */
export function brokenImports(sources: Source[]): string[] {
  return sources.flatMap((source) =>
    importsOf(source)
      .filter((one) => (one.isPackage ? !mayUse(source.path, one) : !mayReach(source.path, one)))
      .map((one) => `${source.path} imports ${one.target}`),
  )
}

const everyone = ['functions/core']
const listening = [...everyone, 'functions/kit', 'serverless.ts', 'package.json']

function mayReach(path: string, { target, typeOnly }: Import): boolean {
  const from = roomOf(path)
  const to = roomOf(target)
  if (from === to || from === 'local') return true
  if (isTest(path) || from === 'adapters/contract') return mayTestReach(from, to)
  if (from === 'functions/core') return false
  if (from === 'functions/kit') return everyone.includes(to)
  if (from.startsWith('functions/')) return to === 'functions/core' || to === 'functions/kit'
  if (from === 'serverless.ts') return to.startsWith('functions/') && to !== 'functions/core'
  if (from === 'openapi') return listening.includes(to)
  if (from === 'cli') return typeOnly || to === 'package.json' || mayLoadCompose(path, target)
  if (from === 'adapters/node') return listening.includes(to) || to.startsWith('adapters/')
  // The sidecar creates the engines of the hosts connected to it, and implements the other end of
  // the agent protocol.
  if (from === 'adapters/sidecar') {
    return listening.includes(to) || to === 'adapters/docker' || to === 'adapters/agent'
  }
  if (from === 'adapters/agent' && to === 'package.json') return true
  // Connections to addresses that users enter go through one dialer.
  return from.startsWith('adapters/') && (everyone.includes(to) || to === 'adapters/net')
}

/**
 * The client checks stacks with the policy of its own version. One of its files reads compose files
 * like the service does.
 */
const mayLoadCompose = (path: string, target: string) =>
  path === 'cli/check-stack.ts' && target === 'functions/core/compose/load/load.ts'

/** Tests use the harness and the ports in memory, and may call other endpoints. */
function mayTestReach(from: string, to: string): boolean {
  if (to === 'local' || to === 'adapters/memory' || to === 'adapters/contract') return true
  if (from === 'adapters/contract') return to.startsWith('adapters/') || everyone.includes(to)
  if (from.startsWith('functions/')) return to.startsWith('functions/')
  if (from.startsWith('adapters/')) {
    return listening.includes(to) || to === 'adapters/net' || from === 'adapters/node'
  }
  return listening.includes(to)
}

/**
 * The rooms that may use a package, by the beginning of its name. Other packages are not allowed
 * anywhere.
 */
const packages: Record<string, string[]> = {
  dockerode: ['adapters/docker'],
  '@aws-sdk/client-dynamodb': ['adapters/dynamo'],
  '@aws-sdk/lib-dynamodb': ['adapters/dynamo'],
  '@aws-sdk/client-s3': ['adapters/blobs', 'local'],
  '@mongodb-js/zstd': ['adapters/blobs'],
  'age-encryption': ['adapters/blobs'],
  ssh2: ['adapters/blobs'],
  hono: ['adapters/node', 'adapters/sidecar'],
  '@hono/': ['adapters/node', 'adapters/sidecar'],
  '@middy/': ['functions/kit'],
  '@aws-lambda-powertools/': ['functions/kit'],
  ws: ['adapters/sidecar', 'cli', 'local'],
  jose: ['adapters/node'],
  croner: ['functions/core'],
  'openid-client': ['adapters/oidc'],
  'oidc-provider': ['local'],
  '@peculiar/x509': ['adapters/node', 'adapters/agent'],
  'reflect-metadata': ['adapters/node', 'adapters/agent'],
  '@node-rs/argon2': ['adapters/node'],
  otplib: ['functions/core', 'local'],
  cac: ['cli'],
  '@clack/': ['cli'],
  'tar-stream': [
    'adapters/docker',
    'adapters/blobs',
    'adapters/contract',
    'functions/core',
    'cli',
    'local',
  ],
  'dynamodb-local': ['local'],
  tsx: ['adapters/node'],
  uuid: ['adapters/node'],
  ajv: ['functions/core', 'openapi'],
  'ipaddr.js': ['functions/core'],
  nodemailer: ['adapters/alerts'],
  'smtp-server': ['local'],
  yaml: ['functions/core', 'adapters/node', 'openapi', 'cli'],
  zod: ['functions', 'openapi', 'cli', 'adapters/node', 'adapters/sidecar', 'adapters/agent'],
  vitest: ['adapters/contract', 'local', 'vitest.config.ts'],
  esbuild: ['local'],
  typescript: ['local'],
}
const testing = ['vitest', 'fast-check', 'playwright-core', '@hyperjump/json-schema', 'zod', 'ajv']

/** The Node modules that functions may use: none that opens files or sockets. */
const pureBuiltins = [
  'node:crypto',
  'node:zlib',
  'node:path',
  'node:buffer',
  'node:util',
  'node:url',
]

function mayUse(path: string, { target, typeOnly }: Import): boolean {
  const room = roomOf(path)
  if (target === '?') return isTest(path) || room === 'local' || room === 'adapters/node'
  if (target.startsWith('node:')) {
    return isTest(path) || !path.startsWith('functions/') || pureBuiltins.includes(target)
  }
  if (isTest(path) && testing.some((name) => target.startsWith(name))) return true
  const key = Object.keys(packages).find(
    (name) => target === name || target.startsWith(name.endsWith('/') ? name : `${name}/`),
  )
  if (key === undefined) return false
  return (
    packages[key]!.some((owner) => room === owner || room.startsWith(`${owner}/`)) ||
    (typeOnly && room === 'local')
  )
}
