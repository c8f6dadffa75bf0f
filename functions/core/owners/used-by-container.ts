import type { EngineBody } from '../../compose/step.ts'

/** What a container uses of its host by name, as the body of its creation says. */
export interface UsedThings {
  volumes: string[]
  networks: JoinedNetwork[]
  /** Containers whose namespaces or volumes it joins. */
  containers: string[]
}

/** A network, and the names that a container answers to there. */
export interface JoinedNetwork {
  name: string
  names: string[]
}

interface Body {
  Hostname?: string
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

/**
 * Returns what a body of `POST /containers/create` uses. In each network that is not built in, the
 * Engine gives a container its own name and its host name, too.
 *
 * @param container its name
 */
export function usedByContainer(container: string, body: EngineBody): UsedThings {
  const { Hostname = '', HostConfig: host = {}, NetworkingConfig: networking = {} } = body as Body
  const { NetworkMode: mode = '', PidMode: pid = '', IpcMode: ipc = '' } = host
  const binds = (host.Binds ?? []).map((bind) => bind.split(':')[0] ?? '')
  const mounts = (host.Mounts ?? []).filter(({ Type }) => Type === 'volume')
  const joined = [mode, pid, ipc].flatMap((one) => /^container:(.+)$/.exec(one)?.[1] ?? [])
  const endpoints = Object.entries(networking.EndpointsConfig ?? {})
  const named = modes.has(mode) || mode.startsWith('container:') ? [] : [mode]
  const own = [container, Hostname].filter((name) => name !== '')
  const attached = endpoints.map(([name, one]) => ({
    name,
    names: [...own, ...(one?.Aliases ?? [])],
  }))
  const known = new Set(attached.map(({ name }) => name))
  return {
    volumes: [
      ...binds.filter((source) => source !== '' && !source.startsWith('/')),
      ...mounts.flatMap(({ Source }) => Source ?? []),
    ],
    networks: [
      ...attached,
      ...named.filter((name) => !known.has(name)).map((name) => ({ name, names: own })),
    ],
    containers: [...joined, ...(host.VolumesFrom ?? []).map((from) => from.split(':')[0] ?? '')],
  }
}

/** Returns the names that a container gets by the settings of its endpoint in a network. */
export const aliasesIn = (endpoint: EngineBody): string[] => (endpoint as Endpoint).Aliases ?? []
