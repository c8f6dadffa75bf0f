import type { Signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { useResource } from '../data/cache.ts'
import { can } from '../data/session.ts'
import type { HostId } from '../host-ids.ts'
import { Select } from '../parts/select.tsx'
import { t } from '../text/text.ts'

/**
 * The choice of a host in a form: those that are online, the first
 * of them if the one chosen is not. Not shown where there is one alone.
 */
export function HostChoice({ to }: { to: Signal<HostId> }) {
  return can('hosts:read') ? <Choice to={to} /> : null
}

function Choice({ to }: { to: Signal<HostId> }) {
  const { value } = useResource('/hosts')
  const hosts = (value.value ?? []).filter(({ status }) => status === 'online')
  const first = hosts.some(({ id }) => id === to.value) ? undefined : hosts[0]?.id
  useEffect(() => {
    if (first !== undefined) to.value = first
  }, [first])
  if (hosts.length < 2) return null
  return (
    <Select
      label={t.hosts.host}
      value={to.value}
      onChange={(id) => {
        to.value = id
      }}
      options={hosts.map(({ id, name }) => ({ value: id, label: name }))}
    />
  )
}
