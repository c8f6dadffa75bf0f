import type { components } from '../../data/api.types.ts'
import { SearchField } from '../../parts/search-field.tsx'
import { Select } from '../../parts/select.tsx'
import { State } from '../../parts/state.tsx'
import { t } from '../../text/text.ts'
import type { StackFilter } from './filter-stacks.ts'

interface StackToolbarProps {
  filter: StackFilter
  hosts: readonly components['schemas']['Host'][]
  /** The list could not be loaded again. */
  isStale: boolean
  setText: (text: string) => void
  setState: (state: string) => void
  setHost: (host: string) => void
}

/** The filters of the list: text, state and host. */
export function StackToolbar(props: StackToolbarProps) {
  const { filter, hosts, isStale, setText, setState, setHost } = props
  const states = Object.entries(t.stackStatus).map(([value, label]) => ({ value, label }))
  return (
    <>
      <SearchField label={t.stacks.filter} value={filter.text} onInput={setText} />
      <Select
        isBare
        label={t.stacks.filterState}
        value={filter.state}
        options={[
          { value: '', label: t.stacks.anyState },
          { value: 'wrong', label: t.stacks.wrong },
          { value: 'changed', label: t.stacks.changed },
          { value: 'newer', label: t.stacks.newer },
          ...states,
        ]}
        onChange={setState}
      />
      {hosts.length > 1 && (
        <Select
          isBare
          label={t.stacks.filterHost}
          value={filter.host}
          options={[
            { value: '', label: t.stacks.anyHost },
            ...hosts.map(({ id, name }) => ({ value: id, label: name })),
          ]}
          onChange={setHost}
        />
      )}
      {isStale && <State of="attention" word={t.stacks.stale} />}
    </>
  )
}
