import { Archive, Bell, Container, HardDrive, Layers, Network, Package, Server, User } from 'lucide'
import { useResource } from '../data/cache.ts'
import { type OfHosts, splitHosts } from '../data/host-lists.ts'
import { keyOfImage, nameOfImage } from '../data/images.ts'
import type { Resource } from '../data/resource-cache.ts'
import { can } from '../data/session.ts'
import { useHostNames } from '../data/use-host-names.ts'
import { type PaletteEntry, usePalette } from '../frame/palette-state.ts'
import { t } from '../text/text.ts'

/** Adds every named resource to the palette. Mounted only while the palette is open. */
export function Things() {
  return (
    <>
      {can('stacks:read') && <Stacks />}
      {can('hosts:read') && <Hosts />}
      {can('containers:read') && <Containers />}
      {can('images:read') && <Images />}
      {can('volumes:read') && <Volumes />}
      {can('networks:read') && <Networks />}
      {can('backups:read') && <BackupJobs />}
      {can('alerts:read') && <AlertRules />}
      {can('users:manage') && <Users />}
    </>
  )
}

const onAllHosts = { host: 'all' } as const

function Stacks() {
  const nameOf = useHostNames()
  return useThings(useResource('/stacks'), ({ name, host }) => ({
    label: name,
    hint: t.things.stack(nameOf(host)),
    icon: Layers,
    href: `/stacks/${name}`,
  }))
}

function Hosts() {
  return useThings(useResource('/hosts'), ({ id, name }) => ({
    label: name,
    hint: t.things.host,
    icon: Server,
    href: `/hosts/${id}`,
  }))
}

function Containers() {
  const containers = useResource('/containers', onAllHosts)
  return useThings(containers, ({ id, name, host_id, host_name }) => ({
    label: name,
    hint: t.things.container(host_name),
    icon: Container,
    href: `/containers/${host_id}/${id}`,
  }))
}

function Images() {
  return useThings(useResource('/images', onAllHosts), (image) => ({
    label: nameOfImage(image),
    hint: t.things.image(image.host_name),
    icon: Package,
    href: selected('/images', 'image', keyOfImage(image)),
  }))
}

function Volumes() {
  return useThings(useResource('/volumes', onAllHosts), ({ name, host_id, host_name }) => ({
    label: name,
    hint: t.things.volume(host_name),
    icon: HardDrive,
    href: selected('/volumes', 'volume', `${name}@${host_id}`),
  }))
}

function Networks() {
  return useThings(useResource('/networks', onAllHosts), ({ id, name, host_id, host_name }) => ({
    label: name,
    hint: t.things.network(host_name),
    icon: Network,
    href: selected('/networks', 'network', `${id}@${host_id}`),
  }))
}

function BackupJobs() {
  return useThings(useResource('/backup-jobs'), ({ id, name }) => ({
    label: name,
    hint: t.things.backupJob,
    icon: Archive,
    href: selected('/backups/runs', 'job', id),
  }))
}

function AlertRules() {
  return useThings(useResource('/alert-rules'), ({ id, name }) => ({
    label: name,
    hint: t.things.alertRule,
    icon: Bell,
    href: selected('/alerts/rules', 'rule', id),
  }))
}

function Users() {
  return useThings(useResource('/users'), ({ id, username }) => ({
    label: username,
    hint: t.things.user,
    icon: User,
    href: selected('/users', 'edit', id),
  }))
}

/** Adds a palette entry for each resource of a list. */
function useThings<T>({ value }: Resource<OfHosts<T>>, entryOf: (thing: T) => PaletteEntry) {
  usePalette(() => (value.value ? splitHosts(value.value).items.map(entryOf) : []), 'last')
  return null
}

/** Returns the address of a list with one of its rows open. */
const selected = (path: string, parameter: string, key: string) =>
  `${path}?${new URLSearchParams({ [parameter]: key })}`
