import { isMap } from '../../adopt/compose-facts.ts'

/** A stack as the API of Portainer shows it. */
export interface PortainerStack {
  Id: number
  Name: string
  /** 1 Swarm, 2 Compose, 3 Kubernetes. */
  Type: number
  EndpointId: number
  EntryPoint: string
  AdditionalFiles: readonly string[] | null
  Env: readonly { name: string; value: string }[] | null
  /** 1 active, 2 inactive, 3 deploying, 4 error. */
  Status: number
  ProjectPath: string
  ResourceControl: object | null
  AutoUpdate: {
    Interval: string
    Webhook: string
    ForceUpdate: boolean
    ForcePullImage: boolean
  } | null
  GitConfig: {
    URL: string
    ReferenceName: string
    ConfigFilePath: string
    Authentication: { Username: string } | null
    ConfigHash: string
  } | null
  /** The names of the fields with an unknown form. */
  unreadable: readonly string[]
}

/**
 * Reads a stack from a response. Fields with an unknown form are named in `unreadable`, so that
 * this stack alone is refused. Returns undefined for what is no stack.
 */
export function readStack(value: unknown): PortainerStack | undefined {
  if (!isMap(value) || typeof value.Id !== 'number') return undefined
  const fields: Record<string, unknown> = value
  const unreadable: string[] = []
  /** A field that is missing has the value of `otherwise`; without that, it is required. */
  const read = <T>(name: string, of: (given: unknown) => T | undefined, otherwise?: T) => {
    const given = fields[name] ?? undefined
    const found = given === undefined ? otherwise : of(given)
    if (found === undefined) unreadable.push(name)
    return found
  }
  return {
    Id: value.Id,
    Name: read('Name', nameIn) ?? '',
    Type: read('Type', numberIn) ?? 0,
    EndpointId: read('EndpointId', numberIn) ?? 0,
    EntryPoint: read('EntryPoint', nameIn) ?? '',
    AdditionalFiles: read('AdditionalFiles', textsIn, []) ?? [],
    Env: read('Env', variablesIn, []) ?? [],
    Status: read('Status', numberIn, 0) ?? 0,
    ProjectPath: read('ProjectPath', textIn, '') ?? '',
    ResourceControl: isMap(value.ResourceControl) ? value.ResourceControl : null,
    AutoUpdate: read<PortainerStack['AutoUpdate']>('AutoUpdate', updateIn, null) ?? null,
    GitConfig: read<PortainerStack['GitConfig']>('GitConfig', gitIn, null) ?? null,
    unreadable,
  }
}

const textIn = (value: unknown) => (typeof value === 'string' ? value : undefined)

const nameIn = (value: unknown) => textIn(value) || undefined

const numberIn = (value: unknown) => (typeof value === 'number' ? value : undefined)

function textsIn(value: unknown): string[] | undefined {
  const texts = Array.isArray(value) ? value.map(textIn) : [undefined]
  const found = texts.filter((text) => text !== undefined)
  return found.length === texts.length ? found : undefined
}

function variablesIn(value: unknown): { name: string; value: string }[] | undefined {
  if (!Array.isArray(value)) return undefined
  const found = value.flatMap((one) => {
    const [name, text] = isMap(one) ? [nameIn(one.name), textIn(one.value ?? '')] : []
    return name === undefined || text === undefined ? [] : [{ name, value: text }]
  })
  return found.length === value.length ? found : undefined
}

function updateIn(value: unknown): PortainerStack['AutoUpdate'] | undefined {
  if (!isMap(value)) return undefined
  const { Interval, Webhook, ForceUpdate, ForcePullImage } = value
  return {
    Interval: textIn(Interval) ?? '',
    Webhook: textIn(Webhook) ?? '',
    ForceUpdate: ForceUpdate === true,
    ForcePullImage: ForcePullImage === true,
  }
}

function gitIn(value: unknown): PortainerStack['GitConfig'] | undefined {
  const address = isMap(value) ? nameIn(value.URL) : undefined
  if (!isMap(value) || address === undefined) return undefined
  const { ReferenceName, ConfigFilePath, ConfigHash, Authentication } = value
  return {
    URL: address,
    ReferenceName: textIn(ReferenceName) ?? '',
    ConfigFilePath: textIn(ConfigFilePath) ?? '',
    ConfigHash: textIn(ConfigHash) ?? '',
    Authentication: isMap(Authentication)
      ? { Username: textIn(Authentication.Username) ?? '' }
      : null,
  }
}
