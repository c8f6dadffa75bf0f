import { isMap } from '../../adopt/compose-facts.ts'

/** The fields of `config` of a stack of Komodo that are texts, with their defaults. */
const texts = {
  server: '',
  swarm: '',
  project_name: '',
  linked_repo: '',
  git_provider: 'github.com',
  git_account: '',
  repo: '',
  branch: 'main',
  commit: '',
  clone_path: '',
  webhook_secret: '',
  run_directory: '',
  env_file_path: '.env',
  registry_provider: '',
  registry_account: '',
  compose_cmd_wrapper: '',
  file_contents: '',
  environment: '',
}

const flags = {
  auto_pull: true,
  run_build: false,
  poll_for_updates: false,
  auto_update: false,
  auto_update_all_services: false,
  destroy_before_deploy: false,
  skip_secret_interp: false,
  git_https: true,
  reclone: false,
  webhook_enabled: true,
  webhook_force_deploy: false,
  files_on_host: false,
  send_alerts: true,
}

/** A file may be a text or an object with `path`, and is its path here. */
const lists = {
  links: [] as readonly string[],
  auto_update_skip_services: [] as readonly string[],
  file_paths: [] as readonly string[],
  extra_args: [] as readonly string[],
  build_extra_args: [] as readonly string[],
  compose_cmd_wrapper_include: [] as readonly string[],
  ignore_services: [] as readonly string[],
  additional_env_files: [] as readonly string[],
  config_files: [] as readonly string[],
}

/** What they run; their `path` is where. */
const commands = { pre_deploy: '', post_deploy: '' }

/** The settings of a stack of Komodo. What is not set has its default. */
export type KomodoConfig = typeof texts & typeof flags & typeof lists & typeof commands

/** The settings of a repository, which a stack can link to. */
export type KomodoRepoConfig = Pick<
  KomodoConfig,
  'git_provider' | 'git_https' | 'git_account' | 'repo' | 'branch' | 'commit'
>

/** Settings, and what is left of the fields: names alone. */
export interface ReadConfig {
  config: KomodoConfig
  /** Fields that are on no public page. */
  unknown: readonly string[]
  /** Fields whose form is on no public page. */
  unreadable: readonly string[]
}

export const defaultConfig: Readonly<KomodoConfig> = { ...texts, ...flags, ...lists, ...commands }

/** The other names of fields. */
const otherNames = new Map([
  ['server_id', 'server'],
  ['swarm_id', 'swarm'],
])

/** Reads `config` of a stack, from a file of resources or from the API. It is not validated. */
export function readConfig(given: unknown): ReadConfig {
  const found = new Map<string, unknown>()
  const unknown: string[] = []
  const unreadable: string[] = given === undefined || isMap(given) ? [] : ['config']
  for (const [word, value] of Object.entries(isMap(given) ? given : {})) {
    const name = otherNames.get(word) ?? word
    if (!Object.hasOwn(defaultConfig, name)) unknown.push(word)
    else {
      const read = knownValue(name, value)
      if (read === undefined || found.has(name)) unreadable.push(word)
      else found.set(name, read)
    }
  }
  const config = { ...defaultConfig, ...Object.fromEntries(found) } as KomodoConfig
  return { config, unknown, unreadable }
}

/** Returns the value of a known field, undefined if it has another form. */
function knownValue(name: string, value: unknown): unknown {
  if (Object.hasOwn(texts, name)) return textOf(value)
  if (Object.hasOwn(flags, name)) return typeof value === 'boolean' ? value : undefined
  if (Object.hasOwn(commands, name)) return isMap(value) ? textOf(value.command ?? '') : undefined
  if (!Array.isArray(value)) return undefined
  const isFiles = name === 'config_files' || name === 'additional_env_files'
  const items = value.map((item) => textOf(isFiles && isMap(item) ? item.path : item))
  return items.every((item) => item !== undefined) ? items : undefined
}

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' ? value : undefined
