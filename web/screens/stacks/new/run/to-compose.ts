import { nameFrom } from '../../../../data/stack-draft.ts'
import { type RunCommand, readCommand } from './read-command.ts'
import { flags } from './run-flags.ts'
import { type Service, special } from './special-flags.ts'
import { writeYaml, type Yaml } from './write-yaml.ts'

export interface Converted {
  /** A name for the stack and its service. */
  name: string
  compose: string
  /** Flags that a compose file does not have, or that are not known. */
  dropped: readonly string[]
}

/**
 * Returns a compose file for a `docker run` command. The package composerize does this too, with
 * 1.9 MB: more than all screens together may load.
 *
 * @throws CommandError if the text is not a `docker run` command
 */
export function toCompose(text: string): Converted {
  const run = readCommand(text)
  const dropped = [...run.dropped]
  const service: Service = { image: run.image }
  for (const [name, value] of run.given) {
    const problem = apply(service, name, value)
    if (problem) dropped.push(problem)
  }
  if (run.command.length > 0) service.command = [...run.command]
  const name = nameOf(run)
  const compose = writeYaml({ services: { [name]: service }, ...outsideOf(service) })
  return { name, compose, dropped }
}

/** Returns the flag if it could not be applied. */
function apply(service: Service, name: string, value: string | true): string | undefined {
  const kind = flags.get(name)
  if (!kind || kind.as === 'nothing' || value === 'false') return undefined
  const text = value === true ? '' : value
  if (kind.as === 'special') return special(service, name, text)
  if (name === 'no-healthcheck') service.healthcheck = { disable: true }
  else if (kind.as === 'switch') service[kind.to] = true
  else if (kind.as === 'list') service[kind.to] = [...listIn(service, kind.to), text]
  else if (kind.as === 'seconds') service[kind.to] = `${text}s`
  else if (kind.as === 'number' && Number.isFinite(Number(text))) service[kind.to] = Number(text)
  else service[kind.to] = text
  return undefined
}

const listIn = (service: Service, field: string) => (service[field] ?? []) as readonly Yaml[]

/** The name of the container, else the last word of the image. */
function nameOf({ given, image }: RunCommand): string {
  const named = given.find(([name]) => name === 'name')?.[1]
  const repository = image.split('@')[0]?.split('/').at(-1)?.split(':')[0]
  return nameFrom(typeof named === 'string' ? named : (repository ?? '')) || 'app'
}

/** Returns the named volumes and networks of a service. Networks exist already. */
function outsideOf(service: Service): Record<string, Yaml> {
  const sources = listIn(service, 'volumes').flatMap((volume) => {
    const [source = '', target] = String(volume).split(':')
    return target !== undefined && /^[a-z0-9]/i.test(source) ? [source] : []
  })
  const networks = listIn(service, 'networks').map(String)
  return {
    ...(sources.length > 0 && { volumes: byName(sources, {}) }),
    ...(networks.length > 0 && { networks: byName(networks, { external: true }) }),
  }
}

const byName = (names: readonly string[], value: Yaml) =>
  Object.fromEntries(names.map((name) => [name, value]))
