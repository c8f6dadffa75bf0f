import { posix } from 'node:path'
import { coreFloors, standsAbove, webFloors } from './floors.ts'
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

const everyone = ['functions/compose', 'functions/core']
const listening = [...everyone, 'functions/kit', 'serverless.ts']

/** The files that read the version from package.json. All others import it from one of them. */
const versions = ['functions/core/version.ts', 'cli/version.ts']

function mayReach(path: string, { target, typeOnly }: Import): boolean {
  const from = roomOf(path)
  const to = roomOf(target)
  if (from === 'local' || from === 'packaging') return true
  if (isTest(path)) return from === to || mayTestReach(from, to)
  if (isTest(target)) return false
  if (to === 'package.json') return versions.includes(path)
  if (from === 'functions/core' && to === from) return mayReachFloor(path, target)
  if (from === 'web' && to === from) return mayReachWebFloor(path, target)
  if (from === to) return true
  if (from === 'functions/compose') return false
  if (from === 'functions/core') return to === 'functions/compose'
  if (from === 'functions/kit') return everyone.includes(to)
  // A file of everything is made of the bodies of all resources, and judged as they are.
  if (from === 'functions/estate') return to.startsWith('functions/')
  if (from.startsWith('functions/')) return everyone.includes(to) || to === 'functions/kit'
  if (from === 'serverless.ts') {
    if (target === 'adapters/lambda/deployment.ts') return true
    return to.startsWith('functions/') && !everyone.includes(to)
  }
  if (from === 'openapi') return to === 'serverless.ts' || to.startsWith('functions/')
  if (from === 'cli') return typeOnly || mayShare(path, target)
  // The stores share the interface of a table, and what does not depend on where it is.
  if (to === 'adapters/store') {
    const stores = ['adapters/dynamo', 'adapters/sqlite', 'adapters/node', 'adapters/lambda']
    return stores.includes(from)
  }
  // The two that build every port: the service, and its functions on a cloud.
  if (from === 'adapters/node' || from === 'adapters/lambda') {
    return listening.includes(to) || to.startsWith('adapters/')
  }
  // The sidecar creates the engines of the hosts connected to it, and implements the other end of
  // the agent protocol.
  if (from === 'adapters/sidecar') {
    return listening.includes(to) || to === 'adapters/docker' || to === 'adapters/agent'
  }
  // Connections to addresses that users enter go through one dialer.
  return from.startsWith('adapters/') && (everyone.includes(to) || to === 'adapters/net')
}

/**
 * The client checks stacks with the policy of its own version, and finds the files of a project.
 * These of its files read compose files and addresses, check paths and limit requests like the
 * service does.
 */
const sharedWithClient: Readonly<Record<string, string>> = {
  'cli/api/client.ts': 'functions/core/semaphore.ts',
  'cli/copy/upload.ts': 'functions/core/container-files/archive-limits.ts',
  'cli/stacks/apply-updates.ts': 'functions/compose/cut-off-services.ts',
  'cli/stacks/check-stack.ts': 'functions/compose/load/load.ts',
  'cli/folder/load-project.ts': 'functions/compose/load/load.ts',
  'cli/from-source/same-place.ts': 'functions/core/sources/git-place.ts',
  'cli/folder/further-problems.ts': 'functions/compose/diagnose/diagnose.ts',
  'cli/folder/ignored.ts': 'functions/compose/build/ignore-file.ts',
  'cli/import/dockge/env.ts': 'functions/compose/load/dotenv.ts',
  'cli/flags/variable-file.ts': 'functions/compose/load/dotenv.ts',
  'cli/folder/path-rules.ts': 'functions/core/stacks/file-path.ts',
  'cli/download/stored-entry.ts': 'functions/core/stacks/tree-shape.ts',
}

/** Compares texts alone, so any file of the client may use it. */
const nearest = 'functions/compose/nearest.ts'

const mayShare = (path: string, target: string) =>
  target === nearest || sharedWithClient[path] === target

/** Files at the top of core import no folder of it, and every folder may import them. */
function mayReachFloor(path: string, target: string): boolean {
  const [from, to] = [path, target].map((one) => one.split('/').slice(2))
  if (to?.length === 1) return true
  return from?.length !== 1 && standsAbove(coreFloors, from?.[0] ?? '', to?.[0] ?? '')
}

function mayReachWebFloor(path: string, target: string): boolean {
  const [from = '', to = ''] = [path, target].map((one) => one.split('/')[1])
  return standsAbove(webFloors, from, to)
}

/** Tests use the harness and the ports in memory, and may call other endpoints. */
function mayTestReach(from: string, to: string): boolean {
  if (to === 'local' || to === 'adapters/testing') return true
  if (from === 'adapters/testing') return to.startsWith('adapters/') || everyone.includes(to)
  if (from.startsWith('functions/')) return to.startsWith('functions/')
  if (from.startsWith('adapters/')) {
    // Tests of the ports use the store of the test run.
    const isStore = ['adapters/sqlite', 'adapters/store', 'adapters/dynamo'].includes(from)
    if (isStore && (to === 'adapters/dynamo' || to === 'adapters/store')) return true
    if (from === 'adapters/lambda' && ['adapters/dynamo', 'adapters/node'].includes(to)) return true
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
  '@aws-sdk/client-s3': ['adapters/blobs', 'local'],
  '@mongodb-js/zstd': ['adapters/blobs'],
  'age-encryption': ['adapters/blobs'],
  ssh2: ['adapters/blobs', 'adapters/git', 'local'],
  hono: ['adapters/node', 'adapters/sidecar'],
  '@hono/': ['adapters/node', 'adapters/sidecar'],
  '@middy/': ['functions/kit'],
  '@aws-lambda-powertools/': ['functions/kit'],
  ws: ['adapters/sidecar', 'cli', 'local', 'packages'],
  jose: ['adapters/node'],
  'lru-cache': ['adapters/node', 'adapters/docker'],
  croner: ['functions/core'],
  diff: ['functions/core'],
  'openid-client': ['adapters/oidc'],
  'oidc-provider': ['local'],
  '@peculiar/x509': ['adapters/node', 'adapters/agent'],
  'reflect-metadata': ['adapters/node', 'adapters/agent'],
  '@node-rs/argon2': ['adapters/node'],
  otplib: ['functions/core', 'local'],
  '@simplewebauthn/server': ['functions/core'],
  cac: ['cli'],
  '@clack/': ['cli'],
  'jq-wasm': ['cli'],
  'smol-toml': ['cli'],
  uqr: ['web', 'cli'],
  'tar-stream': [
    'adapters/docker',
    'adapters/blobs',
    'adapters/testing',
    'functions/core',
    'cli',
    'local',
    'packaging',
  ],
  'dynamodb-local': ['adapters/node'],
  tsx: ['adapters/node'],
  uuid: ['adapters/node'],
  ajv: ['functions/compose', 'openapi', 'packaging'],
  'ipaddr.js': ['functions/compose', 'functions/core'],
  nodemailer: ['adapters/alerts'],
  'smtp-server': ['local'],
  yaml: ['functions/compose', 'adapters/node', 'openapi', 'cli'],
  zod: [
    'functions',
    'openapi',
    'cli',
    'adapters/node',
    'adapters/sidecar',
    'adapters/agent',
    'packaging',
  ],
  vitest: ['adapters/testing', 'local', 'vitest.config.ts'],
  esbuild: ['local', 'packaging'],
  typescript: ['local', 'openapi'],
  preact: ['web'],
  '@preact/': ['web'],
  'preact-iso': ['web'],
  lucide: ['web'],
  'openapi-fetch': ['web', 'packages'],
  'openapi-typescript': ['openapi'],
  '@codemirror/': ['web'],
  '@lezer/': ['web'],
  '@xterm/': ['web'],
  uplot: ['web'],
  'axe-core': ['local'],
  'fast-check': ['local'],
  '@axe-core/': ['local'],
  'playwright-core': ['local'],
  'puppeteer-core': ['local'],
}
const testing = [
  ...['vitest', 'fast-check', 'playwright-core', '@hyperjump/json-schema', 'zod', 'ajv', 'yaml'],
  ...['@redocly/openapi-core', '@stoplight/', 're2js'],
]

/** The Node modules that functions may use: none that opens files or sockets. */
const pureBuiltins = [
  'node:crypto',
  'node:diagnostics_channel',
  'node:zlib',
  'node:path',
  'node:buffer',
  'node:util',
  'node:url',
]

function mayUse(path: string, { target, typeOnly }: Import): boolean {
  const room = roomOf(path)
  if (target === '?') {
    return isTest(path) || ['local', 'packaging', 'adapters/node'].includes(room)
  }
  if (target.startsWith('node:')) {
    if (room === 'web') return isTest(path)
    return isTest(path) || !path.startsWith('functions/') || pureBuiltins.includes(target)
  }
  if (isTest(path) && testing.some((name) => target.startsWith(name))) return true
  const [, owners] =
    Object.entries(packages).find(
      ([name]) => target === name || target.startsWith(name.endsWith('/') ? name : `${name}/`),
    ) ?? []
  if (owners === undefined) return false
  return (
    owners.some((owner) => room === owner || room.startsWith(`${owner}/`)) ||
    (typeOnly && room === 'local')
  )
}
