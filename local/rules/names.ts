import { posix } from 'node:path'
import type { Source } from './source.ts'

/** The top level: what the design requires, and the usual files of a project. */
const required = [
  'functions',
  'adapters',
  'cli',
  'web',
  'openapi',
  'local',
  'serverless.ts',
  'package.json',
  'tsconfig.json',
]
const allowed = [
  ...required,
  'README.md',
  'CHANGELOG.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'LICENSE',
  'compose.yaml',
  'compose.dynamodb.yaml',
  'docs',
  'examples',
  'packages',
  'packaging',
  'package-lock.json',
  'biome.json',
  'vitest.config.ts',
]

/** Returns the differences between a top level and the design. */
export function topLevelOffences(names: string[]): string[] {
  const missing = required
    .filter((name) => !names.includes(name))
    .map((name) => `${name} is missing`)
  const more = names.filter((name) => !allowed.includes(name) && !name.startsWith('.'))
  return [...missing, ...more.map((name) => `${name} does not belong at the top`)]
}

const kebab = /^[a-z0-9]+(?:-[a-z0-9]+)*(?:\.[a-z0-9-]+)*$/
const rooms = /^(?:utils?|helpers|common|misc|shared|lib|index)(?:\.|$)/

/** Returns meaningless names, names that are not in kebab case, and files that only re-export. */
export function nameOffences(sources: Source[]): string[] {
  return sources.flatMap(({ path, text }) => {
    const steps = path.split('/')
    const offences: string[] = []
    if (!steps.every((step) => kebab.test(step))) offences.push('is not in kebab case')
    if (steps.some((step) => rooms.test(step))) offences.push('has a name that says nothing')
    if (/^export \* from/m.test(text)) offences.push('passes on what others export')
    return offences.map((offence) => `${posix.normalize(path)} ${offence}`)
  })
}
