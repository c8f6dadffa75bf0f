import { isAnonymous, type Neighbours } from './containers.ts'
import {
  type Fields,
  fieldsAt,
  isEmpty,
  listAt,
  numberAt,
  objectsAt,
  present,
  textAt,
  textsAt,
  unlessEmpty,
  unlessNone,
} from './fields.ts'
import type { ContainerInspection, InspectedMount, Part } from './inspection.ts'

/** A mount of a service, with the entry of its volume. */
interface Mounted {
  mount: unknown
  target: string
  volume?: readonly [key: string, entry: Fields]
  left?: string
}

/** Returns the mounts of a container, with its volumes: key → entry of the compose file. */
export function mountsPart(
  inspection: ContainerInspection,
  neighbours: Neighbours,
): Part & { volumes: Fields } {
  const { hostConfig } = inspection
  const place = { inspection, neighbours }
  const declared = [
    ...listAt(hostConfig, 'Binds').map((text) => fromBind(text, place)),
    ...objectsAt(hostConfig, 'Mounts').map((one) => fromMount(one, place)),
  ]
  const tmpfs = textsAt(hostConfig, 'Tmpfs')
  const targets = new Set([...declared, ...tmpfs.map(([target]) => ({ target }))].map(targetOf))
  const others = undeclared(inspection, targets).map((mount) => keptVolume(mount, place))
  const mounted = [...declared, ...others]
  return {
    fields: present({
      volumes: unlessNone(mounted.map(({ mount }) => mount)),
      tmpfs: unlessNone(tmpfs.map(([path, options]) => (options ? `${path}:${options}` : path))),
    }),
    left: mounted.flatMap(({ left }) => left ?? []),
    volumes: Object.fromEntries(mounted.flatMap(({ volume }) => (volume ? [volume] : []))),
  }
}

interface Place {
  inspection: ContainerInspection
  neighbours: Neighbours
}

const targetOf = ({ target }: Pick<Mounted, 'target'>) => withoutSlash(target)
const withoutSlash = (path: string) => (path.length > 1 ? path.replace(/\/+$/, '') : path)

/** Reads `source:target[:options]`. A source that is no path is the name of a volume. */
function fromBind(text: string, place: Place): Mounted {
  const [source = '', target = '', options = ''] = text.split(':')
  const rest = options.split(',').filter((option) => option !== '' && option !== 'rw')
  const after = rest.length > 0 ? `:${rest.join(',')}` : ''
  if (source.startsWith('/')) return { mount: `${source}:${target}${after}`, target }
  const { key, volume, left } = volumeNamed(source, target, place)
  return { mount: `${key}:${target}${after}`, target, volume, ...(left && { left }) }
}

function fromMount(one: Fields, place: Place): Mounted {
  const [type, target] = [textAt(one, 'Type'), textAt(one, 'Target')]
  const about = {
    type,
    source: textAt(one, 'Source') || undefined,
    target,
    read_only: one.ReadOnly === true || undefined,
    consistency: consistency(textAt(one, 'Consistency')),
  }
  if (type === 'bind') return { mount: present({ ...about, bind: bindOptions(one) }), target }
  if (type === 'tmpfs') return tmpfsMount(about, one)
  if (type === 'image') {
    const subpath = textAt(fieldsAt(one, 'ImageOptions'), 'Subpath') || undefined
    return { mount: present({ ...about, image: unlessEmpty({ subpath }) }), target }
  }
  if (type !== 'volume') return { mount: present(about), target }
  const seen = place.inspection.mounts.find(({ destination }) => destination === target)
  const name = textAt(one, 'Source') || seen?.name
  if (!name) return { mount: present({ ...about, volume: volumeOptions(one) }), target }
  const { key, volume, left } = volumeNamed(name, target, place)
  const mount = present({ ...about, source: key, volume: volumeOptions(one) })
  return { mount, target, volume, ...(left && { left }) }
}

const consistency = (value: string) => (['', 'default'].includes(value) ? undefined : value)

function bindOptions(one: Fields): Fields | undefined {
  const options = fieldsAt(one, 'BindOptions')
  const recursive = [
    options.NonRecursive === true && 'disabled',
    options.ReadOnlyNonRecursive === true && 'writable',
    options.ReadOnlyForceRecursive === true && 'readonly',
  ].find((value) => value !== false)
  return unlessEmpty({
    propagation: textAt(options, 'Propagation') || undefined,
    // Without it, a path of the host that is missing is created as a directory.
    create_host_path: options.CreateMountpoint === true ? undefined : false,
    recursive,
  })
}

function tmpfsMount(about: Fields & { target: string }, one: Fields): Mounted {
  const options = fieldsAt(one, 'TmpfsOptions')
  const tmpfs = unlessEmpty({
    size: numberAt(options, 'SizeBytes') || undefined,
    mode: numberAt(options, 'Mode') || undefined,
  })
  const { target } = about
  const isPlain = isEmpty(options.Options)
  const left = `tmpfs ${target}: a compose file cannot say its further options`
  return { mount: present({ ...about, tmpfs }), target, ...(isPlain ? {} : { left }) }
}

function volumeOptions(one: Fields): Fields | undefined {
  const options = fieldsAt(one, 'VolumeOptions')
  return unlessEmpty({
    nocopy: options.NoCopy === true || undefined,
    subpath: textAt(options, 'Subpath') || undefined,
  })
}

/** Returns the volumes that only the image or `-v /path` asked for, and not another container. */
function undeclared(
  { mounts, config, hostConfig }: ContainerInspection,
  targets: ReadonlySet<string>,
): InspectedMount[] {
  const asked = new Set(Object.keys(fieldsAt(config, 'Volumes')).map(withoutSlash))
  const takesOthers = listAt(hostConfig, 'VolumesFrom').length > 0
  return mounts.filter(
    ({ type, name, destination }) =>
      type === 'volume' &&
      name !== '' &&
      !targets.has(withoutSlash(destination)) &&
      (!takesOthers || asked.has(withoutSlash(destination))),
  )
}

function keptVolume({ name, destination }: InspectedMount, place: Place): Mounted {
  const { key, volume, left } = volumeNamed(name, destination, place)
  return { mount: `${key}:${destination}`, target: destination, volume, ...(left && { left }) }
}

interface NamedVolume {
  key: string
  volume: readonly [key: string, entry: Fields]
  left?: string
}

/**
 * Returns the entry of a volume, which exists. One without a name of its own gets a key that says
 * where it is mounted, so that its data stay.
 */
function volumeNamed(name: string, target: string, { inspection, neighbours }: Place): NamedVolume {
  if (!isAnonymous({ name })) return { key: name, volume: [name, { external: true }] }
  const words = target.replace(/[^A-Za-z0-9]+/g, '-').replace(/-$/, '')
  const own = `${inspection.name}${words}`
  const key = neighbours.volumeNames.has(own) ? name : own
  return {
    key,
    volume: [key, { external: true, name }],
    left: `${target}: its data are in a volume without a name of its own, which stays: ${name}`,
  }
}
