import { isMap } from '../../adopt/compose-facts.ts'
import { failed } from '../../failure.ts'
import type { LeftOut, LeftOutReason } from '../peer-stack.ts'
import { readConfig } from './config.ts'
import { type KomodoResources, type KomodoStack, shownValue } from './resources.ts'

type Fields = Record<string, unknown>

/**
 * Reads a file of resources, in TOML, as Komodo syncs and exports them. Throws a `CliFailure` if it
 * has another form.
 *
 * @param file its name in messages
 */
export async function readKomodoFile(text: string, file: string): Promise<KomodoResources> {
  const resources = await tomlOf(text, file)
  const listed = (kind: string) => resourcesOf(resources, kind, file)
  return {
    stacks: listed('stack').map(stackOf),
    servers: listed('server').map(({ name, config }) => ({
      name,
      isUp: isMap(config) && config.enabled === true,
    })),
    hasAllServers: false,
    repos: listed('repo').flatMap(reposOf),
    variables: new Map(
      listed('variable').map(({ name, value, is_secret }) => [name, shownValue(value, is_secret)]),
    ),
    others: Object.keys(resources)
      .filter((kind) => !known.includes(kind))
      .flatMap((kind) => namesOf(resources[kind]).map((name) => `${kind} ${name}`)),
  }
}

const known = ['stack', 'server', 'swarm', 'repo', 'variable']

async function tomlOf(text: string, file: string): Promise<Fields> {
  const { parse, TomlError } = await import('smol-toml')
  try {
    return parse(text)
  } catch (error) {
    if (!(error instanceof TomlError)) throw error
    // Further lines of the message show lines of the file, which can have secrets.
    const [message = ''] = error.message.split('\n')
    throw failed(`${file}:${error.line}:${error.column}: ${message}`, {
      hint: 'name a file of resources: a resource sync of Komodo has one, or exports it',
    })
  }
}

/** Returns the resources of a kind. Each has a name. */
function resourcesOf(resources: Fields, kind: string, file: string): (Fields & { name: string })[] {
  const found = Object.hasOwn(resources, kind) ? resources[kind] : []
  const isNamed = (one: unknown): one is Fields & { name: string } =>
    isMap(one) && typeof one.name === 'string' && one.name !== ''
  if (Array.isArray(found) && found.every(isNamed)) return found
  throw failed(`${file}: each ${kind} must be a [[${kind}]] with a name`)
}

const namesOf = (found: unknown): string[] =>
  (Array.isArray(found) ? found : [found]).map((one) =>
    isMap(one) && typeof one.name === 'string' ? one.name : '(without a name)',
  )

const stackKeys = ['name', 'description', 'tags', 'template', 'deploy', 'after', 'config']

function stackOf(fields: Fields & { name: string }): KomodoStack {
  const { name, description, tags, template, deploy, after } = fields
  const { config, unknown, unreadable } = readConfig(fields.config)
  const isUnset = (value: unknown) => value === undefined || value === false || isEmpty(value)
  const parts: [string, unknown, LeftOutReason][] = [
    ['description', description, 'display-only'],
    ['tags', tags, 'display-only'],
    ['deploy', deploy, 'deploy-option'],
    ['after', after, 'deploy-option'],
  ]
  const others = [...Object.keys(fields).filter((key) => !stackKeys.includes(key)), ...unknown]
  const leftOut: LeftOut[] = [
    ...parts
      .filter(([, value]) => !isUnset(value))
      .map(([what, , reason]): LeftOut => ({ what, reason })),
    ...others.map((what): LeftOut => ({ what, reason: 'field-unknown' })),
  ]
  const isFlag = template === undefined || typeof template === 'boolean'
  return {
    name,
    isTemplate: template === true,
    status: 'unknown',
    config,
    unreadable: isFlag ? unreadable : ['template', ...unreadable],
    leftOut,
    deployedProject: null,
    contents: null,
  }
}

const isEmpty = (value: unknown) => value === '' || (Array.isArray(value) && value.length === 0)

const repoKeys = ['git_provider', 'git_https', 'git_account', 'repo', 'branch', 'commit']

/**
 * Reads a repository, whose fields of git are those of a stack. Others do not matter here. Returns
 * nothing if one has an unknown form, so that only the stacks that link to it are refused.
 */
function reposOf({ name, config: given }: Fields & { name: string }) {
  const fields = isMap(given) ? given : {}
  const own = repoKeys.filter((key) => Object.hasOwn(fields, key))
  const { config, unreadable } = readConfig(
    Object.fromEntries(own.map((key) => [key, fields[key]])),
  )
  if (unreadable.length > 0) return []
  const { git_provider, git_https, git_account, repo, branch, commit } = config
  return [{ name, git_provider, git_https, git_account, repo, branch, commit }]
}
