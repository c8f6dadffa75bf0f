import './host-filter.css'
import type { components } from '../data/api.types.ts'
import { useResource } from '../data/cache.ts'
import { nameOfHostIn } from '../data/host-names.ts'
import { can } from '../data/session.ts'
import { useReadable } from '../data/use-readable.ts'
import type { HostName } from '../host-ids.ts'
import { Select } from '../parts/select.tsx'
import { State } from '../parts/state.tsx'
import { t } from '../text/text.ts'
import { useQuery } from './address.ts'

/** Returns the host of a list's filter from the address, or `all`. */
export const useHostFilter = () => useQuery('host', 'all')

/** The choice of a host above a list. Hidden while there is only one host. */
export function HostFilter() {
  return can('hosts:read') ? <Choice /> : null
}

function Choice() {
  const [host, setHost] = useHostFilter()
  const { value } = useResource('/hosts')
  const hosts = value.value ?? []
  if (hosts.length < 2) return null
  return (
    <Select
      label={t.frame.hosts}
      isBare
      value={host}
      onChange={setHost}
      options={[
        { value: 'all', label: t.hostFilter.all },
        ...hosts.map(({ name }) => ({ value: name, label: name })),
      ]}
    />
  )
}

interface UnreachableProps {
  of: readonly components['schemas']['UnreachableHost'][]
  /** Returns what is missing of a host, if not its rows. */
  missing?: (host: HostName) => string
}

/** The hosts whose rows are missing from a list, each with the reason. */
export function Unreachable({ of, missing = t.hostFilter.missing }: UnreachableProps) {
  const { value, isSettled } = useReadable('hosts:read', '/hosts')
  if (of.length === 0 || !isSettled) return null
  const nameOf = nameOfHostIn(value, isSettled)
  return (
    <ul class="unreachable">
      {of.map(({ host_id, error }) => (
        <li key={host_id}>
          <State of="attention" word={missing(nameOf(host_id))} />{' '}
          <span class="why">{error.replace(`host ${nameOf(host_id)}: `, '')}</span>
        </li>
      ))}
    </ul>
  )
}
