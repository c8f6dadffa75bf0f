import type { EngineBody } from '../../compose/step.ts'

/** What a container uses of its host by name, as the body of its creation says. */
export interface UsedThings {
  volumes: string[]
  /** Networks, and the names that the container gets there. */
  networks: { name: string; aliases: string[] }[]
  /** Containers whose namespaces or volumes it joins. */
  containers: string[]
}

interface Body {
  HostConfig?: {
    Binds?: string[] | null
    Mounts?: { Type?: string; Source?: string }[] | null
    VolumesFrom?: string[] | null
    NetworkMode?: string
    PidMode?: string
    IpcMode?: string
  }
  NetworkingConfig?: { EndpointsConfig?: Record<string, Endpoint | null> | null }
}

interface Endpoint {
  Aliases?: string[] | null
}

const modes = new Set(['', 'default', 'bridge', 'host', 'none'])

/** Returns what a body of `POST /containers/create` uses. */
export function usedByContainer(body: EngineBody): UsedThings {
  const { HostConfig: host = {}, NetworkingConfig: networking = {} } = body as Body
  const { NetworkMode: mode = '', PidMode: pid = '', IpcMode: ipc = '' } = host
  const binds = (host.Binds ?? []).map((bind) => bind.split(':')[0] ?? '')
  const mounts = (host.Mounts ?? []).filter(({ Type }) => Type === 'volume')
  const joined = [mode, pid, ipc].flatMap((one) => /^container:(.+)$/.exec(one)?.[1] ?? [])
  const endpoints = Object.entries(networking.EndpointsConfig ?? {})
  const named = modes.has(mode) || mode.startsWith('container:') ? [] : [mode]
  const attached = endpoints.map(([name, one]) => ({ name, aliases: one?.Aliases ?? [] }))
  const known = new Set(attached.map(({ name }) => name))
  return {
    volumes: [
      ...binds.filter((source) => source !== '' && !source.startsWith('/')),
      ...mounts.flatMap(({ Source }) => Source ?? []),
    ],
    networks: [
      ...attached,
      ...named.filter((name) => !known.has(name)).map((name) => ({ name, aliases: [] })),
    ],
    containers: [...joined, ...(host.VolumesFrom ?? []).map((from) => from.split(':')[0] ?? '')],
  }
}

/** Returns the names that a container gets by the settings of its endpoint in a network. */
export const aliasesIn = (endpoint: EngineBody): string[] => (endpoint as Endpoint).Aliases ?? []
