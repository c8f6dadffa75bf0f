import { ownEntry } from '../../compose/lookup.ts'
import {
  isAllowedLimit,
  isDevicePath,
  isNamespacedSysctl,
} from '../../compose/policy/limits-reach.ts'
import { isInside } from '../../compose/policy/resource-reach.ts'
import { defaultCapabilities, harmlessOption } from '../../compose/policy/service-reach.ts'
import type { ContainerAccess } from '../records/container.ts'
import { limitAttributes } from './limit-attributes.ts'

/** What the containers of a project may access. */
export interface ProjectPlace {
  /** Absolute path on the host. */
  directory: string
  /** Ids and names of the project's containers. */
  containers: ReadonlySet<string>
}

/**
 * Returns descriptions of what a running container can access beyond its project, judged by the
 * Engine's inspection of it. The policy is the one for compose files. An unknown attribute that is
 * not empty counts, so that an addition of a new Engine is refused until the policy covers it.
 */
export function containerReach(access: ContainerAccess, place: ProjectPlace): string[] {
  return [...mounts(access, place), ...attributes(access, place)]
}

function* mounts({ mounts }: ContainerAccess, { directory }: ProjectPlace): Generator<string> {
  for (const { type, source, destination, driver } of mounts) {
    if (type === 'bind' && !isInside(directory, source)) {
      yield `the mount ${destination}: ${source} is outside ${directory}`
    }
    if (type === 'volume' && driver !== 'local') yield `the mount ${destination}: driver ${driver}`
    if (!knownMounts.has(type)) yield `the mount ${destination}: type ${type || 'unknown'}`
  }
}

const knownMounts = new Set(['bind', 'volume', 'tmpfs', 'image'])

function* attributes(access: ContainerAccess, place: ProjectPlace): Generator<string> {
  for (const [name, value] of Object.entries(access.hostConfig)) {
    const rule = ownEntry(rules, name)
    const isAllowed = rule ? rule(value, access, place) : isEmpty(value)
    if (!limitAttributes.has(name) && !isAllowed) yield `${name} ${shown(value)}`
  }
}

type Rule = (value: unknown, access: ContainerAccess, place: ProjectPlace) => boolean

const oneOf =
  (...allowed: string[]): Rule =>
  (value) =>
    value === undefined || value === null || allowed.includes(String(value))

/** Accepts a private namespace, or the namespace of another container of the project. */
const allowedNamespace =
  (...own: string[]): Rule =>
  (value, access, place) =>
    oneOf('', ...own)(value, access, place) || isProjectContainer(value, place)

/** Accepts a list of objects whose text under this key is accepted. */
const each =
  (key: string, accepts: (text: string) => boolean): Rule =>
  (value) =>
    (Array.isArray(value) ? value : []).every((one) => accepts(String(one?.[key])))

/** Accepts an object whose keys are accepted. */
const keys =
  (accepts: (key: string) => boolean): Rule =>
  (value) =>
    Object.keys(value ?? {}).every(accepts)

const devicePaths = each('Path', isDevicePath)

/** Attributes that decide what a container can access. Any other must be empty. */
const rules: Record<string, Rule> = {
  PidMode: allowedNamespace('private'),
  IpcMode: allowedNamespace('private', 'shareable', 'none'),
  NetworkMode: (value, _access, place) =>
    value !== 'host' && (!String(value).includes(':') || isProjectContainer(value, place)),
  CgroupnsMode: (value, access, place) =>
    oneOf('', 'private')(value, access, place) ||
    (value === 'host' && access.cgroupVersion === '1'),
  Runtime: oneOf('', 'runc', 'io.containerd.runc.v2'),
  VolumeDriver: oneOf('', 'local'),
  Isolation: oneOf('', 'default'),
  CapAdd: (value) => list(value).every((name) => defaultCapabilities.has(capability(name))),
  SecurityOpt: (value) => list(value).every((option) => harmlessOption.test(option)),
  // The list of mounts is complete, so `mounts` checks these.
  Binds: () => true,
  Mounts: () => true,
  VolumesFrom: (value, _access, place) =>
    list(value).every((source) => place.containers.has(source.replace(/:(ro|rw|z|Z)$/, ''))),
  LogConfig: (value) => ['', 'json-file', 'local', 'journald', 'none'].includes(logDriver(value)),
  OomScoreAdj: (value) => Number(value ?? 0) >= 0,
  Ulimits: each('Name', isAllowedLimit),
  Sysctls: keys(isNamespacedSysctl),
  StorageOpt: keys((key) => key === 'size'),
  BlkioWeightDevice: devicePaths,
  BlkioDeviceReadBps: devicePaths,
  BlkioDeviceWriteBps: devicePaths,
  BlkioDeviceReadIOps: devicePaths,
  BlkioDeviceWriteIOps: devicePaths,
  // With an empty list a container can read and write kernel settings of the host.
  MaskedPaths: (value) => value === undefined || list(value).length > 0,
  ReadonlyPaths: (value) => value === undefined || list(value).length > 0,
}

const isProjectContainer = (value: unknown, { containers }: ProjectPlace) =>
  typeof value === 'string' &&
  value.startsWith('container:') &&
  containers.has(value.slice('container:'.length))

const capability = (name: string) => name.toUpperCase().replace(/^CAP_/, '')

const list = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : [])

const logDriver = (value: unknown): string =>
  value !== null && typeof value === 'object' && 'Type' in value ? String(value.Type) : ''

/** Returns whether a value is what the Engine reports for an attribute that was not set. */
function isEmpty(value: unknown): boolean {
  if (value === null || value === undefined) return true
  if (typeof value === 'object') return Object.values(value).every(isEmpty)
  return value === '' || value === 0 || value === false
}

const shown = (value: unknown) => JSON.stringify(value)?.slice(0, 100) ?? ''
