import { Container, Layers, Server } from 'lucide'
import { useResource } from '../data/cache.ts'
import { can } from '../data/session.ts'
import { t } from '../text/text.ts'
import { usePalette } from './palette-state.ts'

/** Adds everything that has a name to the palette, while that is open. */
export function Things() {
  return (
    <>
      {can('stacks:read') && <Stacks />}
      {can('hosts:read') && <Hosts />}
      {can('containers:read') && <Containers />}
    </>
  )
}

function Stacks() {
  const { value } = useResource('/stacks')
  usePalette(
    () =>
      (value.value ?? []).map(({ name, host }) => ({
        label: name,
        hint: t.things.stack(host),
        icon: Layers,
        href: `/stacks/${name}`,
      })),
    'last',
  )
  return null
}

function Hosts() {
  const { value } = useResource('/hosts')
  usePalette(
    () =>
      (value.value ?? []).map(({ id, name }) => ({
        label: name,
        hint: t.things.host,
        icon: Server,
        href: `/hosts/${id}`,
      })),
    'last',
  )
  return null
}

function Containers() {
  const { value } = useResource('/containers', { host: 'all' })
  usePalette(
    () =>
      rowsOf(value.value).map(({ id, name, host_id, host_name }) => ({
        label: name,
        hint: t.things.container(host_name),
        icon: Container,
        href: `/containers/${host_id}/${id}`,
      })),
    'last',
  )
  return null
}

const rowsOf = <T,>(value: readonly T[] | { items: readonly T[] } | undefined): readonly T[] =>
  value === undefined ? [] : 'items' in value ? value.items : value
