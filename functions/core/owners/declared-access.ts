import { hostConfig } from '../../compose/create/host-config.ts'
import type { Project } from '../../compose/project.ts'
import type { ContainerAccess, ContainerMount } from '../records/container.ts'
import type { KnownVolume } from './volume-reach.ts'

/** Returns what a container of a service would have access to, as an inspection of it shows. */
export function declaredAccess(project: Project, service: string): ContainerAccess {
  const config = hostConfig(project, { service, number: 1, inherited: {} })
  const given = Object.entries(config).filter(([, value]) => value !== undefined)
  return {
    id: '',
    name: service,
    hostConfig: Object.fromEntries(given),
    mounts: declaredMounts(config, project),
    networks: [],
    cgroupVersion: '2',
    controlPaths: [],
  }
}

/** Returns the volumes of a project by their names on the Engine. Whose they are is not asked. */
export const declaredVolumes = ({ volumes }: Project): Record<string, KnownVolume> =>
  Object.fromEntries(
    Object.values(volumes).map(({ name, driver_opts: options = {} }) => [
      name,
      { options, isOwn: true },
    ]),
  )

interface Mounting {
  Binds?: string[]
  Mounts?: { Type?: string; Source?: string; Target?: string; ReadOnly?: boolean }[]
}

function declaredMounts(config: object, { volumes }: Project): ContainerMount[] {
  const { Binds = [], Mounts = [] } = config as Mounting
  const drivers = new Map(Object.values(volumes).map(({ name, driver }) => [name, driver]))
  const mount = (type: string, source: string, destination: string, readOnly: boolean) => ({
    type,
    source,
    destination,
    readOnly,
    name: type === 'volume' ? source : '',
    driver: type === 'volume' ? (drivers.get(source) ?? 'local') : '',
  })
  const binds = Binds.map((bind) => {
    const [source = '', destination = '', options = ''] = bind.split(':')
    const type = source.startsWith('/') ? 'bind' : 'volume'
    return mount(type, source, destination, options.split(',').includes('ro'))
  })
  const others = Mounts.map(({ Type = '', Source = '', Target = '', ReadOnly = false }) =>
    mount(Type, Source, Target, ReadOnly),
  )
  return [...binds, ...others]
}
